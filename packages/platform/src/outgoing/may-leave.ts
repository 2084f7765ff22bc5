import type { Readable } from 'node:stream';
import type { Departure } from './call.ts';

/** Fails a request of which no byte was sent, because the call is no longer allowed. */
export class MayNotLeave extends Error {
  override name = 'MayNotLeave';
}

/**
 * The body of an HTTP request that is checked once more before its first byte. undici reads a body of this kind when the
 * connection is there, and writes the head of the request together with the first part of the body. So if the check
 * fails, nothing was sent. Set the header content-length, or undici sends the body in chunks.
 *
 * @throws {MayNotLeave} into the request
 */
export function bodyThatMayLeave(body: Buffer, departure: Departure): Readable {
  // undici takes any async iterable, but its types name only streams.
  return checkedParts(body, departure) as unknown as Readable;
}

async function* checkedParts(body: Buffer, { mayLeave }: Departure): AsyncGenerator<Buffer> {
  if (!(await mayLeave())) throw new MayNotLeave('no longer allowed: nothing was sent');
  yield body;
}

/** The answer of a request with such a body, or null if it was not allowed to leave. */
export async function nullIfNotLeft<T>(request: Promise<T>): Promise<T | null> {
  return request.catch((error: unknown) => {
    if (error instanceof MayNotLeave) return null;
    throw error;
  });
}
