import type { BodyOf, DecimalText } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { type Ledger, type LedgerEntry, type LedgerWriter, playerHash } from '../../ledger/index.ts';
import type { Service } from '../../service.ts';
import { latestRates } from '../budgets/index.ts';
import {
  deletePublications,
  isFundsWorkDue,
  lockDue,
  lockUnpublished,
  notePublications,
  type Publication,
  postponePublications,
} from './funds-store.ts';

const pollMs = 250;
/** Maximum number of intents, and of events, in one transaction. */
const maxBatch = 200;
/**
 * How long funds wait if the rate of their currency is unknown. The rate becomes known with the player's next event in that
 * currency.
 */
const rateWaitMs = 600_000;

/**
 * Writes credited funds to the ledger, so that they are derived as events and enter bonus cost and NGR
 * (docs/reference/decisions.md 3).
 *
 *   bonus_intent.state ----note----> funds_publication ----publish----> ledger --derive--> live.funds
 *   (credited, not noted,            (numbered, with its rate)
 *    or noted, not credited)
 *
 * One transaction notes a change and marks the intent, so each change of an intent is numbered once. Changes that
 * cancel each other out before they are noted are never published. Publishing appends the event and then deletes the
 * row. A crash between the two appends the same body again, and derive drops the repeat by its key (intent_id,
 * revision).
 */
export class FundsPublisher implements Service {
  readonly #pool: Pool;
  readonly #ledger: Pick<Ledger, 'openWriter'>;
  readonly #baseCurrency: (brandId: number) => string | undefined;
  readonly #clock: Clock;
  readonly #onPublished: () => void;
  #writer: LedgerWriter | undefined;
  readonly #rounds: Rounds;

  constructor(options: {
    pool: Pool;
    ledger: Pick<Ledger, 'openWriter'>;
    brands: { byId(brandId: number): { settings: { base_currency: string } } | undefined };
    clock: Clock;
    log: Logger;
    guard?: ClockGuard;
    /** Called when new events are in the ledger, so that derive does not wait for its next poll. */
    onPublished?: () => void;
  }) {
    this.#pool = options.pool;
    this.#ledger = options.ledger;
    this.#baseCurrency = (brandId) => options.brands.byId(brandId)?.settings.base_currency;
    this.#clock = options.clock;
    this.#onPublished = options.onPublished ?? (() => {});
    this.#rounds = new Rounds({
      name: 'credited funds',
      guard: options.guard,
      runOnce: () => this.#withWriter(),
      pollMs,
      log: options.log,
      words: {
        away: 'credited funds are not published to the ledger: the database is unavailable',
        again: 'credited funds are published to the ledger again',
        failed: 'publishing credited funds to the ledger failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#closeWriter();
  }

  /** A writer that failed cannot be used again: the next round opens another. */
  async #withWriter(): Promise<void> {
    try {
      await this.runOnce();
    } catch (error) {
      await this.#closeWriter();
      throw error;
    }
  }

  /** @returns how many changes were noted, how many events published, and how many wait for a rate */
  async runOnce(): Promise<{ noted: number; published: number; waiting: number }> {
    if (!(await isFundsWorkDue(this.#pool))) return { noted: 0, published: 0, waiting: 0 };
    const noted = await transaction(this.#pool, (tx) => this.#note(tx));
    const { published, waiting } = await transaction(this.#pool, (tx) => this.#publish(tx));
    if (published > 0) this.#onPublished();
    return { noted, published, waiting };
  }

  async #note(tx: PoolClient): Promise<number> {
    const unpublished = await lockUnpublished(tx, maxBatch);
    if (unpublished.length > 0) await notePublications(tx, await this.#withRates(tx, unpublished), this.#clock());
    return unpublished.length;
  }

  async #publish(tx: PoolClient): Promise<{ published: number; waiting: number }> {
    const due = await lockDue(tx, maxBatch);
    if (due.length === 0) return { published: 0, waiting: 0 };
    // An erased player has no more events, so nothing waits for a rate.
    const theirs = due.filter(({ user_id }) => user_id !== null);
    const priced = await this.#withRates(tx, theirs);
    const waiting = priced.filter(({ exchange_rate }) => exchange_rate === null);
    if (waiting.length > 0) await postponePublications(tx, waiting, rateWaitMs);
    const entries = priced.flatMap((each) =>
      each.user_id === null || each.exchange_rate === null
        ? []
        : [this.#entryOf(each, each.user_id, each.exchange_rate)],
    );
    const over = [
      ...due.filter(({ user_id }) => user_id === null),
      ...priced.filter(({ exchange_rate }) => exchange_rate !== null),
    ];
    if (over.length === 0) return { published: 0, waiting: waiting.length };
    await deletePublications(tx, over);
    this.#writer ??= await this.#ledger.openWriter();
    if (entries.length > 0) await this.#writer.append(entries);
    return { published: entries.length, waiting: waiting.length };
  }

  #entryOf(publication: Publication, user_id: string, exchange_rate: DecimalText): LedgerEntry {
    const { brand_id, intent_id, revision, status, at, amount, currency, bonus_code } = publication;
    const body: BodyOf<'funds_credited'> = {
      user_id,
      timestamp: timestamptzText(at),
      intent_id,
      revision,
      status,
      amount,
      currency,
      exchange_rate,
      bonus_code,
    };
    return {
      brand_id,
      kind: 'funds_credited',
      player_hash: playerHash(brand_id, user_id),
      received_at: this.#clock(),
      body: Buffer.from(JSON.stringify(body)),
    };
  }

  /** Fills in the rates that are known. A rate that is already set (by the budget that paid) stays. */
  async #withRates<P extends Publication>(tx: PoolClient, publications: readonly P[]): Promise<P[]> {
    const isBase = ({ brand_id, currency }: P) => this.#baseCurrency(brand_id) === currency;
    const wanted = publications.filter((each) => each.exchange_rate === null && !isBase(each));
    const rates = await latestRates(tx, wanted);
    return publications.map((each) => ({
      ...each,
      exchange_rate:
        each.exchange_rate ?? (isBase(each) ? '1' : (rates.get(`${each.player_id}:${each.currency}`) ?? null)),
    }));
  }

  async #closeWriter(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close().catch(() => {});
  }
}
