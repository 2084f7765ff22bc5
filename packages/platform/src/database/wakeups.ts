import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { HintListener, HintSender } from './hints.ts';

/*
 * "There is something new", from one process to the others, without saying what. A hint only: whoever listens polls as well, so a lost one
 * costs one poll interval.
 */

/** Hints closer together than this become one: at most 100 a second from each process. */
const coalesceMs = 10;

interface WakeupOptions {
  connection: ClientConfig;
  /** Names the connection, such as `wakeups`. */
  name: string;
  channel: string;
  process: string;
  log: Logger;
}

/** The side that tells: `poke()` after each commit. Connects when there is something to tell. */
export class WakeupSender {
  readonly #hints: HintSender;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = 0;
  #stopped = false;

  constructor({ connection, name, channel, process, log }: WakeupOptions) {
    this.#hints = new HintSender({ connection, name: `croupier ${process} ${name}`, channel, log });
  }

  poke(): void {
    if (this.#timer || this.#stopped) return;
    const wait = Math.max(0, this.#lastAt + coalesceMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#lastAt = performance.now();
      void this.#hints.send(['']).then(() => {
        this.#timer = undefined;
      });
    }, wait);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#hints.stop();
  }
}

/** The side that hears: calls `onWakeup` for every hint and after each connect, and reconnects by itself. */
export class WakeupListener extends HintListener {
  constructor({ connection, name, channel, process, log, onWakeup }: WakeupOptions & { onWakeup: () => void }) {
    super({ connection, name: `croupier ${process} ${name}`, channel, log, onHint: onWakeup });
  }
}
