export type { PartsChange } from './deltas.ts';
export { type Measures, type PlayerTotals, readTotals } from './read.ts';
export { hoursKept, type Part, type TotalsSpec } from './spec.ts';
export { type Totals, totalsOf } from './store.ts';
export { readWindow, usualWindows, type Window, windowName } from './window.ts';
