/**
 * What Node is told for a role's process.
 *
 * Half of the young generation at most 8 MB: events die young, so V8 would let it grow to 3 x 32 MB per process and never give
 * it back. At full load api and worker together held 750 MB with the default, 485 MB with 8, 430 MB with 4, at the same
 * rate; 4 collects twice as often.
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=8'];
