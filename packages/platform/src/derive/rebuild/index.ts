export type { Difference } from './compare.ts';
export {
  type RebuildOptions,
  type RebuildProgress,
  type RebuildResult,
  type RebuildScope,
  rebuild,
} from './rebuild.ts';
export { RebuildRunning } from './shadow.ts';
export { type RebuildRow, readDifferences, readRebuilds } from './store.ts';
