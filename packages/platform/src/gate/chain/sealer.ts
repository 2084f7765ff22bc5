import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway, transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { SealFloor } from './floor.ts';
import { sealOf } from './seal.ts';
import { brandsToSeal, lockSealing, readHead, readHorizon, unsealedDecisions, writeSeal } from './seal-store.ts';

/*
 * Seals what was decided since the last round, brand by brand. docs/reference/design.md 7 allows 10 s. Rounds are 5 s
 * apart, which leaves the other 5 s for a round over many brands. Shorter intervals would make more seals, and a brand
 * keeps its seals forever.
 *
 * Several workers may run it. A brand is sealed under an advisory lock that ends with the transaction. A worker that
 * does not get the lock leaves the brand to the process that has it. If two ever sealed at once, the primary key (brand,
 * seal_no) would refuse the second.
 */
const pollMs = 5_000;
/** Maximum number of decisions per seal. A seal has 40 bytes for each, and a player's proof has eleven hashes. */
const maxSealed = 2_000;

export class Sealer implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #floor = new SealFloor();
  readonly #rounds: Rounds;

  constructor(options: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#rounds = new Rounds({
      name: 'seals',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'decisions are not sealed: the database is unavailable',
        again: 'decisions are sealed again',
        failed: 'sealing decisions failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Seals everything that was committed before it began. */
  async runOnce(): Promise<{ seals: number; decisions: number }> {
    const counts = { seals: 0, decisions: 0 };
    const round = this.#floor.begin(await readHorizon(this.#pool));
    let isComplete = true;
    for (const brandId of await brandsToSeal(this.#pool, round.after)) {
      try {
        if (!(await this.#sealBrand(brandId, round.after, counts))) isComplete = false;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        // A fault of one brand must not affect the others. Its unsealed decisions stay above the floor until they can be
        // sealed.
        isComplete = false;
        this.#log.error(
          { err: error, brand_id: brandId },
          'sealing the decisions of a brand failed; will retry in the next round',
        );
      }
    }
    if (isComplete) round.done();
    return counts;
  }

  /** @returns false if another worker is sealing the brand */
  async #sealBrand(brandId: number, from: number, counts: { seals: number; decisions: number }): Promise<boolean> {
    // Continues after the last batch, so that decisions sealed in this round are not read again.
    for (let after: number | undefined = from; after !== undefined; ) {
      const sealed = await this.#sealBatch(brandId, after);
      if (sealed === 'busy') return false;
      if (sealed.decisions > 0) counts.seals++;
      counts.decisions += sealed.decisions;
      after = sealed.decisions === maxSealed ? sealed.last : undefined;
    }
    return true;
  }

  async #sealBatch(brandId: number, after: number): Promise<{ decisions: number; last?: number | undefined } | 'busy'> {
    return transaction(this.#pool, async (tx) => {
      if (!(await lockSealing(tx, brandId))) return 'busy';
      const rows = await unsealedDecisions(tx, brandId, after, maxSealed);
      if (rows.length === 0) return { decisions: 0 };
      await writeSeal(tx, sealOf(rows, await readHead(tx, brandId), brandId, this.#clock()));
      return { decisions: rows.length, last: rows.at(-1)?.decision_id };
    });
  }
}
