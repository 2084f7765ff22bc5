import type { Readable } from 'node:stream';
import { CallTimeout, TooLarge } from './failures.ts';

/**
 * Limits how long one call waits for a promise that other calls share, such as the one token request of many calls. The
 * promise itself continues.
 */
type Within = <P>(promise: Promise<P>, late: () => Error) => Promise<P>;

/**
 * Runs `work` with a signal that fires after `ms`.
 *
 * @throws {CallTimeout} when the time is up, or the error of `late` if `within` was waiting.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal, within: Within) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new CallTimeout(`no complete answer within ${ms} ms`)), ms);
  try {
    return await work(controller.signal, (promise, late) => orAborted(promise, controller.signal, late));
  } finally {
    clearTimeout(timer);
  }
}

function orAborted<P>(promise: Promise<P>, signal: AbortSignal, late: () => Error): Promise<P> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(late());
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Ends a call of any length if no data arrives for `ms`. Only time spent waiting counts, not the time to process the data. */
export class Silence {
  readonly signal: AbortSignal;
  #ms: number;
  #controller = new AbortController();

  /** @param outer also ends the call */
  constructor(ms: number, outer: AbortSignal) {
    this.#ms = ms;
    this.signal = AbortSignal.any([this.#controller.signal, outer]);
  }

  async during<P>(waiting: Promise<P>): Promise<P> {
    const timer = setTimeout(
      () => this.#controller.abort(new CallTimeout(`no byte received for ${this.#ms} ms`)),
      this.#ms,
    );
    try {
      return await orAborted(waiting, this.signal, () => this.signal.reason as Error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** @throws {TooLarge} as soon as the limit is exceeded; the rest is not read. */
export async function readAtMost(stream: Readable, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    size += part.length;
    // Leaving the loop destroys the stream and its connection, so nothing waits for the rest.
    if (size > maxBytes) throw new TooLarge(`the answer has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, size);
}
