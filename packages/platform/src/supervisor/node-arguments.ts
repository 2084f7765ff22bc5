/**
 * What Node is told for a role's process.
 *
 * Half of the young generation at most 8 MB: events die young, so V8 would let it grow to 3 x 32 MB per process and never give
 * it back. At full load api and worker together held 750 MB with the default, 485 MB with 8, 430 MB with 4, at the same
 * rate; 4 collects twice as often. 16 in the worker alone took a tenth of its CPU away, and 577 MB in half a minute at 6,000 events/s
 * where 8 held 532: too near the 600 that both may hold.
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=8'];
