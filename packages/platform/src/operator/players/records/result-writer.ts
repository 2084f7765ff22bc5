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
 * Group commit of look-up results: the first is written at once; while its transaction runs, and for `restMs` after its beginning,
 * further results gather, and the next transaction takes them together. 600 look-ups a second need one connection and 30 commits.
 *
 * A result that the database refuses for what it says (there should be none) must not take its neighbours along: the
 * batch is repeated one by one, and the culprit becomes a failed look-up of its player, with a detail of ours. One whose row is locked at the
 * moment joins a later batch, until its claim runs out. When the database is away the results are dropped: their claims
 * run out, and the look-ups are made again.
 */
const maxBatch = 200;
/**
 * From the beginning of one transaction to that of the next. Each costs ten statements and a commit whatever it holds; without a
 * rest each held two results, and look-ups had twice as many statements as all of derive.
 */
const restMs = 30;
/** Pause before a batch that consists of results whose rows were locked, so that waiting for them costs nothing. */
const busyPauseMs = 20;

/**
 * Part of the transaction that stores answers: these players' records are as new as the update that asked for them. Each update may be told
 * of several times, once for each of its look-ups.
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

  /** Resolves once the result is stored, or was given up as told above. Never rejects. */
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

  /** @returns the results that are to be tried again. */
  async #writeBatch(results: readonly LookUpResult[]): Promise<LookUpResult[]> {
    try {
      const { written, busy } = await transaction(this.#pool, async (tx) => {
        const applied = await applyResults(tx, results);
        if (applied.renewed.length > 0) await this.#onRenewed?.(tx, applied.renewed);
        return applied;
      });
      const late = results.length - written.length - busy.length;
      if (late > 0)
        this.#log.warn({ late }, 'look-ups answered after their claims had run out; nothing of them is written');
      return busy;
    } catch (error) {
      if (!isRefusal(error)) {
        this.#log.warn(
          { err: error, results: results.length },
          'look-up results were not stored; the look-ups are repeated',
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
    this.#log.error({ err: error, player_id, look_up }, 'the database refuses what a look-up brought');
    if ('found' in outcome) return this.#writeBatch([{ claim, outcome: unstorable(claim, outcome.asked_at) }]);
    // Refused although nothing in it is the operator's: the claim runs out, and the look-up is made again.
    if (outcome.detail === refusedDetail) return [];
    return this.#writeBatch([{ claim, outcome: { ...outcome, detail: refusedDetail } }]);
  }
}

function unstorable({ attempts }: LookUpClaim, failed_at: Micros): LookUpResult['outcome'] {
  const failure = 'unstorable';
  return { failure, detail: refusedDetail, failed_at, ...nextTry(failure, attempts + 1, { random: Math.random() }) };
}
