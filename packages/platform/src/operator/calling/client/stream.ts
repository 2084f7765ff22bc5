import type { Readable } from 'node:stream';
import type { FailedCall } from './failures.ts';
import type { Silence } from './limits.ts';

/** Limits of a call whose answer may take any time. */
export interface StreamLimits {
  /** The call fails after this many milliseconds without a byte, before the answer or within it. */
  silence_ms: number;
  /** Ends the call. */
  signal: AbortSignal;
}

export type StreamResult<T> =
  | { answered: true; ok: true; status: number; read: T }
  | { answered: true; ok: false; status: number; retry_after_ms?: number }
  | ({ answered: false } & FailedCall);

/** The connection broke, or sent no data for too long, while the body was read; `cause` is the error. */
export class BrokenStream extends Error {
  override name = 'BrokenStream';
}

/** Cuts the connection of an answer whose body is not needed. The body then emits an error, which is ignored. */
export function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}

/** Yields the pieces of a body. Leaving the loop early cuts the connection. */
export async function* piecesOf(body: Readable, silence: Silence): AsyncGenerator<Buffer, void> {
  const pieces = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  // A body that breaks between two reads must not end the process.
  body.on('error', () => {});
  try {
    for (;;) {
      const next = await silence.during(pieces.next()).catch((cause: unknown) => {
        throw new BrokenStream('the stream was interrupted', { cause });
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    discard(body);
  }
}
