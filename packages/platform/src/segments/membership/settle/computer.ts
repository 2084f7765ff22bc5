import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../../brands/index.ts';
import { type ClockGuard, type FeedRest, Rounds } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import {
  isAbortedForAnother,
  isDatabaseAway,
  isStatementTimeout,
  planForMany,
  transaction,
} from '../../../database/index.ts';
import { enterLiveAlone } from '../../../derive/index.ts';
import type { Service } from '../../../service.ts';
import { needsOf } from '../active/active-version.ts';
import { lockVersion, readPhase } from '../active/store.ts';
import { newsLock } from '../news/store.ts';
import type { RuleReading } from '../rule-reading.ts';
import { failVersion, readActiveDependents, readVersionById } from '../versions/store.ts';
import { comeIntoForce, recomputeThose } from '../versions/switch.ts';
import { advance, endComputation, listComputations, lockComputation, nextRange } from './computation-store.ts';
import { noteDifferences } from './difference-store.ts';
import { settle } from './settle.ts';

/** The number of players per portion. A portion occupies one connection for a few hundred milliseconds. */
const portionPlayers = 20_000;
const pollMs = 1_000;
/** The largest share of time that a computation uses, so that a free machine stays responsive. */
const mostShare = 0.5;

export interface ComputerOptions {
  pool: Pool;
  brands: BrandRegistry;
  rules: RuleReading;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Default: it rests as long as each portion took. */
  feed?: FeedRest | undefined;
  /** Default 20,000. */
  portionPlayers?: number;
}

export interface ComputerRound {
  portions: number;
  finished: number;
}

/*
 * Computes new versions, and recomputes versions in force, in portions of players by ascending player_id:
 *
 *   published ---> barrier ---> portion ---> portion ---> ... ---> comes into force
 *                               (each in a transaction that stores its progress: a kill loses only the current portion)
 *
 * Events continue meanwhile. The barrier waits for batches of derive that began before the version was active. From then on, each batch
 * writes news of what the version uses. A portion locks the version exclusively and sees every fact that was committed before it; news of
 * later facts is processed afterwards. So after the last portion, the membership is the same as if it had been computed for all players at
 * that moment.
 *
 * After each portion, it pauses as long as that portion took, and longer if the feed needs the capacity (FeedWatch).
 */
export class SegmentComputer implements Service {
  readonly #options: ComputerOptions;
  readonly #rounds: Rounds<ComputerRound>;
  #stopping = false;

  constructor(options: ComputerOptions) {
    this.#options = options;
    this.#rounds = new Rounds<ComputerRound>({
      name: 'computation of segments',
      guard: options.guard,
      runOnce: () => this.runOnce({ throttled: true }),
      pollMs,
      log: options.log,
      words: {
        away: 'segment computation is paused: the database is unavailable',
        again: 'segment computation continues',
        failed: 'segment computation failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    this.#stopping = false;
    return this.#rounds.start();
  }

  /** Ends after the current portion. */
  stop(): Promise<void> {
    this.#stopping = true;
    return this.#rounds.stop();
  }

  readonly wake = (): void => this.#rounds.wake();

  /** Computes everything that is due, portion by portion. */
  async runOnce({ throttled = false } = {}): Promise<ComputerRound> {
    const counts = { portions: 0, finished: 0 };
    for (const { version_id, after_id, purpose } of await listComputations(this.#options.pool)) {
      if (after_id === 0 && purpose === 'compute') await this.#barrier();
      for (let more = true; more && !this.#stopping; ) {
        const began = performance.now();
        const portion = await this.#portion(version_id);
        if (portion === 'finished') counts.finished++;
        more = portion === 'more';
        if (more) counts.portions++;
        const took = performance.now() - began;
        if (more && throttled) await delay(this.#options.feed?.restMs(took, mostShare) ?? took);
      }
    }
    return counts;
  }

  /**
   * Resolves when all batches and changes of messages that were running have ended. Batches and changes that begin now see that the version
   * is active.
   */
  async #barrier(): Promise<void> {
    await transaction(this.#options.pool, async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(${newsLock})`);
      await enterLiveAlone(tx);
    });
  }

  async #portion(versionId: number): Promise<'more' | 'finished' | 'taken'> {
    const { pool, log } = this.#options;
    try {
      return await this.#commitPortion(versionId);
    } catch (error) {
      if (isAbortedForAnother(error) || (isDatabaseAway(error) && !isStatementTimeout(error))) throw error;
      log.error({ err: error, version_id: versionId }, 'a segment failed because it cannot be computed');
      await failVersion(pool, versionId, error instanceof Error ? error.message : String(error));
      return 'taken';
    }
  }

  #commitPortion(versionId: number): Promise<'more' | 'finished' | 'taken'> {
    const { pool, brands, rules, clock, log, feed, portionPlayers: size = portionPlayers } = this.#options;
    return transaction(pool, async (tx) => {
      await planForMany(tx);
      const computation = await lockComputation(tx, versionId);
      if (computation === undefined) return 'taken';
      const { version, segment } = await readVersionById(tx, versionId);
      const brand = brands.byId(segment.brand_id);
      if (brand === undefined) return 'taken';
      await lockVersion(tx, versionId);
      const at = clock();
      const range = await nextRange(tx, segment.brand_id, computation.after_id, size);
      const recomputes = computation.purpose === 'recompute';
      if (recomputes && (await readPhase(tx, versionId)) === undefined) {
        await endComputation(tx, versionId);
        return 'finished';
      }
      if (range !== undefined) {
        const { players, entered, left } = await settle(tx, version, {
          brand,
          rules: await rules.of(brand, needsOf(version.rule).fields),
          at,
          players: { after: computation.after_id, through: range.through },
          settledOnly: recomputes,
          keepsDue: recomputes,
          ...((recomputes || version.computed_at !== null) && {
            cause: { cause: { type: 'recomputation', at }, silent: true },
          }),
        });
        if (recomputes && entered.length + left.length > 0) {
          log.error(
            { segment: segment.code, version: version.version, entered, left },
            'a recomputation of a segment found a difference, and corrected it',
          );
          await noteDifferences(tx, { version_id: versionId, brand_id: segment.brand_id, at, entered, left });
        }
        const corrected = recomputes ? entered.length + left.length : 0;
        await advance(tx, versionId, range.through, { players, corrected, slowed: feed?.isSlowed ?? false });
        return 'more';
      }
      if (recomputes) {
        await endComputation(tx, versionId);
        if (computation.corrected > 0) await recomputeThose(tx, await readActiveDependents(tx, segment), at);
      } else {
        await comeIntoForce(tx, { version, segment, kinds: [...rules.kindsOf(needsOf(version.rule))], at });
        await recomputeThose(tx, await readActiveDependents(tx, segment), at);
      }
      return 'finished';
    });
  }
}
