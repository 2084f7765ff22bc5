/** The sandbox: a fake operator, a simulated casino that knows the truth, and a publisher that retries until acknowledged. */
export * from './operator/index.ts';
export * from './publisher/index.ts';
export * from './simulator/index.ts';
