import type { Ground } from './ground.ts';

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
/** Silence after which we ask, unless the server says how long; and how long the answer may take. */
const defaultActivityMs = 120_000;
const pongLimitMs = 15_000;

export interface SocketOptions {
  /** wss://host/app/key */
  url: string;
  channel: string;
  /** Asks the site API for the signature. Rejects: tried again after the wait. */
  authorise(socketId: string, channel: string): Promise<string>;
  /** An event of the channel, its data parsed. */
  onEvent(name: string, data: unknown): void;
  onUp(): void;
  /** Not up, or no longer. `failures`: in a row. */
  onDown(failures: number): void;
  /** Ends it for good. */
  signal: AbortSignal;
  ground: Ground;
}

export interface LiveSocket {
  /** The network, or the player, is back: does not wait any longer, and doubts a connection that has been silent. */
  wake(): void;
}

interface Frame {
  event: string;
  data?: unknown;
  channel?: string;
}

export function openSocket(options: SocketOptions): LiveSocket {
  const { signal, ground, channel } = options;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let activityMs = defaultActivityMs;
  let failures = 0;
  let isUp = false;

  const after = (ms: number, action: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(action, ms);
  };

  /** From any state; a closing socket that does not close is left behind, and not listened to any more. */
  const down = () => {
    clearTimeout(timer);
    const former = socket;
    socket = undefined;
    isUp = false;
    if (former === undefined) return;
    former.close();
    if (signal.aborted) return;
    failures++;
    options.onDown(failures);
    after(Math.min(maxWaitMs, 1_000 * 2 ** (failures - 1)) * (0.5 + ground.random()), connect);
  };

  const send = (event: string, data: unknown) => socket?.send(JSON.stringify({ event, data }));
  const ask = () => {
    send('pusher:ping', {});
    after(pongLimitMs, down);
  };

  const heard = async (from: WebSocket, text: unknown) => {
    const { event, data, channel: of } = frameOf(text);
    if (isUp) after(activityMs, ask);
    if (event === 'pusher:connection_established') {
      const { socket_id, activity_timeout } = data as { socket_id: string; activity_timeout?: number };
      if (activity_timeout) activityMs = Math.min(activityMs, activity_timeout * 1_000);
      const auth = await options.authorise(socket_id, channel);
      if (from === socket) send('pusher:subscribe', { channel, auth });
    } else if (event === 'pusher_internal:subscription_succeeded') {
      isUp = true;
      failures = 0;
      after(activityMs, ask);
      options.onUp();
    } else if (event === 'pusher:ping') send('pusher:pong', {});
    else if (event === 'pusher:error' || event === 'pusher:subscription_error') down();
    else if (of === channel) options.onEvent(event, data);
  };

  const connect = () => {
    if (signal.aborted) return;
    try {
      const opened = new WebSocket(`${options.url}?protocol=7&client=crm&version=1`);
      socket = opened;
      after(upLimitMs, down);
      opened.onmessage = ({ data }) => {
        if (opened === socket) heard(opened, data).catch(() => opened === socket && down());
      };
      opened.onclose = () => opened === socket && down();
    } catch {
      // The page's policy forbids it: as if the server had not answered.
      failures++;
      options.onDown(failures);
      after(maxWaitMs, connect);
    }
  };

  signal.addEventListener('abort', down);
  connect();
  return {
    wake: () => {
      if (isUp) ask();
      else if (socket === undefined && !signal.aborted) {
        clearTimeout(timer);
        connect();
      }
    },
  };
}

/** Data travels as text within the text; servers differ, so an object is taken too. */
function frameOf(text: unknown): Frame {
  const frame = JSON.parse(String(text)) as Frame;
  return typeof frame.data === 'string' ? { ...frame, data: JSON.parse(frame.data) } : frame;
}
