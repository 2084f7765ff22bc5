import type { ServerResponse } from 'node:http';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Answer } from './act.ts';
import type { Fault } from './dials.ts';

/** Pieces per second of a dripping answer. */
const dripsPerSecond = 10;

/** Sends an answer without a fault. */
export async function send(res: ServerResponse, answer: Answer): Promise<void> {
  if (answer.stream !== undefined) return sendStream(res, answer, answer.stream);
  const body = encode(answer);
  res.writeHead(answer.status, { ...headersOf(answer), 'content-length': body.length });
  res.end(body);
}

/** Sends an answer with a fault of the connection. Faults that change only the body were applied before. */
export async function sendSpoilt(res: ServerResponse, answer: Answer, fault: Fault): Promise<void> {
  switch (fault.fault) {
    case 'timeout':
      return;
    case 'reset':
      return reset(res, answer, fault.at);
    case 'malformed_utf8': {
      const body = malformed(encode(answer));
      res.writeHead(answer.status, { ...headersOf(answer), 'content-length': body.length });
      res.end(body);
      return;
    }
    case 'drip':
      return drip(res, answer, fault.bytes_per_second);
    case 'cut': {
      res.writeHead(200, headersOf(answer));
      for (const piece of answer.stream ?? []) {
        if (res.destroyed) return;
        await write(res, piece);
      }
      if (fault.clean === true) res.end();
      else res.socket?.resetAndDestroy();
      return;
    }
    default:
      return send(res, answer);
  }
}

function headersOf(answer: Answer): Record<string, string> {
  return { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...answer.headers };
}

function encode(answer: Answer): Buffer {
  if (answer.stream !== undefined) return Buffer.from([...answer.stream].join(''));
  return Buffer.from(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
}

async function sendStream(res: ServerResponse, answer: Answer, pieces: Iterable<string>): Promise<void> {
  res.writeHead(answer.status, headersOf(answer));
  for (const piece of pieces) {
    if (res.destroyed) return;
    await write(res, piece);
  }
  res.end();
}

/**
 * Waits if the socket is full, so that a list of millions is never held in memory, and stops if the caller is gone. After each
 * piece, it lets other work run. Otherwise a caller that reads as fast as we write would block other work until the list ends.
 */
async function write(res: ServerResponse, piece: string | Buffer): Promise<void> {
  if (piece.length === 0 || res.write(piece)) return turnOfOthers();
  await new Promise<void>((resolve) => {
    const go = () => {
      res.off('drain', go).off('close', go);
      resolve();
    };
    res.on('drain', go).on('close', go);
  });
}

async function reset(
  res: ServerResponse,
  answer: Answer,
  at: 'before_headers' | 'in_headers' | 'in_body',
): Promise<void> {
  const socket = res.socket;
  if (socket === null) return;
  const body = encode(answer);
  const head = `HTTP/1.1 ${answer.status} OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length + 1}\r\n`;
  const part =
    at === 'before_headers'
      ? Buffer.alloc(0)
      : at === 'in_headers'
        ? Buffer.from(head.slice(0, head.length / 2))
        : Buffer.concat([Buffer.from(`${head}\r\n`), body.subarray(0, Math.ceil(body.length / 2))]);
  if (part.length === 0) {
    socket.resetAndDestroy();
    return;
  }
  // A reset directly after the bytes would reach the caller before it has read them. So end the stream once they are written.
  socket.write(part, () => socket.end(() => socket.destroy()));
}

async function drip(res: ServerResponse, answer: Answer, bytesPerSecond: number): Promise<void> {
  const body = encode(answer);
  const step = Math.max(1, Math.round(bytesPerSecond / dripsPerSecond));
  res.writeHead(answer.status, { ...headersOf(answer), 'content-length': body.length });
  for (let sent = 0; sent < body.length && !res.destroyed; sent += step) {
    await write(res, body.subarray(sent, sent + step));
    await new Promise((resolve) => setTimeout(resolve, 1000 / dripsPerSecond).unref());
  }
  res.end();
}

/** Puts a byte sequence that is not UTF-8 into the first text value, or after the body if there is none. */
function malformed(body: Buffer): Buffer {
  const bad = Buffer.from([0xc3, 0x28, 0xff]);
  const place = body.indexOf('":"');
  if (place < 0) return Buffer.concat([body, bad]);
  return Buffer.concat([body.subarray(0, place + 3), bad, body.subarray(place + 3)]);
}
