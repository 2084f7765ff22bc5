/**
 * Node's arguments for a role's process.
 *
 * Each half of the young generation has at most 8 MB. Events are short-lived, so V8 would let it grow to 3 x 32 MB per process
 * and never release it. 16 MB in the worker alone saved a tenth of its CPU, and cost 45 MB more.
 *
 * The old generation is collected when it has doubled. On a machine with much memory V8 waits until it is four times as large.
 * Calls that wait for their commit are collected there, and api and worker together used 720 MB after 25 seconds at 5,000
 * events/s; the limit is 600 MB. With doubling they used 514 MB at 6,300 events/s, stable after 10 seconds; with 50 percent 444
 * MB, at the cost of more collection.
 *
 * V8 must not allocate young objects in the old generation because earlier ones of the same place in the code survived. Events that
 * wait for their commit survive, so V8 does this under load: each collection of the young generation then moved 1.6 MB to the old
 * one, in 8 of 10 starts of an api, for the rest of the run. Without it: 0.05 MB, in 5 of 5 starts, and 56 us of CPU per event
 * instead of 62 (medians of 5 starts in turns).
 */
export const nodeArguments: readonly string[] = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
];
