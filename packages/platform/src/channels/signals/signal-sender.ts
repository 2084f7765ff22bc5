import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { HintSender } from '../../database/index.ts';
import { hintPayloads, pollHint, type SignalHint } from './hint.ts';

/*
 * Notifies the api processes that signals were committed. This is only a hint: api processes also poll, so a lost hint costs
 * its players one poll interval.
 */
export const signalChannel = 'croupier_site_signals';

/** Hints within 5 ms are sent together: at most 200 batches a second, at the cost of 5 ms of the 150 ms to the screen. */
const coalesceMs = 5;
/**
 * Above this number of signals, the hint only asks to poll. So a recall of a whole campaign causes one short notification, not 2,000 full
 * ones.
 */
const maxListed = 5_000;

export class SignalSender {
  readonly #hints: HintSender;
  #timer: NodeJS.Timeout | undefined;
  #waiting: SignalHint[] = [];
  #tooMany = false;
  #stopped = false;

  constructor({ connection, process, log }: { connection: ClientConfig; process: string; log: Logger }) {
    this.#hints = new HintSender({ connection, name: `croupier ${process} signals`, channel: signalChannel, log });
  }

  /** Call it after the commit of the transaction that wrote the signals. Returns immediately. */
  poke(signals: readonly SignalHint[]): void {
    if (signals.length === 0 || this.#stopped) return;
    if (this.#waiting.length + signals.length > maxListed) this.#tooMany = true;
    else this.#waiting.push(...signals);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      const payloads = this.#tooMany ? [pollHint] : hintPayloads(this.#waiting);
      this.#waiting = [];
      this.#tooMany = false;
      void this.#hints.send(payloads).then(() => {
        this.#timer = undefined;
        if (!this.#stopped && (this.#waiting.length > 0 || this.#tooMany)) this.#schedule();
      });
    }, coalesceMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#hints.stop();
  }
}
