import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes of a body that are still read after the answer, so that a caller gets to read it; then the connection is cut. */
const drainBytes = 64 * 1024;
/** A caller that goes on sending slowly is cut after so long. */
const drainMs = 2_000;

/**
 * Bounds what a call that was answered early costs. A wrong key, a missing session or a body over its limit is answered before the
 * body has arrived. node:http then reads and discards the rest, however long it is, so that anybody could keep a process busy
 * receiving. Cutting the connection at once is no way either: the caller would see a reset instead of the answer.
 */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  // Before the listener of node:http, which leaves a body alone that somebody reads.
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

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
