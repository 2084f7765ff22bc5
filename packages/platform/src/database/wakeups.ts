import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { HintListener, HintSender } from './hints.ts';

/*
 * One process sends the others the hint "there is something new", without details. It is only a hint: listeners also poll,
 * so a lost hint costs one poll interval.
 */

/** Hints within this time are combined: at most 100 per second from each process. */
const coalesceMs = 10;

interface WakeupOptions {
  connection: ClientConfig;
  /** The name of the connection, such as `wakeups`. */
  name: string;
  channel: string;
  process: string;
  log: Logger;
}

/** The sending side: call `poke()` after each commit. It connects when there is something to send. */
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

/** The receiving side: calls `onWakeup` for every hint and after each connect, and reconnects automatically. */
export class WakeupListener extends HintListener {
  constructor({ connection, name, channel, process, log, onWakeup }: WakeupOptions & { onWakeup: () => void }) {
    super({ connection, name: `croupier ${process} ${name}`, channel, log, onHint: onWakeup });
  }
}
