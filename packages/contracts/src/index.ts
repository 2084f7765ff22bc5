export * from './kinds.ts';
export type * from './values.ts';
