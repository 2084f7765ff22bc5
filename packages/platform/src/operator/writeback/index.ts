/** Front door of writing back; see README.md. */
export type { BlockChange } from './block-change.ts';
export { changeConsents, setBlock } from './change.ts';
export type { ConsentChange } from './consent-change.ts';
