export type { Difference } from './compare.ts';
export { type RebuildOptions, type RebuildProgress, type RebuildResult, rebuild } from './rebuild.ts';
export type { RebuildScope } from './replay.ts';
export { RebuildRunning } from './shadow.ts';
export { type RebuildRow, readDifferences, readRebuilds } from './store.ts';
