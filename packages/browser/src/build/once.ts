/**
 * Does work at the first call, and gives its result to all. Work that fails is forgotten: the next call tries again, so what was wrong
 * for a moment is not wrong until a restart.
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
