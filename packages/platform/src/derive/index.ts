/** The public interface of derive, one group of names per audience. */
export * from './figures.ts';
export * from './following.ts';
export * from './lists.ts';
export * from './running.ts';
