/**
 * What a checker found about one promise of ARCHITECTURE.md. `kept` is false as soon as one case is broken; `broken` shows the
 * first of them, with what a person needs to look further.
 */
export interface Outcome {
  promise: string;
  /** What was promised, in one line. */
  title: string;
  kept: boolean;
  /** What was looked at and what was measured, by name. */
  counts: Record<string, number>;
  broken: string[];
}

/** Broken cases told in an outcome; the count goes on. */
const told = 10;

/** An outcome from its measured figures and all that contradicts the promise. */
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
