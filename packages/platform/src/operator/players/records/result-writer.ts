import { setTimeout as delay } from 'node:timers/promises';
import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { transaction } from '../../../database/index.ts';
import { isRefusal, refusedDetail } from '../../calling/index.ts';
import type { LookUpClaim } from '../sync/claim-store.ts';
import { nextTry } from '../sync/retry.ts';
import { applyResults, type LookUpResult } from './apply-results.ts';

/*
 * Group commit of look-up results. The first result is written immediately. While its transaction runs, and for `restMs` after its
 * start, further results gather, and the next transaction takes them together. So 600 look-ups a second need only one connection
 * and 30 commits a second.
 *
 * A result that the database refuses because of its content (there should be none) must not affect others. The batch is
 * repeated one by one, and the refused result becomes a failed look-up of its player, with a fixed detail. A result whose row
 * is locked at the moment joins a later batch, until its claim expires. While the database is unavailable, results are dropped:
 * their claims expire, and the look-ups are made again.
 */
const maxBatch = 200;
/**
 * The minimum time from the start of one transaction to the start of the next, in milliseconds. Each transaction costs ten
 * statements and a commit, regardless of the number of its results. Without this minimum, each transaction contained two
 * results, and look-ups needed twice as many statements as all of derive.
 */
const restMs = 30;
/** Pause before a batch of results whose rows were all locked, so that waiting for them costs nothing. */
const busyPauseMs = 20;

/**
 * Runs in the transaction that stores answers, for players whose records are now as new as the update that requested them. It
 * may run several times for one update, once for each of its look-ups.
 */
export type OnRenewed = (tx: PoolClient, playerIds: readonly number[]) => Promise<void>;

export class ResultWriter {
  #pool: Pool;
  #log: Logger;
  #onRenewed: OnRenewed | undefined;
  #waiting: { result: LookUpResult; done: () => void }[] = [];
  #writing = false;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(options: { pool: Pool; log: Logger; onRenewed?: OnRenewed | undefined }) {
    this.#pool = options.pool;
    this.#log = options.log;
    this.#onRenewed = options.onRenewed;
  }

  /** Resolves once the result is stored, or dropped as described above. Never rejects. */
  write(result: LookUpResult): Promise<void> {
    const written = new Promise<void>((done) => this.#waiting.push({ result, done }));
    if (!this.#writing) void this.#drain();
    return written;
  }

  /** Whether the next batch has no room for a further result. */
  get isFull(): boolean {
    return this.#waiting.length >= maxBatch;
  }

  async #drain(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const rest = this.#nextAt - performance.now();
      if (rest > 0 && !this.isFull) await delay(rest);
      this.#nextAt = performance.now() + restMs;
      const batch = this.#waiting.splice(0, maxBatch);
      const busy = new Set(await this.#writeBatch(batch.map(({ result }) => result)));
      if (busy.size === batch.length) await delay(busyPauseMs);
      for (const one of batch) {
        if (busy.has(one.result)) this.#waiting.push(one);
        else one.done();
      }
    }
    this.#writing = false;
  }

  /** @returns the results to try again */
  async #writeBatch(results: readonly LookUpResult[]): Promise<LookUpResult[]> {
    try {
      const { written, busy } = await transaction(this.#pool, async (tx) => {
        const applied = await applyResults(tx, results);
        if (applied.renewed.length > 0) await this.#onRenewed?.(tx, applied.renewed);
        return applied;
      });
      const late = results.length - written.length - busy.length;
      if (late > 0)
        this.#log.warn({ late }, 'look-ups were answered after their claims expired; their answers are discarded');
      return busy;
    } catch (error) {
      if (!isRefusal(error)) {
        this.#log.warn(
          { err: error, results: results.length },
          'look-up results could not be stored; the look-ups are repeated',
        );
        return [];
      }
      const [only, ...others] = results;
      if (only !== undefined && others.length === 0) return this.#writeRefused(only, error);
      const busy: LookUpResult[] = [];
      for (const result of results) busy.push(...(await this.#writeBatch([result])));
      return busy;
    }
  }

  async #writeRefused({ claim, outcome }: LookUpResult, error: unknown): Promise<LookUpResult[]> {
    const { player_id, look_up } = claim;
    this.#log.error({ err: error, player_id, look_up }, 'the database refuses the result of a look-up');
    if ('found' in outcome) return this.#writeBatch([{ claim, outcome: unstorable(claim, outcome.asked_at) }]);
    // It was refused although it contains no text of the operator. The claim expires, and the look-up is made again.
    if (outcome.detail === refusedDetail) return [];
    return this.#writeBatch([{ claim, outcome: { ...outcome, detail: refusedDetail } }]);
  }
}

function unstorable(claim: LookUpClaim, failed_at: Micros): LookUpResult['outcome'] {
  const failure = 'unstorable';
  return { failure, detail: refusedDetail, failed_at, ...nextTry(failure, claim, { random: Math.random() }) };
}
