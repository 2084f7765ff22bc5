import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import type { SignalHint } from './hint.ts';
import type { ReadSignal } from './signal.ts';
import { lookForSignals, readBetween, readSignals, readSnapshot } from './signal-store.ts';
import { keepSeconds } from './signal-upkeep.ts';

/*
 * Delivers each signal of connected players to an api process exactly once, in two ways:
 *
 *   hint   names the signals that were just committed: 5 ms after the commit they are read by their ids
 *   poll   every second, reads what became visible since the previous poll: the fallback for lost hints
 *
 * Ids are assigned before the commit. So a slow transaction can commit a low id after a fast one has committed a high id. Reading
 * "all above the last id" would miss the low id. The usual remedy reads the last few seconds again each time and remembers the
 * ids that it has seen. But it misses the signals of a transaction that takes longer, and no number of seconds is always enough.
 * PostgreSQL has exact information: a snapshot says which transactions are visible, and each signal stores the number of its
 * transaction. A signal is new if it was not visible in the snapshot of the last poll, and is visible in the current one. So no
 * signal is found twice, and no open transaction delays the poll. This has a cost: while a writing transaction stays open, each
 * poll scans the index over all signals since its start. These are the signals of at most 15 minutes. At 100 signals a second,
 * they are 90,000, which take 20 ms.
 *
 * Hints and polls do not overlap: a hint reads only what the last poll could not see, and the next poll leaves out what hints
 * delivered since then. Both run in one loop, one after the other. If `deliver` throws, it has sent nothing, so a batch is
 * either sent as a whole or left to the next poll.
 */
const pollMs = 1_000;
/** Maximum number of signals per query and per `deliver`. */
const maxBatch = 1_000;
/** Maximum number of waiting hints; further ones are left to the poll. */
const maxHints = 20_000;
/** After this long without a poll, signals may have been deleted before they were read. */
const maxGapMs = (keepSeconds * 1_000) / 2;

export interface SignalReaderOptions {
  pool: Pool;
  log: Logger;
  /**
   * The players whose signals are wanted. Called after the snapshot of a poll was taken: players who connect later load the
   * list themselves.
   */
  players(): readonly number[];
  isWanted(playerId: number): boolean;
  /** Oldest first. Sends all of them, or throws and sends none. */
  deliver(signals: readonly ReadSignal[]): Promise<void>;
  /** Signals may have been missed: connected clients must reload their lists. */
  onGap(): void;
  /** Default 1000. */
  pollMs?: number;
}

export class SignalReader implements Service {
  readonly #options: SignalReaderOptions;
  #running = false;
  #loop: Promise<void> = Promise.resolve();
  #rest: (() => void) | undefined;
  readonly #hints = new Set<number>();
  /** The snapshot of the last poll. */
  #since = '';
  /** Ids delivered since that snapshot. */
  #delivered = new Set<number>();
  #polledAt = 0;
  #pollAt = 0;
  /** A poll was requested since the last one began. */
  #pollWanted = false;
  #away = false;

  constructor(options: SignalReaderOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#since = await readSnapshot(this.#options.pool);
    this.#polledAt = performance.now();
    this.#pollAt = this.#polledAt + this.#pollMs;
    this.#running = true;
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.#rest?.();
    await this.#loop;
  }

  /** Null: poll immediately. */
  readonly hear = (hints: readonly SignalHint[] | null): void => {
    if (hints === null) this.#pollWanted = true;
    else {
      for (const { signal_id, player_id } of hints) {
        if (this.#options.isWanted(player_id) && this.#hints.size < maxHints) this.#hints.add(signal_id);
      }
      if (this.#hints.size === 0) return;
    }
    this.#rest?.();
  };

  get #pollMs(): number {
    return this.#options.pollMs ?? pollMs;
  }

  async #run(): Promise<void> {
    while (this.#running) {
      try {
        if (this.#pollWanted || performance.now() >= this.#pollAt) await this.#poll();
        else if (this.#hints.size > 0) await this.#readHinted();
        else await this.#pause();
        this.#seen(false);
      } catch (error) {
        this.#seen(true, error);
        this.#pollAt = performance.now() + this.#pollMs;
        this.#hints.clear();
        await this.#pause();
      }
    }
  }

  #seen(failed: boolean, error?: unknown): void {
    const { log } = this.#options;
    if (!failed) this.#away = false;
    else if (!isDatabaseAway(error)) log.error({ err: error }, 'site signals could not be read; will poll again');
    else if (!this.#away) {
      log.warn({ err: error }, 'site signals are not read: the database is unavailable');
      this.#away = true;
    }
  }

  #pause(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#rest?.(), Math.max(0, this.#pollAt - performance.now()));
      this.#rest = () => {
        clearTimeout(timer);
        this.#rest = undefined;
        resolve();
      };
    });
  }

  async #readHinted(): Promise<void> {
    const ids = [...this.#hints].slice(0, maxBatch);
    for (const id of ids) this.#hints.delete(id);
    const signals = await readSignals(this.#options.pool, ids, this.#since);
    await this.#deliver(signals);
  }

  /** Reads everything that became visible since the previous poll. */
  async #poll(): Promise<void> {
    const { pool, players, onGap } = this.#options;
    this.#pollWanted = false;
    if (performance.now() - this.#polledAt > maxGapMs) onGap();
    const { snapshot, any } = await lookForSignals(pool, this.#since);
    if (any) {
      const range = { since: this.#since, until: snapshot, players: players(), limit: maxBatch };
      for (let after = 0; ; ) {
        const signals = await readBetween(pool, { ...range, after });
        await this.#deliver(signals);
        const last = signals.at(-1);
        if (signals.length < maxBatch || last === undefined) break;
        after = last.signal_id;
      }
    }
    this.#since = snapshot;
    this.#delivered.clear();
    this.#polledAt = performance.now();
    this.#pollAt = this.#polledAt + this.#pollMs;
  }

  async #deliver(read: readonly ReadSignal[]): Promise<void> {
    const signals = read.filter(({ signal_id }) => !this.#delivered.has(signal_id));
    if (signals.length === 0) return;
    try {
      await this.#options.deliver(signals);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      await this.#deliverSingly(signals);
    }
    for (const { signal_id } of signals) this.#delivered.add(signal_id);
  }

  /**
   * Delivers one by one, so that one failure does not block the others. The player of a failed signal sees the message with the
   * next list.
   */
  async #deliverSingly(signals: readonly ReadSignal[]): Promise<void> {
    for (const signal of signals) {
      try {
        await this.#options.deliver([signal]);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        const { signal_id, kind } = signal;
        this.#options.log.error({ err: error, signal_id, kind }, 'a site signal was not delivered');
      }
      this.#delivered.add(signal.signal_id);
    }
  }
}
