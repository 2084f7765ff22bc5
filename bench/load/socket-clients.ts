import { WebSocket } from 'ws';
import { signIn, siteSession } from './site-players.ts';

/*
 * Simulates connected browsers in a separate process. It reports ready, and then takes these orders:
 *
 *   { connect: { port, count } }   signs in this many players, opens a socket for each and subscribes it; answers with their UserIds
 *   { report: true }               answers with what has arrived since the last report
 *
 * Measured messages have the time of writing (Date.now()) as their title.
 */
export type SocketOrder = { connect: { port: number; count: number } } | { report: true };

export interface Connected {
  players: number[];
  seconds: number;
}

export interface Arrivals {
  /** The number of sockets that got exactly one message, more than one, and none. */
  once: number;
  more: number;
  none: number;
  /** Milliseconds from writing to arrival, sorted. */
  delays: number[];
  /** Sockets that are still open. */
  open: number;
}

/** Maximum number of players that sign in and request the proof for their socket at the same time. */
const concurrency = 50;
const brand = 'bench';

const sockets: WebSocket[] = [];
const received: number[] = [];
let delays: number[] = [];

async function connect({ port, count }: { port: number; count: number }): Promise<Connected> {
  const startedAt = performance.now();
  const players: number[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next++;
      players[number] = await connectOne(port, number);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { players, seconds: (performance.now() - startedAt) / 1_000 };
}

async function connectOne(port: number, number: number): Promise<number> {
  const base = `http://127.0.0.1:${port}/site/${brand}`;
  const session = siteSession(number);
  const { UserId, BrandId } = await signIn(base, session);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/${brand}?protocol=7`, { perMessageDeflate: false });
  sockets[number] = socket;
  received[number] = 0;
  const channel = `private-crm-${BrandId}-${UserId}`;
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('message', (text) => {
      const { event, data } = JSON.parse(String(text)) as { event: string; data: string };
      if (event === 'inbox') {
        received[number] = (received[number] ?? 0) + 1;
        delays.push(Date.now() - Number((JSON.parse(data) as { Title: string }).Title));
      } else if (event === 'pusher:connection_established') {
        const { socket_id } = JSON.parse(data) as { socket_id: string };
        prove(base, session, { socket_id, channel_name: channel }).then(
          (auth) => socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel, auth } })),
          reject,
        );
      } else if (event === 'pusher_internal:subscription_succeeded') resolve();
      else if (event === 'pusher:ping') socket.send('{"event":"pusher:pong"}');
      else reject(new Error(String(text)));
    });
  });
  return UserId;
}

async function prove(base: string, session: string, body: Record<string, string>): Promise<string> {
  const answer = await fetch(`${base}/external/pusher`, {
    method: 'POST',
    headers: { authtoken: session, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`no proof: ${answer.status}`);
  return ((await answer.json()) as { auth: string }).auth;
}

function arrivals(): Arrivals {
  const count = (fits: (n: number) => boolean) => received.filter(fits).length;
  const result = {
    once: count((n) => n === 1),
    more: count((n) => n > 1),
    none: count((n) => n === 0),
    delays: delays.sort((a, b) => a - b),
    open: sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length,
  };
  received.fill(0);
  delays = [];
  return result;
}

process.on('message', (order: SocketOrder) => {
  const answer = 'connect' in order ? connect(order.connect) : Promise.resolve(arrivals());
  answer.then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.send?.('ready');
