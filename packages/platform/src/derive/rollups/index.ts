export { correctRollups, rollupDifferences } from './check.ts';
export { type RollupDay, readRollups } from './read.ts';
