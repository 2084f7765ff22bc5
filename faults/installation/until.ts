import { setTimeout as delay } from 'node:timers/promises';

export interface Patience {
  /** Milliseconds until this counts as never. */
  limitMs: number;
  /** Milliseconds between two looks. Default 25. */
  everyMs?: number;
  /** Ends the wait early: the run was called off. */
  signal?: AbortSignal | undefined;
}

/**
 * Waits for a condition of the world outside: looks again and again until the answer is neither undefined nor false. A look
 * that throws counts as "not yet", because what is looked at was killed a moment ago; the last error is told at the end.
 *
 * @param what completes the sentence "waited 10 s for ..."
 * @throws when the limit has passed.
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { limitMs, everyMs = 25, signal }: Patience,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  let lastError: unknown;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`waited ${Math.round(limitMs / 1000)} s for ${what}, in vain`, { cause: lastError });
    }
    await delay(everyMs, undefined, { signal });
  }
}
