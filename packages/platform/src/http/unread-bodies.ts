import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of a body that are still read after the answer, so that the caller can read the answer; then the connection is cut. */
const drainBytes = 64 * 1024;
/** A caller that keeps sending slowly is cut after 2 seconds. */
const drainMs = 2_000;

/** For each connection, the answer to its last call that had a body and may be answered before that body has arrived. */
const lastAnswers = new WeakMap<Socket, ServerResponse>();

/**
 * Limits the cost of a call that was answered early. A call with a wrong key, without a session or with a body above the
 * limit is answered before its body has arrived. node:http then reads and discards the rest, however long it is, so that any
 * caller could keep a process busy. Closing the connection immediately is not a solution, because the caller would see a
 * reset instead of the answer.
 *
 * Call it for each request that may be answered before its body was read. The ingest edge does so only for calls that it
 * refuses: it answers an event after its body has arrived, and a listener for each event would noticeably increase the cost of an event.
 */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  lastAnswers.set(request.socket, response);
  // This listener runs before that of node:http, which discards the rest of the body unless something already reads it.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    const readBefore = socket.bytesRead;
    const cut = () => socket.destroy();
    const onData = () => socket.bytesRead - readBefore > drainBytes && cut();
    const timer = setTimeout(cut, drainMs).unref();
    request.on('data', onData);
    request.read(0);
    request.resume();
    const end = () => {
      clearTimeout(timer);
      request.off('data', onData);
    };
    request.once('end', end).once('close', end);
  });
}

/** True if the last call of a connection was answered and its body has still not arrived. */
export function isAnsweredBeforeBody(socket: Socket): boolean {
  const last = lastAnswers.get(socket);
  return last?.headersSent === true && !last.req.complete;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
