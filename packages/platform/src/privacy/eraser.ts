import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../brands/index.ts';
import type { Clock } from '../clock.ts';
import { ErasedPlayers, LedgerEraser } from '../ledger/index.ts';
import type { Service } from '../service.ts';
import { takeStep } from './erase-player.ts';
import {
  type ClaimedErasure,
  claimErasure,
  deleteLeftovers,
  forgetErased,
  noteTurn,
  readLeftovers,
  type Turn,
} from './erasure-store.ts';
import { askAgainMs, type StepResult } from './steps.ts';
import { vacuumTables } from './vacuum.ts';

const pollMs = 1_000;
/** A step that takes longer is begun again elsewhere; the locks of packers and rebuilds let only one of them on. */
const claimMs = 600_000;
const leftoversPerRound = 200;

export interface EraserDeps {
  /** Connections without a limit on statements. */
  pool: Pool;
  brands: BrandRegistry;
  clock: Clock;
  log: Logger;
}

/** Counts of one round. */
export interface EraserRound {
  /** Steps that were taken. */
  steps: number;
  held: number;
  /** Events of erased players that had got into the ledger. */
  leftovers: number;
  /** Hashes whose 30 days are over. */
  forgotten: number;
}

/** Carries out the erasures that people ask for, one step at a time; any number of workers may. steps.ts draws the steps. */
export class Eraser implements Service {
  readonly #deps: EraserDeps;
  readonly #erased: ErasedPlayers;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stop = new AbortController();
  #failing = false;

  constructor(deps: EraserDeps) {
    this.#deps = deps;
    this.#erased = new ErasedPlayers(deps.brands);
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#timer = setInterval(() => {
      this.#round ??= this.#guardedRound();
    }, pollMs);
  }

  /** The step in hand ends at its next page; it is begun again by the next worker. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(new Error('the process is stopping'));
    await this.#round;
  }

  /** Every step that is due, then the chores. */
  async runOnce(): Promise<EraserRound> {
    const { pool, clock } = this.#deps;
    const counts: EraserRound = { steps: 0, held: 0, leftovers: 0, forgotten: 0 };
    for (;;) {
      this.#stop.signal.throwIfAborted();
      const now = clock();
      const erasure = await claimErasure(pool, now, now + claimMs * 1_000);
      if (erasure === undefined) break;
      if (await this.#turn(erasure)) counts.steps += 1;
      else counts.held += 1;
    }
    counts.leftovers = await this.#sweep();
    counts.forgotten = await forgetErased(pool, clock());
    return counts;
  }

  /** True when it went on. */
  async #turn(erasure: ClaimedErasure): Promise<boolean> {
    const { pool, clock, log, brands } = this.#deps;
    const { erasure_id, player_id } = erasure;
    const result = await takeStep({ pool, brands, signal: this.#stop.signal }, erasure, clock()).catch(
      (error: unknown): StepResult => {
        this.#stop.signal.throwIfAborted();
        log.warn({ err: error, erasure_id, step: erasure.step }, 'a step of an erasure failed; it is tried again');
        return { held_because: 'the step failed; see the log', again_in_ms: askAgainMs.failed };
      },
    );
    await noteTurn(pool, erasure, turnOf(erasure, result, clock()));
    if (!('next' in result)) return false;
    if (result.next === 'done') {
      // The user_id stood in the row until this moment.
      await vacuumTables(pool, ['public.erasure']);
      log.info({ erasure_id, player_id }, 'a player is erased');
    }
    return true;
  }

  async #sweep(): Promise<number> {
    const { pool } = this.#deps;
    const leftovers = await readLeftovers(pool, leftoversPerRound);
    if (leftovers.length === 0) return 0;
    await this.#erased.refresh(pool);
    const isErased = (event: { brand_id: number; player_hash: bigint }) =>
      this.#erased.has(event.brand_id, event.player_hash);
    const erased = await new LedgerEraser(pool).eraseAt(leftovers, isErased);
    if (erased === 'busy') return 0;
    await deleteLeftovers(pool, leftovers);
    await vacuumTables(pool, ['public.ledger_block', 'public.ledger_pack']);
    return erased.events;
  }

  async #guardedRound(): Promise<void> {
    try {
      await this.runOnce();
      this.#failing = false;
    } catch (error) {
      if (!this.#failing && !this.#stop.signal.aborted) {
        this.#deps.log.warn({ err: error }, 'erasures wait: the database is away');
      }
      this.#failing = true;
    } finally {
      this.#round = undefined;
    }
  }
}

function turnOf(erasure: ClaimedErasure, result: StepResult, now: number): Turn {
  if ('held_because' in result) {
    const { held_because, again_in_ms } = result;
    return { step: erasure.step, held_because, due_at: now + again_in_ms * 1_000, finished_at: null, counts: {} };
  }
  const { next, in_ms = 0, counts = {} } = result;
  const over = next === 'done' || next === 'cancelled';
  return {
    step: next,
    held_because: null,
    due_at: over ? null : now + in_ms * 1_000,
    finished_at: over ? now : null,
    counts,
  };
}
