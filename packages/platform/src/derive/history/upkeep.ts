import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import type { Day, ErasureKeys, Ledger, LedgerDay, LedgerHistory } from '../../ledger/index.ts';
import type { Service } from '../../service.ts';
import { hasBaseline } from './baseline.ts';
import { type OnRemoved, pruneFacts } from './prune.ts';
import { sealDay } from './seal.ts';
import * as store from './store.ts';
import { day, dayName, startOf } from './too-old.ts';

const pollMs = 60_000;
/** The worker that works on the history holds this lock. The other workers try again a minute later. */
export const historyLock = 0x68_69_73;
/**
 * The pause after each step of packing days, sealing days and removing facts, as a multiple of the step's duration: the steps use a
 * third of one connection's time, and the live pipeline has the rest. A day of 8.6 million events (100/s) takes two hours
 * of 24.
 */
const pauseFactor = 2;
const shortestPauseMs = 5;

export interface HistoryUpkeepOptions {
  pool: Pool;
  ledger: Ledger;
  history: LedgerHistory;
  brands: ErasureKeys & { all(): readonly Brand[]; byId(brandId: number): Brand | undefined };
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  onRemoved: OnRemoved;
  /** False in tests: no pauses. Default true. */
  paced?: boolean;
}

/** What one round did, in days and in rows of facts. */
export interface HistoryRound {
  packed: number;
  sealed: number;
  dropped: number;
  held: number;
  pruned: number;
}

/**
 * Processes old days: a day is packed when it is over, and sealed and dropped when it is older than the longest history
 * of all brands. Then facts that no kept event can touch are removed (prune.ts). Days are processed one at a time, the
 * oldest first. This may run in several workers.
 */
export class HistoryUpkeep implements Service {
  readonly #options: HistoryUpkeepOptions;
  readonly #rounds: Rounds;
  #stop = new AbortController();
  /** Aborted when the process stops, or when the current round loses its lock. */
  #signal: AbortSignal = this.#stop.signal;

  constructor(options: HistoryUpkeepOptions) {
    this.#options = options;
    this.#rounds = new Rounds({
      name: 'history upkeep',
      guard: options.guard,
      runOnce: () => this.#untilStopped(),
      pollMs,
      log: options.log,
      words: {
        away: 'history upkeep is paused: the database is unavailable',
        again: 'history upkeep continues',
        failed: 'history upkeep failed; will retry in 1 min',
      },
    });
  }

  start(): Promise<void> {
    this.#stop = new AbortController();
    return this.#rounds.start();
  }

  /** Stops after the current step. The next round of any worker repeats unfinished work. */
  stop(): Promise<void> {
    this.#stop.abort(new Error('stopping'));
    return this.#rounds.stop();
  }

  async runOnce(): Promise<HistoryRound> {
    const client = await this.#options.pool.connect();
    const lost = new AbortController();
    // The connection is idle for hours. If it breaks, the lock is lost and another worker may start.
    const onError = (cause: Error) => lost.abort(new Error('the connection that holds the lock was lost', { cause }));
    client.on('error', onError);
    let mine = false;
    try {
      mine = await tryLock(client);
      this.#signal = AbortSignal.any([this.#stop.signal, lost.signal]);
      return mine ? await this.#work() : nothingDone();
    } finally {
      if (mine && !lost.signal.aborted) {
        await client.query('select pg_advisory_unlock($1)', [historyLock]).catch((cause: Error) => lost.abort(cause));
      }
      client.off('error', onError);
      client.release(lost.signal.aborted);
    }
  }

  async #work(): Promise<HistoryRound> {
    const { history } = this.#options;
    const round = nothingDone();
    for (const { day: name, state } of await history.days()) {
      if (state !== 'closed') continue;
      this.#signal.throwIfAborted();
      const { outcome } = await history.pack(name, this.#signal, this.#pauser());
      if (outcome === 'refused') break;
      round.packed += 1;
    }
    this.#signal.throwIfAborted();
    await this.#dropOldDays(round);
    this.#signal.throwIfAborted();
    await this.#prune(round);
    return round;
  }

  async #dropOldDays(round: HistoryRound): Promise<void> {
    const before = this.#oldestKept();
    const days = await this.#options.history.days();
    await this.#finishDropped(days);
    for (const day of days) {
      // Days are dropped in order: a day that cannot be dropped blocks those after it.
      if (day.day >= before || day.state !== 'packed') return;
      const outcome = await this.#sealAndDrop(day, before, round);
      if (outcome !== 'dropped') return;
    }
  }

  /** Completes days whose drop was not recorded because the process was killed in between. */
  async #finishDropped(days: readonly LedgerDay[]): Promise<void> {
    const { pool, clock } = this.#options;
    for (const { day: name, state } of await store.readSealedDays(pool)) {
      if (state !== 'sealed' || days.some((retained) => retained.day === name)) continue;
      await store.noteDropped(pool, name, clock());
    }
  }

  async #sealAndDrop({ day: name, events }: LedgerDay, before: Day, round: HistoryRound): Promise<'dropped' | 'held'> {
    const { pool, history, clock, log } = this.#options;
    const sealed = await store.sealedEvents(pool, name);
    // If the day was already sealed and has not grown, only its drop was refused, so it is not sealed again.
    const sealing =
      sealed !== undefined && sealed === events
        ? ({ outcome: 'sealed', events } as const)
        : await sealDay({ ...this.#options, pause: this.#pauser() }, name);
    if (sealing.outcome === 'held') {
      const { reason } = sealing;
      log.warn({ day: name, reason }, 'a day of the ledger is held: its events and those of later days are kept');
      round.held += 1;
      return 'held';
    }
    if (sealed === undefined) round.sealed += 1;
    // The drop is refused if the day has more events than the number passed here. It is the number listed before the sealing, because
    // the sealing may have missed events that were added since. The number of sealed events would be too low if a pack is damaged, and
    // events that cannot be read must not keep the day from being dropped.
    const drop = await history.drop(name, { before, events: events ?? sealing.events });
    if (drop.outcome === 'refused') {
      // A day that has grown is packed and sealed again by the next round.
      await store.noteRefusal(pool, name, drop.reason);
      round.held += 1;
      return 'held';
    }
    await store.noteDropped(pool, name, clock());
    log.info({ day: name, events: sealing.events }, 'a day of the ledger was sealed and dropped');
    round.dropped += 1;
    return 'dropped';
  }

  async #prune(round: HistoryRound): Promise<void> {
    const { pool, history, brands, onRemoved } = this.#options;
    if (!(await hasBaseline(pool))) return;
    // `days` leaves out days without events. But an event that arrives today may be as old as the history, so the oldest kept day is
    // added.
    const days = [...(await history.days()).map((remaining) => remaining.day), this.#oldestKept()];
    const from = Math.min(...days.map(startOf));
    const brandIds = brands.all().map(({ brand_id }) => brand_id);
    round.pruned = (await pruneFacts(pool, from, brandIds, { pause: this.#pauser(), onRemoved })).rows;
  }

  /**
   * Returns the first day that is kept. The brand with the longest history determines it, because all brands share the
   * days of the ledger.
   */
  #oldestKept(): Day {
    const { brands, clock } = this.#options;
    const longest = Math.max(0, ...brands.all().map(({ settings }) => settings.history_days));
    return longest === 0 ? dayName(0) : dayName(clock() - longest * day);
  }

  /** Waits after each step in proportion to the step's duration. */
  #pauser(): () => Promise<void> {
    const { paced = true } = this.#options;
    let since = performance.now();
    return async () => {
      this.#signal.throwIfAborted();
      if (paced) {
        const ms = Math.max(shortestPauseMs, (performance.now() - since) * pauseFactor);
        await wait(ms, undefined, { signal: this.#signal });
      }
      since = performance.now();
    };
  }

  async #untilStopped(): Promise<void> {
    try {
      await this.runOnce();
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    }
  }
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [historyLock]);
  return rows[0]?.mine ?? false;
}

function nothingDone(): HistoryRound {
  return { packed: 0, sealed: 0, dropped: 0, held: 0, pruned: 0 };
}
