/*
 * A small client of the Pusher protocol 7, for the one channel of the player.
 *
 *   connecting --established--> authorising --subscribed--> up
 *       ^                           |                        |
 *       |                           |  closed, refused, or silent
 *       '------ after a wait -------+------------------------'
 *
 * What is lost while it is not up is fetched as a list: `onUp` comes only once the subscription stands.
 */

/** Milliseconds until the subscription must stand. */
const upLimitMs = 10_000;
/** The wait after n failures in a row: 1, 2, 4, ... s, at most this, give or take half. */
const maxWaitMs = 60_000;
/** Silence after which we ask, unless the server wants it sooner; and how long the answer may take. */
const maxSilenceMs = 120_000;
const pongLimitMs = 15_000;

export interface SocketOptions {
  /** wss://host/app/key */
  url: string;
  channel: string;
  /** Asks the site API for the signature. Rejects: tried again after the wait. */
  authorise(socketId: string): Promise<string>;
  /** An event of the channel, its data parsed. */
  onEvent(name: string, data: unknown): void;
  onUp(): void;
  /** Not up, or no longer. `failures`: in a row. */
  onDown(failures: number): void;
  /** Ends it for good. */
  ended: AbortSignal;
}

/** @returns what to call when the network or the player is back: it waits no longer, and doubts a silent connection. */
export function openSocket({ url, channel, authorise, onEvent, onUp, onDown, ended }: SocketOptions): () => void {
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

  /** From any state. A closing socket that does not close is left behind, and not listened to any more. */
  const down = () => {
    clearTimeout(timer);
    socket?.close();
    socket = undefined;
    isUp = false;
    if (ended.aborted) return;
    onDown(++failures);
    after(Math.min(maxWaitMs, 500 * 2 ** failures) * (0.5 + Math.random()), connect);
  };

  const heard = async (from: WebSocket, frame: { event: string; data?: unknown; channel?: string }) => {
    const { event } = frame;
    // Data travels as text within the text; servers differ, so an object is taken too.
    const data = typeof frame.data === 'string' ? JSON.parse(frame.data) : frame.data;
    if (isUp) after(silenceMs, ask);
    if (event === 'pusher:connection_established') {
      silenceMs = Math.min(maxSilenceMs, data.activity_timeout * 1_000 || maxSilenceMs);
      const auth = await authorise(data.socket_id);
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
          if (opened === socket) await heard(opened, JSON.parse(data));
        } catch {
          fails();
        }
      };
    } catch {
      // The page's policy forbids it: as if the server had not answered.
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
