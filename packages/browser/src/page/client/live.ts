import type { Ground } from './ground.ts';
import { type LiveSocket, openSocket, type SocketOptions } from './socket.ts';

/*
 * Keeps the page up to date, by the socket where it can, else by polling: while the socket is not up, a visible page asks every
 * `pollMs`; a hidden one waits until it is looked at. The socket is tried on, ever more slowly, and polling ends when it is up.
 */

/** Milliseconds between two polls. At 1,000 pages without a socket this is 33 calls/s. */
export const pollMs = 30_000;
/** A socket that is up sooner brings the first list along; one that is not must not keep the player waiting. */
const firstListMs = 800;

export interface LiveOptions extends Omit<SocketOptions, 'onUp' | 'onDown'> {
  /** Brings everything up to date. Must not throw. */
  refresh(): void;
  /** The browser says that it has no network. */
  onOffline(): void;
  ground: Ground;
}

/** Runs until the signal ends it. */
export function stayLive({ refresh, onOffline, ...options }: LiveOptions): void {
  const { signal } = options;
  let isUp = false;
  let listedAt = 0;
  let socket: LiveSocket | undefined;

  const list = () => {
    listedAt = Date.now();
    refresh();
  };
  const unlessUp = () => {
    if (!isUp && document.visibilityState === 'visible') list();
  };
  const first = setTimeout(() => listedAt || list(), firstListMs);
  const poll = setInterval(unlessUp, pollMs);
  const wake = () => {
    if (document.visibilityState !== 'visible') return;
    socket?.wake();
    // A look at the tab is no poll of its own where one has just been made.
    if (Date.now() - listedAt > pollMs) unlessUp();
  };
  const online = () => {
    socket?.wake();
    unlessUp();
  };

  addEventListener('online', online, { signal });
  addEventListener('offline', onOffline, { signal });
  document.addEventListener('visibilitychange', wake, { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(first);
    clearInterval(poll);
  });

  socket = openSocket({
    ...options,
    onUp() {
      isUp = true;
      list();
    },
    onDown(failures) {
      isUp = false;
      // The first wait is short: most sockets are up again before a poll would answer.
      if (failures === 2) unlessUp();
    },
  });
}
