/**
 * Half of the young generation at most, in MB. What dies young costs nothing, so V8 would let it grow to 3 x 32 MB per process and
 * never give it back: at full load api and worker together held 750 MB with the default, 485 MB with 8, 430 MB with 4.
 *
 * A worker's batch lives as long as its transaction. With 8, parts of it were copied several times meanwhile: with 16, collecting
 * and all else in the worker took a tenth less.
 */
const usualSemiSpace = 8;
const semiSpaces = new Map([['worker', 16]]);

/** What Node is told for a process, by its role; for others, such as the sandbox operator, as for an api. */
export function nodeArguments(role: string | undefined): readonly string[] {
  return [`--max-semi-space-size=${semiSpaces.get(role ?? '') ?? usualSemiSpace}`];
}
