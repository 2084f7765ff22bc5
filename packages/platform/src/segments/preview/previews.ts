import type { Micros } from '@croupier/contracts';
import type { Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import { isStatementTimeout } from '../../database/index.ts';
import { WordedError } from '../../language.ts';
import type { RuleCatalog } from '../fields/index.ts';
import { countingRule, sampleSize } from './count.ts';
import { countingChanges, type DraftCompared, type DraftComparison } from './difference.ts';
import { addCounted, type Counted, estimate, estimateChanges } from './estimate.ts';
import { type Counting, Look } from './look.ts';
import { Turns } from './turns.ts';

/*
 * Counts how many players a rule selects, and what a draft would change, within a second, however many players there
 * are (look.ts).
 *
 * Previews must not slow down the feed. A preview runs one statement at a time, on one core, and ends when its time is up. A process runs
 * only a few previews at once.
 */

/** The maximum time of all statements of a preview together. The rest of the second is for the network. */
export const previewBudgetMs = 800;
/** If a first count of a few players takes longer, the preview fails, because the rule is too costly to count while a person waits. */
const longestStatementMs = 2_000;

export class PreviewTooCostly extends WordedError {
  override name = 'PreviewTooCostly';
}
const most = { running: 2, waiting: 10 };

export interface RulePreviewed {
  /** Players who would be members now. */
  count: number;
  /** Players who satisfy the rule and are excluded or blocked. */
  protected: number;
  /** player_ids of a few of the counted players. */
  sample: number[];
  /** How many more players would be counted without the condition; below 0 if it adds players. */
  per_condition: { path: string; field: string; removes: number }[];
  exact: boolean;
  /** 19 of 20 estimates are at most this far from the true value; null for an exact count. */
  error: number | null;
  took_ms: number;
}

export interface RulePreview {
  catalog: RuleCatalog;
  /** Checked by `checkRule`. */
  rule: Rule;
  at: Micros;
}

export class RulePreviews {
  readonly #pool: Pool;
  readonly #budgetMs: number;
  readonly #longestMs: number;
  readonly #firstBucket: number | undefined;
  readonly #turns = new Turns(most);

  constructor({
    pool,
    budgetMs = previewBudgetMs,
    longestMs = longestStatementMs,
    firstBucket,
  }: {
    pool: Pool;
    budgetMs?: number;
    longestMs?: number;
    /** The bucket at which samples begin, for measurements over independent samples (`Look`). */
    firstBucket?: number;
  }) {
    this.#pool = pool;
    this.#budgetMs = budgetMs;
    this.#longestMs = longestMs;
    this.#firstBucket = firstBucket;
  }

  /** @throws {PreviewsBusy} @throws {PreviewTooCostly} */
  preview({ catalog, rule, at }: RulePreview): Promise<RulePreviewed> {
    const counting = countingRule(rule, { catalog, at });
    return this.#look(catalog, { ...counting, add: addSampled, complete: keepSample }, ({ counted, total }) => {
      const { count, protected: ofProtected, removes, error } = estimate(counted, total);
      const per_condition = counting.conditions.map((one, i) => ({ ...one, removes: removes[i] ?? 0 }));
      return {
        count,
        protected: ofProtected,
        per_condition,
        error,
        exact: error === null,
        sample: counted.sample.slice(0, sampleSize),
      };
    });
  }

  /** What would change if a draft came into force now. @throws {PreviewsBusy} @throws {PreviewTooCostly} */
  compare(comparison: DraftComparison): Promise<DraftCompared> {
    return this.#look(comparison.catalog, countingChanges(comparison), ({ counted, total }) =>
      estimateChanges(counted, total),
    );
  }

  #look<Counts extends { players: number }, Answer extends object>(
    { brand }: RuleCatalog,
    counting: Counting<Counts>,
    answer: (looked: { counted: Counts; total: number }) => Answer,
  ): Promise<Answer & { took_ms: number }> {
    return this.#turns.take(async () => {
      const began = performance.now();
      const client = await this.#pool.connect();
      try {
        await client.query('begin read only');
        // Uses one core, because parallel workers would take the cores that the feed needs.
        await client.query(
          `set local max_parallel_workers_per_gather = 0; set local jit = off; set local statement_timeout = ${this.#longestMs}`,
        );
        const look = new Look<Counts>(client, brand.brand_id, counting, began + this.#budgetMs, this.#firstBucket);
        return { ...answer(await look.count()), took_ms: Math.round(performance.now() - began) };
      } catch (error) {
        if (!isStatementTimeout(error)) throw error;
        throw new PreviewTooCostly({
          en: `the rule cannot be counted within ${this.#longestMs} ms; use fewer conditions`,
          de: `Die Regel kann nicht innerhalb von ${this.#longestMs} ms gezählt werden; verwenden Sie weniger Bedingungen`,
        });
      } finally {
        await client.query('rollback').catch(() => {});
        client.release();
      }
    });
  }
}

type Sampled = Counted & { sample: number[] };

function addSampled(a: Sampled, b: Sampled): Sampled {
  return { ...addCounted(a, b), sample: [...a.sample, ...b.sample].slice(0, sampleSize) };
}

/** A count of all players returns no sample. */
function keepSample(all: Sampled, { sample }: Sampled): Sampled {
  return { ...all, sample };
}
