import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../brands/index.ts';
import type { SignalSender } from '../channels/index.ts';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import { vacuumTables } from '../database/index.ts';
import { ErasedPlayers, type Ledger } from '../ledger/index.ts';
import type { Service } from '../service.ts';
import { claimedUntil, whileClaimed } from './claim.ts';
import { takeStep } from './erase-player.ts';
import {
  type ClaimedErasure,
  claimErasures,
  deleteLeftovers,
  forgetErased,
  noteTurn,
  readLeftovers,
  type Turn,
} from './erasure-store.ts';
import { safeReason } from './failure.ts';
import { askAgainMs, type StepResult } from './steps.ts';

const pollMs = 1_000;
const leftoversPerRound = 200;

export interface EraserDeps {
  /** Connections without a statement timeout. */
  pool: Pool;
  /** The ledger must also use connections without a statement timeout. */
  ledger: Pick<Ledger, 'eraser'>;
  brands: BrandRegistry;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Absent on the command line. */
  signals?: Pick<SignalSender, 'poke'>;
  /** How often a claim is renewed while a step runs, in milliseconds. */
  renewMs?: number;
}

/** Counts of one round. */
export interface EraserRound {
  /** Number of steps carried out. */
  steps: number;
  held: number;
  /** Number of events of erased players that were found in the ledger. */
  leftovers: number;
  /** Number of hashes whose 30 days are over. */
  forgotten: number;
}

/** Carries out the requested erasures, one step at a time; any number of workers can run it. steps.ts shows the steps. */
export class Eraser implements Service {
  readonly #deps: EraserDeps;
  readonly #erased: ErasedPlayers;
  readonly #rounds: Rounds;
  #stop = new AbortController();

  constructor(deps: EraserDeps) {
    this.#deps = deps;
    this.#erased = new ErasedPlayers(deps.brands);
    this.#rounds = new Rounds({
      name: 'erasures',
      guard: deps.guard,
      runOnce: () => this.#untilStopped(),
      pollMs,
      log: deps.log,
      words: {
        away: 'erasures are paused: the database is unavailable',
        again: 'erasures continue',
        failed: 'processing erasures failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    this.#stop = new AbortController();
    return this.#rounds.start();
  }

  /** The current step stops at its next page; the next worker begins it again. */
  stop(): Promise<void> {
    this.#stop.abort(new Error('the process is stopping'));
    return this.#rounds.stop();
  }

  async #untilStopped(): Promise<void> {
    try {
      await this.runOnce();
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  /** Carries out every step that is due, and then the chores. */
  async runOnce(): Promise<EraserRound> {
    const { pool, clock } = this.#deps;
    const counts: EraserRound = { steps: 0, held: 0, leftovers: 0, forgotten: 0 };
    for (;;) {
      this.#stop.signal.throwIfAborted();
      const now = clock();
      const claimed = await claimErasures(pool, now, claimedUntil(now));
      if (claimed.length === 0) break;
      const { steps, held } = await this.#turn(claimed);
      counts.steps += steps;
      counts.held += held;
    }
    counts.leftovers = await this.#sweep();
    counts.forgotten = await forgetErased(pool, clock());
    return counts;
  }

  /** @param claimed one erasure, or all erasures whose step is the vacuum, because one vacuum serves them all */
  async #turn(claimed: readonly ClaimedErasure[]): Promise<{ steps: number; held: number }> {
    const { pool, clock, log } = this.#deps;
    const result = await this.#step(claimed);
    const counts = { steps: 0, held: 0 };
    if (result === 'not_ours') return counts;
    const done: number[] = [];
    for (const erasure of claimed) {
      if (!(await noteTurn(pool, erasure, turnOf(erasure, result, clock())))) continue;
      if ('held_because' in result) counts.held += 1;
      else counts.steps += 1;
      if ('next' in result && result.next === 'done') done.push(erasure.player_id);
    }
    if (done.length > 0) {
      // The row of the erasure contained the user_id until now.
      await vacuumTables(pool, ['public.erasure']);
      log.info({ player_ids: done }, 'players are erased');
    }
    return counts;
  }

  async #step(claimed: readonly ClaimedErasure[]): Promise<StepResult> {
    const { pool, ledger, clock, brands, log, signals, renewMs } = this.#deps;
    const [erasure] = claimed;
    if (erasure === undefined) return 'not_ours';
    const stop = this.#stop.signal;
    let signal = stop;
    try {
      return await whileClaimed({ pool, clock, stop, renewMs }, claimed, (ending) => {
        signal = ending;
        return takeStep({ pool, ledger, brands, signals, signal }, erasure, clock());
      });
    } catch (error) {
      stop.throwIfAborted();
      if (signal.aborted) return 'not_ours';
      const { erasure_id, step, tries } = erasure;
      log.warn({ err: error, erasure_id, step, tries }, 'a step of an erasure failed; will retry');
      return { held_because: safeReason(error), again_in_ms: askAgainMs.failed };
    }
  }

  async #sweep(): Promise<number> {
    const { pool, ledger } = this.#deps;
    const leftovers = await readLeftovers(pool, leftoversPerRound);
    if (leftovers.length === 0) return 0;
    await this.#erased.refresh(pool);
    const isErased = (event: { brand_id: number; player_hash: bigint }) =>
      this.#erased.has(event.brand_id, event.player_hash);
    const erased = await ledger.eraser.eraseAt(leftovers, isErased);
    if (erased === 'busy') return 0;
    await deleteLeftovers(pool, leftovers);
    await ledger.eraser.purge();
    return erased.events;
  }
}

function turnOf(erasure: ClaimedErasure, result: Exclude<StepResult, 'not_ours'>, now: number): Turn {
  if ('held_because' in result) {
    const { held_because, again_in_ms } = result;
    const due_at = now + again_in_ms * 1_000;
    return { step: erasure.step, held_because, tries: erasure.tries + 1, due_at, finished_at: null, counts: {} };
  }
  const { next, in_ms = 0, counts = {} } = result;
  const over = next === 'done' || next === 'cancelled';
  return {
    step: next,
    held_because: null,
    tries: 0,
    due_at: over ? null : now + in_ms * 1_000,
    finished_at: over ? now : null,
    counts,
  };
}
