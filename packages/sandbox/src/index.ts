/**
 * The sandbox: a fake operator, a simulated casino that knows the truth, and a publisher that retries each message until it is
 * acknowledged.
 */
export * from './operator/index.ts';
export * from './publisher/index.ts';
export * from './simulator/index.ts';
