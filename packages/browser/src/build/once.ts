/**
 * Runs `work` at the first call, and returns its result to all callers. If it fails, the next call tries again, so a temporary
 * error does not last until a restart.
 */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (made !== undefined) return made;
    const attempt = work();
    made = attempt;
    attempt.catch(() => {
      if (made === attempt) made = undefined;
    });
    return attempt;
  };
}
