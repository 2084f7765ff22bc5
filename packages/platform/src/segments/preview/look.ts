import type { ClientBase } from 'pg';
import { buckets, countPlayers, playersOfBucket } from './sample.ts';

/*
 * Counts players within the available time, however many players there are.
 *
 *   few players                    all of them are counted: exact
 *   many   -> 50 players           if they take longer than 0.1 s: 450 more in half of the remaining time, then as many as fit
 *          -> a sample of 1,000    measures the time per player; smaller if it would take too long
 *          -> all of them          if the remaining time probably suffices: exact
 *          -> a larger sample      if it does not, or if counting all of them took too long: an estimate with its error
 */

/** Brands with at most this many players are always counted in full. */
const fewPlayers = 5_000;
const firstSample = 1_000;
const probe = 50;
const secondProbe = 450;
/** If the probe takes longer, the first sample is skipped. */
const quickMs = 100;
/** The maximum time for the first sample. It is smaller if this share of the remaining time probably does not suffice for all of it. */
const firstSampleMs = 2_000;
const firstSampleShare = 0.7;
/** An estimate from this many players is good enough. */
const largestSample = 60_000;
/** A scan of all players is this many times faster per player than reading single players. */
const scanGain = 4;

/** What to count. */
export interface Counting<Counts extends { players: number }> {
  /** @param players the players to count; undefined: all of the brand */
  count(db: ClientBase, players: readonly number[] | undefined): Promise<Counts>;
  add(a: Counts, b: Counts): Counts;
  /** Returns what to keep of a sample after all players were counted. */
  complete(all: Counts, sample: Counts): Counts;
}

/** One count: the counts so far, and the remaining time. */
export class Look<Counts extends { players: number }> {
  readonly #client: ClientBase;
  readonly #brandId: number;
  readonly #counting: Counting<Counts>;
  readonly #deadline: number;
  readonly #firstBucket: number;
  #counted: Counts | undefined;

  /**
   * @param deadline as of performance.now()
   * @param firstBucket the bucket at which samples begin. Default 0: the same rule is estimated from the same players each time
   */
  constructor(client: ClientBase, brandId: number, counting: Counting<Counts>, deadline: number, firstBucket = 0) {
    this.#client = client;
    this.#brandId = brandId;
    this.#counting = counting;
    this.#deadline = deadline;
    this.#firstBucket = firstBucket;
  }

  /** @returns the counts; if `counted.players` is below `total`, they are of a random sample */
  async count(): Promise<{ counted: Counts; total: number }> {
    const total = await countPlayers(this.#client, this.#brandId);
    if (total <= fewPlayers) await this.#countBuckets(Number.POSITIVE_INFINITY);
    else {
      const perPlayer = await this.#firstLook();
      const isQuick = (perPlayer / scanGain) * total < this.#left();
      if (!(isQuick && (await this.#countAll()))) await this.#enlarge(perPlayer);
    }
    return { counted: this.#counted as Counts, total };
  }

  /** @returns milliseconds per player */
  async #firstLook(): Promise<number> {
    const costly = await this.#timed(probe, Number.POSITIVE_INFINITY);
    // Reading players for the first time from disk may take 1 ms each.
    const affordable = Math.floor((this.#left() * firstSampleShare) / costly);
    if (costly * probe <= quickMs) return this.#timed(Math.min(firstSample - probe, affordable), firstSampleMs);
    // Planning a rule of many conditions may have taken most of the time. Then more players cost little more.
    const again = await this.#timed(secondProbe, this.#left() / 2);
    return (this.#counted?.players ?? 0) > probe ? again : costly;
  }

  /** @returns milliseconds per player */
  async #timed(players: number, limitMs: number): Promise<number> {
    const began = performance.now();
    await this.#countBuckets(players, limitMs);
    return (performance.now() - began) / players;
  }

  /** @returns false if it took longer than the remaining time */
  async #countAll(): Promise<boolean> {
    const all = await this.#withinTime(() => this.#counting.count(this.#client, undefined));
    if (all === undefined) return false;
    this.#counted = this.#counting.complete(all, this.#counted as Counts);
    return true;
  }

  async #enlarge(perPlayer: number): Promise<void> {
    const affordable = Math.floor((this.#left() * 0.6) / perPlayer);
    const players = Math.min(affordable, largestSample);
    if (players > (this.#counted?.players ?? 0)) await this.#countBuckets(players);
  }

  #bucket = 0;
  #rest: number[] = [];

  /** Counts this many more players, bucket by bucket; none if the time is up. */
  async #countBuckets(more: number, limitMs?: number): Promise<void> {
    const wanted: number[] = [];
    while (wanted.length < more) {
      if (this.#rest.length === 0) {
        const isLate = this.#counted !== undefined && this.#left() <= 0;
        if (this.#bucket === buckets || isLate) break;
        this.#rest = await playersOfBucket(this.#client, this.#brandId, (this.#firstBucket + this.#bucket++) % buckets);
      }
      wanted.push(...this.#rest.splice(0, more - wanted.length));
    }
    if (this.#counted === undefined) {
      this.#counted = await this.#counting.count(this.#client, wanted);
      return;
    }
    // Read the remaining time again, because finding the players took some of it.
    const counted = await this.#withinTime(() => this.#counting.count(this.#client, wanted), limitMs ?? this.#left());
    if (counted !== undefined) this.#counted = this.#counting.add(this.#counted, counted);
  }

  #left(): number {
    return this.#deadline - performance.now();
  }

  async #withinTime<T>(task: () => Promise<T>, limitMs = this.#left()): Promise<T | undefined> {
    const left = Math.floor(limitMs);
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
