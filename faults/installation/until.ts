import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** Milliseconds after which the wait fails. */
  limitMs: number;
  /** Milliseconds between two checks. Default 25. */
  everyMs?: number;
  /** Ends the wait early when the run is cancelled. */
  signal?: AbortSignal | undefined;
}

/**
 * Waits for an external condition: checks repeatedly until the answer is neither undefined nor false. A check that throws
 * counts as "not yet", because its target may have just been killed; the message at the end contains the last error.
 *
 * @param what completes the sentence "waited 10 s for ..."
 * @throws after the limit.
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { limitMs, everyMs = 25, signal }: WaitOptions,
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
      const last = lastError instanceof Error ? `: ${lastError.message}` : '';
      throw new Error(`waited ${Math.round(limitMs / 1000)} s for ${what}; it did not happen${last}`, {
        cause: lastError,
      });
    }
    await delay(everyMs, undefined, { signal });
  }
}
