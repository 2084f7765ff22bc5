/*
 * A small client of the Pusher protocol 7. It subscribes to one channel, which belongs to the player.
 *
 *   connecting --established--> authorizing --subscribed--> up
 *       ^                           |                        |
 *       |                           |  closed, refused, or no data
 *       '------ after a wait -------+------------------------'
 *
 * `onUp` is called only once the subscription succeeded. The caller then fetches a list, which contains the messages
 * that were missed meanwhile.
 */

/** Timeout in milliseconds from the start of a connection until its subscription succeeds. */
const upLimitMs = 10_000;
/** The longest wait. After n consecutive failures, the wait is 1, 2, 4, ... s up to this, plus or minus half. */
const maxWaitMs = 60_000;
/**
 * After this time without data, the client sends a ping. If the server requires a shorter time, the shorter one
 * applies. The second value is the timeout for the answer.
 */
const maxSilenceMs = 120_000;
const pongLimitMs = 15_000;

export interface SocketOptions {
  /** wss://host/app/key */
  url: string;
  channel: string;
  /** Requests the signature from the site API. If it rejects, the connection is tried again after the wait. */
  authorize(socketId: string): Promise<string>;
  /** Called for an event of the channel, with its parsed data. */
  onEvent(name: string, data: unknown): void;
  onUp(): void;
  /** Called if the socket is not connected, or no longer connected. `failures` is the number of failures in a row. */
  onDown(failures: number): void;
  /** Ends the connection permanently. */
  ended: AbortSignal;
}

/** @returns a function to call when the network or the player is back. It ends a wait, or checks a quiet connection. */
export function openSocket({ url, channel, authorize, onEvent, onUp, onDown, ended }: SocketOptions): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silenceMs = maxSilenceMs;
  let failures = 0;
  let isUp = false;

  const after = (ms: number, action: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(action, ms);
  };
  const send = (event: string, data: unknown = {}) => socket?.send(JSON.stringify({ event, data }));
  const ask = () => {
    send('pusher:ping');
    after(pongLimitMs, down);
  };

  /** Disconnects, in any state. A closing socket that does not close is abandoned, and its events are ignored. */
  const down = () => {
    clearTimeout(timer);
    socket?.close();
    socket = undefined;
    isUp = false;
    if (ended.aborted) return;
    onDown(++failures);
    after(Math.min(maxWaitMs, 500 * 2 ** failures) * (0.5 + Math.random()), connect);
  };

  const receive = async (from: WebSocket, frame: { event: string; data?: unknown; channel?: string }) => {
    const { event } = frame;
    // Data is normally JSON text inside the JSON text. Some servers send an object instead, which is accepted, too.
    const data = typeof frame.data === 'string' ? JSON.parse(frame.data) : frame.data;
    if (isUp) after(silenceMs, ask);
    if (event === 'pusher:connection_established') {
      silenceMs = Math.min(maxSilenceMs, data.activity_timeout * 1_000 || maxSilenceMs);
      const auth = await authorize(data.socket_id);
      if (from === socket) send('pusher:subscribe', { channel, auth });
    } else if (event === 'pusher_internal:subscription_succeeded') {
      isUp = true;
      failures = 0;
      after(silenceMs, ask);
      onUp();
    } else if (event === 'pusher:ping') send('pusher:pong');
    else if (/^pusher:.*error/.test(event)) down();
    else if (frame.channel === channel) onEvent(event, data);
  };

  const connect = () => {
    if (ended.aborted) return;
    after(upLimitMs, down);
    try {
      const opened = new WebSocket(`${url}?protocol=7&client=crm&version=1`);
      const fails = () => {
        if (opened === socket) down();
      };
      socket = opened;
      opened.onclose = fails;
      opened.onmessage = async ({ data }) => {
        try {
          if (opened === socket) await receive(opened, JSON.parse(data));
        } catch {
          fails();
        }
      };
    } catch {
      // The page's policy forbids the connection. It is treated as if the server had not answered.
      down();
    }
  };

  ended.addEventListener('abort', down);
  connect();
  return () => {
    if (isUp) ask();
    else if (!socket) connect();
  };
}
