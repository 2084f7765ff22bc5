import { openSocket, type SocketOptions } from './socket.ts';

/*
 * Keeps the page up to date, by the socket where it can, else by polling: while the socket is not up, a visible page asks every
 * `pollMs`; a hidden one waits until it is looked at. The socket is tried on, ever more slowly, and polling ends when it is up.
 */

/** Milliseconds between two polls. At 1,000 pages without a socket this is 33 lists a second. */
export const pollMs = 30_000;
/** A socket that is up sooner brings the first list along; one that is not must not keep the player waiting. */
const firstListMs = 800;

export interface LiveOptions extends Omit<SocketOptions, 'onUp' | 'onDown'> {
  /** Brings everything up to date. Must not throw. */
  refresh(): void;
  /** The browser says that it has no network. */
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
      // The first wait is short: most sockets are up again before a list would answer.
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
      // Even where the socket outlived it: only a list that is answered ends `offline`.
      list();
    },
    listen,
  );
  addEventListener('offline', onOffline, listen);
  document.addEventListener(
    'visibilitychange',
    () => {
      // A look at the tab is no poll of its own where one has just been made.
      if (!document.hidden && Date.now() - listedAt > pollMs / 10) back();
    },
    listen,
  );
}
