import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { keepCounts, type RebuildCounts } from './store.ts';

const everyMs = 1_000;

export class RebuildCancelled extends Error {
  override name = 'RebuildCancelled';
  constructor() {
    super('the rebuild was cancelled; the live state is unchanged');
  }
}

/**
 * Stores the progress of a rebuild in its row once a second, and checks there whether any process requested its cancellation. Its signal is
 * aborted by such a request or by the caller's signal.
 */
export class Watch {
  readonly signal: AbortSignal;
  readonly #pool: Pool;
  readonly #rebuildId: number;
  readonly #log: Logger;
  readonly #cancel = new AbortController();
  readonly #outer: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(pool: Pool, rebuildId: number, log: Logger, outer?: AbortSignal) {
    this.#pool = pool;
    this.#rebuildId = rebuildId;
    this.#log = log;
    this.#outer = outer;
    this.signal = outer === undefined ? this.#cancel.signal : AbortSignal.any([this.#cancel.signal, outer]);
  }

  start(counts: () => RebuildCounts): void {
    this.#timer = setInterval(() => {
      this.#round = this.#round.then(() => this.#look(counts()));
    }, everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  /** How an aborted rebuild ended: cancelled by a person, or interrupted because its process was stopped. */
  outcome(): 'cancelled' | 'interrupted' {
    return this.#outer?.aborted && this.#outer.reason instanceof ProcessStops ? 'interrupted' : 'cancelled';
  }

  async #look(counts: RebuildCounts): Promise<void> {
    try {
      if (await keepCounts(this.#pool, this.#rebuildId, counts)) this.#cancel.abort(new RebuildCancelled());
    } catch (err) {
      this.#log.warn({ err, rebuild_id: this.#rebuildId }, 'the progress of a rebuild could not be stored');
    }
  }
}

/** The abort reason if the process has to stop. The rebuild is then marked as interrupted, not as cancelled. */
export class ProcessStops extends Error {
  override name = 'ProcessStops';
  constructor() {
    super('the process is stopping');
  }
}
