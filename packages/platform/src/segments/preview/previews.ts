import type { Micros } from '@croupier/contracts';
import type { Rule } from '@croupier/rules';
import type { ClientBase, Pool } from 'pg';
import type { RuleCatalogue } from '../fields/index.ts';
import { type CountingRule, countingRule, sampleSize } from './count.ts';
import { addCounted, type Counted, estimate } from './estimate.ts';
import { buckets, countPlayers, playersOfBucket } from './sample.ts';
import { Turns } from './turns.ts';

/*
 * How many players a rule selects, within a second, however many players there are.
 *
 *   few players                    all of them are looked at: exact
 *   many   -> a sample of 1,000    tells how long a player takes
 *          -> all of them          if that should fit into what is left of the budget: exact
 *          -> a larger sample      if it should not, or took too long after all: an estimate with its error
 *
 * The feed must not feel it: one statement at a time on one core, a few at once in a process, and each ends when its time is up.
 */

/** What all statements of a preview may take together. The rest of the second is for the way there and back. */
export const previewBudgetMs = 800;
/** A first look that takes longer fails: its rule costs more than a second for 1,000 players. */
const longestMs = 5_000;
/** Brands with at most so many players are always looked at in full. */
const fewPlayers = 5_000;
const firstSample = 1_000;
/** An estimate from so many is as good as a preview has to be. */
const largestSample = 60_000;
/** A scan of all players is this much faster per player than looking players up one by one. */
const scanGain = 4;
const most = { running: 2, waiting: 10 };

export interface RulePreviewed {
  /** Players who would be members now. */
  count: number;
  /** Those who satisfy the rule and are excluded or blocked. */
  protected: number;
  /** player_ids of some of the players counted. */
  sample: number[];
  /** How many more players would be counted if the condition were left out; below 0 where it adds players. */
  per_condition: { path: string; field: string; removes: number }[];
  exact: boolean;
  /** Of 20 estimates 19 are not further from the truth than this; null for an exact count. */
  error: number | null;
  took_ms: number;
}

export interface RulePreview {
  catalogue: RuleCatalogue;
  /** Checked by `checkRule`. */
  rule: Rule;
  at: Micros;
}

export class RulePreviews {
  readonly #pool: Pool;
  readonly #budgetMs: number;
  readonly #turns = new Turns(most);

  constructor({ pool, budgetMs = previewBudgetMs }: { pool: Pool; budgetMs?: number }) {
    this.#pool = pool;
    this.#budgetMs = budgetMs;
  }

  /** @throws {PreviewsBusy} */
  async preview(preview: RulePreview): Promise<RulePreviewed> {
    return this.#turns.take(async () => {
      const began = performance.now();
      const client = await this.#pool.connect();
      try {
        await client.query('begin read only');
        // One core: parallel workers would take those of the feed.
        await client.query(
          `set local max_parallel_workers_per_gather = 0; set local jit = off; set local statement_timeout = ${longestMs}`,
        );
        const answer = await new Run(client, preview, began + this.#budgetMs).answer();
        return { ...answer, took_ms: Math.round(performance.now() - began) };
      } finally {
        await client.query('rollback').catch(() => {});
        client.release();
      }
    });
  }
}

/** One preview: what was counted so far, and what is left of its time. */
class Run {
  readonly #client: ClientBase;
  readonly #brandId: number;
  readonly #counting: CountingRule;
  readonly #deadline: number;
  readonly #sample: number[] = [];
  #counted: Counted = { players: 0, holds: 0, protected: 0, without: [] };

  constructor(client: ClientBase, { catalogue, rule, at }: RulePreview, deadline: number) {
    this.#client = client;
    this.#brandId = catalogue.brand.brand_id;
    this.#counting = countingRule(rule, { catalogue, at });
    this.#deadline = deadline;
  }

  async answer(): Promise<Omit<RulePreviewed, 'took_ms'>> {
    const total = await countPlayers(this.#client, this.#brandId);
    if (total <= fewPlayers) await this.#countBuckets(Number.POSITIVE_INFINITY);
    else {
      const perPlayer = await this.#firstLook();
      const isQuick = (perPlayer / scanGain) * total < this.#left();
      if (!(isQuick && (await this.#countAll()))) await this.#enlarge(perPlayer);
    }
    const { count, protected: ofProtected, removes, error } = estimate(this.#counted, total);
    const per_condition = this.#counting.conditions.map((one, i) => ({ ...one, removes: removes[i] ?? 0 }));
    return {
      ...{ count, protected: ofProtected, per_condition, error, exact: error === null },
      sample: this.#sample.slice(0, sampleSize),
    };
  }

  /** @returns milliseconds per player. */
  async #firstLook(): Promise<number> {
    const began = performance.now();
    await this.#countBuckets(firstSample);
    return (performance.now() - began) / Math.max(1, this.#counted.players);
  }

  /** @returns false where it took longer than the time that is left. */
  async #countAll(): Promise<boolean> {
    const all = await this.#withinTime(() => this.#counting.count(this.#client, undefined));
    if (all === undefined) return false;
    this.#counted = all;
    return true;
  }

  async #enlarge(perPlayer: number): Promise<void> {
    const affordable = Math.floor((this.#left() * 0.6) / perPlayer);
    const players = Math.min(affordable, largestSample);
    if (players > this.#counted.players) await this.#countBuckets(players);
  }

  #bucket = 0;
  #rest: number[] = [];

  /** Looks at that many more players, bucket by bucket; at fewer where the time is up. */
  async #countBuckets(more: number): Promise<void> {
    const wanted: number[] = [];
    while (wanted.length < more) {
      if (this.#rest.length === 0) {
        if (this.#bucket === buckets) break;
        this.#rest = await playersOfBucket(this.#client, this.#brandId, this.#bucket++);
      }
      wanted.push(...this.#rest.splice(0, more - wanted.length));
    }
    const first = this.#counted.players === 0;
    const counted = first
      ? await this.#counting.count(this.#client, wanted)
      : await this.#withinTime(() => this.#counting.count(this.#client, wanted));
    if (counted === undefined) return;
    this.#sample.push(...counted.sample);
    this.#counted = addCounted(this.#counted, counted);
  }

  #left(): number {
    return this.#deadline - performance.now();
  }

  async #withinTime<T>(task: () => Promise<T>): Promise<T | undefined> {
    const left = Math.floor(this.#left());
    if (left < 1) return undefined;
    await this.#client.query(`savepoint count; set local statement_timeout = ${left}`);
    try {
      return await task();
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error;
      await this.#client.query('rollback to savepoint count');
      return undefined;
    }
  }
}
