/** The sandbox: a fake operator, a simulated casino that knows the truth, and a publisher that never gives up. */
export * from './operator/index.ts';
export * from './publisher/index.ts';
export * from './simulator/index.ts';
