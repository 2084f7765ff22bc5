export { Rounds, type RoundsOptions } from './rounds.ts';
export { Underway } from './underway.ts';
