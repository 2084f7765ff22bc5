/** Milliseconds in which codes are collected. The rows of a page ask for their names at the same time. */
const gatherMs = 10;

interface Waiting<Found> {
  code: string;
  resolve(found: Found | undefined): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that reads one object by its code. Codes that are asked for within a moment are read together, each
 * once.
 * @param read returns the objects that exist
 * @param most the maximum number of codes in one call of `read`. More codes are read in several calls.
 */
export function inBatches<Found extends { code: string }>(
  read: (codes: readonly string[]) => Promise<readonly Found[]>,
  most: number,
): (code: string) => Promise<Found | undefined> {
  let waiting: Waiting<Found>[] = [];

  const readWaiting = () => {
    const asking = waiting;
    waiting = [];
    const codes = [...new Set(asking.map(({ code }) => code))];
    for (let first = 0; first < codes.length; first += most) {
      const some = new Set(codes.slice(first, first + most));
      void answer(
        [...some],
        asking.filter(({ code }) => some.has(code)),
      );
    }
  };
  const answer = async (codes: readonly string[], asking: readonly Waiting<Found>[]) => {
    try {
      const found = new Map((await read(codes)).map((one) => [one.code, one]));
      for (const { code, resolve } of asking) resolve(found.get(code));
    } catch (error) {
      for (const { reject } of asking) reject(error);
    }
  };
  return (code) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(readWaiting, gatherMs);
      waiting.push({ code, resolve, reject });
    });
}
