/** The front door of derive, a group of names per audience. */
export * from './figures.ts';
export * from './following.ts';
export * from './lists.ts';
export * from './running.ts';
