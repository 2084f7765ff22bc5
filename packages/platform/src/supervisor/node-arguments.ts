/**
 * What Node is told for a role's process.
 *
 * Half of the young generation at most 8 MB: events die young, so V8 would let it grow to 3 x 32 MB per process and never give
 * it back. 16 in the worker alone took a tenth of its CPU away, and 45 MB more.
 *
 * The old generation is collected when it has doubled. On a machine with much memory V8 waits until it is four times as large:
 * calls that wait for their commit die there, and api and worker together held 720 MB after 25 seconds at 5,000 events/s, of the 600
 * that they may. With a doubling they held 514 MB at 6,300 events/s, level after 10 seconds; with 50 percent 444 MB, for more
 * collecting.
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=100'];
