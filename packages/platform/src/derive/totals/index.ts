export { type Group, type Ranking, readFavourites } from './favourite.ts';
export { foldStatement } from './floor.ts';
export { readGroups } from './groups.ts';
export type { PartsChange } from './parts.ts';
export { type Measures, type PlayerTotals, readTotals } from './read.ts';
export type { Rollup, RollupDifference } from './rollup.ts';
export { type Part, retainedHours as hoursKept, type TotalsSpec } from './spec.ts';
export { type Totals, totalsOf } from './store.ts';
export { readWindow, usualWindows, type Window, windowName, windowsInWords } from './window.ts';
