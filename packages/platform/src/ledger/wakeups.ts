import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { HintListener, HintSender } from '../database/index.ts';

/*
 * "There is something new in the ledger", from api processes to workers. A hint only: workers poll as well, so a lost
 * one costs them one poll interval.
 */

const channel = 'croupier_ledger';
/** Hints closer together than this become one: at most 100 a second from each api process. */
const coalesceMs = 10;

/** The side of the api process: `poke()` after each commit. */
export class LedgerWakeupSender {
  readonly #hints: HintSender;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = 0;
  #stopped = false;

  constructor({ connection, process, log }: { connection: ClientConfig; process: string; log: Logger }) {
    this.#hints = new HintSender({ connection, name: `croupier ${process} wakeups`, channel, log });
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

/** The side of the worker: calls `onWakeup` for every hint and after each connect, and reconnects by itself. */
export class LedgerWakeupListener extends HintListener {
  constructor(options: { connection: ClientConfig; process: string; log: Logger; onWakeup: () => void }) {
    const { connection, process, log, onWakeup } = options;
    super({ connection, name: `croupier ${process} wakeups`, channel, log, onHint: onWakeup });
  }
}
