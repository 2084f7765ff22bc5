import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import { type ClockGuard, Rounds, Underway } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { PlayerCreator } from '../../derive/index.ts';
import { type Service, together } from '../../service.ts';
import type { OperatorClients, OperatorHealth } from '../calling/index.ts';
import { dropDriftBefore } from './run/drift-store.ts';
import { readRun } from './run/reading.ts';
import type { RunState } from './run/run.ts';
import { claimWaiting, endDead, expireHeld, listRuns } from './run/run-store.ts';
import { walkOne } from './run/walk.ts';
import { askForDueRuns } from './schedule/schedule.ts';
import { noteOutcome } from './schedule/schedule-store.ts';
import { dropLeftStages } from './stage/stage-store.ts';

/*
 * The reconciliation of one worker: three chores that share state only through rows, so any number of workers can share the
 * work. None begins while the clock of the process is wrong.
 *
 *     schedule, upkeep   every 10 s   requests runs that are due; ends dead ones, deletes what is no longer needed
 *     reading            every 1 s    claims waiting runs, one per operator, and reads their answers
 *     walking            every 1 s    all batches of runs in state `comparing`; one batch of each run in state `asking`
 */
const pollMs = 1_000;
const upkeepMs = 10_000;
/** After 7 days without a decision, a held list is out of date. */
const keepHeld = 7 * 24 * 3_600_000_000;
/** The drift of a run is listed for 90 days; its counts are kept forever. */
const keepDrift = 90 * 24 * 3_600_000_000;
const dropAtOnce = 20_000;
/** Runs that get a batch in one round: enough for eleven brands with all their fields. */
const mostWalked = 100;

export interface ReconcilerOptions {
  /** A pool without a statement timeout, because the index of a list of millions takes seconds to build. */
  pool: Pool;
  brands: {
    all(): Iterable<Brand>;
    byId(brandId: number): Brand | undefined;
    /** Reads changes of the brands now; `byId` returns them without this call within a second. */
    refresh(): Promise<unknown>;
    erasureKey(brandId: number, playerHash: bigint): string;
  };
  clients: OperatorClients;
  health: OperatorHealth;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
}

export class Reconciler implements Service {
  #options: ReconcilerOptions;
  #creator: PlayerCreator;
  readonly #walking: Rounds;
  readonly #chores: Service;
  #stop = new AbortController();
  /** Keyed by the number of the run. */
  readonly #readings = new Underway<number>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#creator = new PlayerCreator(options.brands);
    this.#walking = this.#chore('walking', pollMs, () => this.#walkAll());
    this.#chores = together([
      this.#chore('upkeep', upkeepMs, () => this.upkeepOnce()),
      this.#chore('reading', pollMs, () => this.#readAll()),
      this.#walking,
    ]);
  }

  #chore(name: string, everyMs: number, runOnce: () => Promise<unknown>): Rounds {
    const { guard, log } = this.#options;
    return new Rounds({
      name: `reconciliation, ${name}`,
      guard,
      runOnce,
      pollMs: everyMs,
      log: log.child({ chore: name }),
      words: {
        away: 'reconciliation is paused: the database is unavailable',
        again: 'reconciliation continues',
        failed: 'reconciliation failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    this.#stop = new AbortController();
    return this.#chores.start();
  }

  /** Stops: a reading ends as interrupted, and the current batch is finished. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#chores.stop();
    await this.#readings.idle();
  }

  /** Requests runs that are due, ends runs whose worker died, and deletes rows that are no longer needed. */
  async upkeepOnce(): Promise<{ asked: number; died: number; expired: number; stages: number; drift: number }> {
    const { pool, brands, clock } = this.#options;
    const now = clock();
    const died = await transaction(pool, async (tx) => {
      const dead = await endDead(tx, now);
      for (const { brand_id, field } of dead) {
        const brand = brands.byId(brand_id);
        if (brand !== undefined) await noteOutcome(tx, { brand, field, failed: true }, now);
      }
      return dead.length;
    });
    const expired = await expireHeld(pool, now - keepHeld, now);
    const { asked } = await askForDueRuns(pool, brands.all(), clock);
    const stages = await dropLeftStages(pool);
    const drift = await dropDriftBefore(pool, now - keepDrift, dropAtOnce);
    return { asked, died, expired, stages, drift };
  }

  /** Claims one waiting run, if there is one, and reads its answer. @returns how it ended */
  async readOnce(): Promise<RunState | 'lost' | undefined> {
    const claimed = await this.#claim();
    return claimed && readRun(claimed.run, claimed.brand, this.#options, this.#stop.signal);
  }

  /**
   * Makes the next batch of the oldest run in state `comparing`, or otherwise of the oldest in state `asking`. @returns false if there was
   * none, or it has to wait
   */
  async walkOnce(): Promise<boolean> {
    for (const state of ['comparing', 'asking'] as const) {
      const [oldest] = await listRuns(this.#options.pool, state, 1);
      if (oldest !== undefined) return (await walkOne(this.#walkDeps(), oldest)) !== 'waits';
    }
    return false;
  }

  #walkDeps() {
    return { ...this.#options, creator: this.#creator };
  }

  async #claim() {
    const { pool, brands, clock, health } = this.#options;
    const withOperator = [...brands.all()].filter(
      ({ operator, brand_id }) => operator !== null && health.circuits.passage(brand_id, 'reconciliation') !== 'none',
    );
    const run = await claimWaiting(
      pool,
      withOperator.map(({ brand_id }) => brand_id),
      clock(),
    );
    if (run === undefined) return undefined;
    // A person may have corrected the operator's key a moment ago, and requested this run to test it. A run with the former key would fail.
    // If the database is unavailable, the settings in memory are used. The registry logs the failure.
    await brands.refresh().catch(() => {});
    const brand = brands.byId(run.brand_id);
    return brand && { run, brand };
  }

  /** Reads all runs that can be claimed, each independently: a slow operator delays no other. */
  async #readAll(): Promise<void> {
    for (;;) {
      if (this.#stop.signal.aborted) return;
      const claimed = await this.#claim();
      if (claimed === undefined) return;
      const { run, brand } = claimed;
      const reading = readRun(run, brand, this.#options, this.#stop.signal)
        .then(this.#walking.wake)
        .catch((error: unknown) => {
          const { reconciliation_id } = run;
          this.#options.log.warn(
            { err: error, reconciliation_id },
            'the result of a reconciliation could not be stored; it continues when its claim expires',
          );
        });
      this.#readings.begin(run.reconciliation_id, reading);
    }
  }

  /** Compares until nothing is left, one batch of each run in turn. Runs in state `asking` are limited by their pace. */
  async #walkAll(): Promise<void> {
    while ((await this.#walkEach('comparing')) > 0);
    await this.#walkEach('asking');
  }

  /** Makes one batch of each run; a batch that fails delays no other run. @returns how many runs advanced */
  async #walkEach(state: 'comparing' | 'asking'): Promise<number> {
    let walked = 0;
    let failure: unknown;
    for (const runId of await listRuns(this.#options.pool, state, mostWalked)) {
      if (this.#stop.signal.aborted) return 0;
      try {
        if ((await walkOne(this.#walkDeps(), runId)) !== undefined) walked++;
      } catch (error) {
        failure = error;
      }
    }
    if (walked === 0 && failure !== undefined) throw failure;
    return walked;
  }
}
