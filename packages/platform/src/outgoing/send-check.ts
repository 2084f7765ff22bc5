import type { Readable } from 'node:stream';
import type { SendCheck } from './call.ts';

/** Fails a request of which no byte was sent, because the call is no longer allowed. */
export class SendNotAllowed extends Error {
  override name = 'SendNotAllowed';
}

/**
 * The body of an HTTP request that is checked once more before its first byte. undici reads a body of this kind when the
 * connection is open, and writes the head of the request together with the first part of the body. So if the check
 * fails, nothing was sent. Set the header content-length; otherwise undici sends the body in chunks.
 *
 * @throws {SendNotAllowed} into the request
 */
export function checkedBody(body: Buffer, sendCheck: SendCheck): Readable {
  // undici takes any async iterable, but its types name only streams.
  return checkedParts(body, sendCheck) as unknown as Readable;
}

async function* checkedParts(body: Buffer, { maySend }: SendCheck): AsyncGenerator<Buffer> {
  if (!(await maySend())) throw new SendNotAllowed('no longer allowed: nothing was sent');
  yield body;
}

/** The answer of a request with such a body, or null if it was not allowed to be sent. */
export async function nullIfNotSent<T>(request: Promise<T>): Promise<T | null> {
  return request.catch((error: unknown) => {
    if (error instanceof SendNotAllowed) return null;
    throw error;
  });
}
