/**
 * A checker's result about one promise of ARCHITECTURE.md. `kept` is false if at least one case is broken; `broken` contains
 * the first of them, with the data needed to investigate.
 */
export interface Outcome {
  promise: string;
  /** The promise, in one line. */
  title: string;
  kept: boolean;
  /** What was checked and measured, by name. */
  counts: Record<string, number>;
  broken: string[];
}

/** Number of broken cases listed in an outcome; the count includes all. */
const told = 10;

/** An outcome from its measured figures and all violations of the promise. */
export function outcome(
  promise: string,
  title: string,
  counts: Record<string, number>,
  broken: readonly string[],
): Outcome {
  return {
    promise,
    title,
    kept: broken.length === 0,
    counts: broken.length === 0 ? counts : { ...counts, broken: broken.length },
    broken: broken.slice(0, told),
  };
}
