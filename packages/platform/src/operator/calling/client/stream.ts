import type { Readable } from 'node:stream';
import type { FailedCall } from './failures.ts';
import type { Silence } from './limits.ts';

/** Of a call whose answer may take any time. */
export interface StreamLimits {
  /** Milliseconds without a byte, before the answer or within it, after which the call has failed. */
  silence_ms: number;
  /** Ends the call. */
  signal: AbortSignal;
}

export type StreamResult<T> =
  | { answered: true; ok: true; status: number; read: T }
  | { answered: true; ok: false; status: number; retry_after_ms?: number }
  | ({ answered: false } & FailedCall);

/** The connection broke, or fell silent, while the body was read; `cause` is what broke it. */
export class BrokenStream extends Error {
  override name = 'BrokenStream';
}

/** Cuts the connection of an answer whose body nobody wants to read. A body that is cut says so as an error, which nobody hears. */
export function leave(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}

/** The pieces of a body. Whoever leaves the loop early cuts the connection: nobody waits for the rest. */
export async function* piecesOf(body: Readable, silence: Silence): AsyncGenerator<Buffer, void> {
  const pieces = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  // A body that breaks while nobody waits for its next piece must not end the process.
  body.on('error', () => {});
  try {
    for (;;) {
      const next = await silence.during(pieces.next()).catch((cause: unknown) => {
        throw new BrokenStream('the stream broke', { cause });
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    leave(body);
  }
}
