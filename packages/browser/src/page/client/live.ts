import { openSocket, type SocketOptions } from './socket.ts';

/*
 * Keeps the page up to date: through the socket if possible, otherwise by polling. While the socket is not connected, a
 * visible page polls every `pollMs`, and a hidden page waits until it is visible. The socket keeps retrying at growing
 * intervals. Polling ends when it is connected.
 */

/** Milliseconds between two polls. With this value, 1,000 pages without a socket request 33 lists a second. */
export const pollMs = 30_000;
/**
 * If the socket connects within this time, it also loads the first list. Otherwise the list is loaded without it, so
 * the player does not wait for a slow socket.
 */
const firstListMs = 800;

export interface LiveOptions extends Omit<SocketOptions, 'onUp' | 'onDown'> {
  /** Loads everything again. Must not throw. */
  refresh(): void;
  /** Called if the browser reports that there is no network. */
  onOffline(): void;
}

/** Runs until `ended`. */
export function stayLive({ refresh, onOffline, ...options }: LiveOptions): void {
  const listen = { signal: options.ended };
  let isUp = false;
  let listedAt = 0;

  const list = () => {
    listedAt = Date.now();
    refresh();
  };
  const poll = () => {
    if (!isUp && !document.hidden) list();
  };
  setTimeout(() => listedAt || list(), firstListMs);
  const timer = setInterval(poll, pollMs);
  options.ended.addEventListener('abort', () => clearInterval(timer));

  const wake = openSocket({
    ...options,
    onUp() {
      isUp = true;
      list();
    },
    onDown(failures) {
      isUp = false;
      // The first wait is short, because most sockets are connected again before a list would be answered.
      if (failures === 2) poll();
    },
  });
  const back = () => {
    wake();
    poll();
  };
  addEventListener(
    'online',
    () => {
      wake();
      // The list is loaded even if the socket is still connected, because only an answered list ends `offline`.
      list();
    },
    listen,
  );
  addEventListener('offline', onOffline, listen);
  document.addEventListener(
    'visibilitychange',
    () => {
      // Showing the tab causes no poll if the last one was only a moment ago.
      if (!document.hidden && Date.now() - listedAt > pollMs / 10) back();
    },
    listen,
  );
}
