import type { Logger } from 'pino';
import type { Ledger, LedgerEntry, LedgerWriter } from '../ledger/index.ts';

/*
 * Group commit: many concurrent requests, one transaction.
 *
 *     add -> pending -> (one append at a time) -> durable -> every caller in it gets its answer
 *
 * An append waits up to 1 ms for as many events as the last commit had. When it has them, it starts at the end of this turn of the event
 * loop, with everything that the turn has read. While it runs, new events gather for the next one. So one request per second is alone in
 * its commit and waits for nothing, and 256 connections share commits of 100-250 events. The wait is a timer, not a busy loop: at
 * 1,000 events/s, a busy loop costs a fifth of a core.
 *
 *     open ---- append fails, outcome unknown ----> away ---- a new writer could be opened ----> open
 *
 * In the state `away`, every add fails immediately, so that callers get their 503 in milliseconds and memory does not grow.
 */

export interface CommitterLimits {
  /** Maximum number of events waiting for their commit, including those of the running append. Calls above it get 503. */
  maxPendingEvents: number;
  /** Maximum number of waiting bytes of bodies. */
  maxPendingBytes: number;
  /** Maximum number of events per append. The rest goes into the next one. */
  maxBatchEvents: number;
}

/**
 * At the highest rate measured on 2 cores, 20,000 events arrive in 1-2 s. A longer queue would only turn 503s into
 * timeouts.
 */
export const defaultCommitterLimits: CommitterLimits = {
  maxPendingEvents: 20_000,
  maxPendingBytes: 64 * 1024 * 1024,
  maxBatchEvents: 2_000,
};

/**
 * How long a commit may wait for as many events as the last one had. At 256 connections, this raises commits from 125 to
 * 180 events. A single caller never waits, because its last commit had one event and one event is already there.
 */
const gatherMs = 1;
const firstReopenDelayMs = 50;
const maxReopenDelayMs = 2_000;

/**
 * Why an event was not accepted. `away`: the store did not confirm it, but may have stored it. `full`: it was not
 * tried.
 */
export type Refusal = 'away' | 'full';
/** Called exactly once, with undefined if the event is durable. */
export type Done = (refusal?: Refusal) => void;

export class Committer {
  #ledger: Ledger;
  #log: Logger;
  #limits: CommitterLimits;
  #onCommit: (events: number) => void;
  #writer: LedgerWriter | undefined;
  #pending: LedgerEntry[] = [];
  #waiting: Done[] = [];
  #underWay = 0;
  #lastBatch = 0;
  #bytes = 0;
  /** Set while events wait for others to share their append: a timer, or 'this turn' if they wait until the end of this turn. */
  #gathering: NodeJS.Timeout | 'this turn' | undefined;
  #flushing: Promise<void> | undefined;
  #reopening: Promise<void> | undefined;
  #stopped = false;
  #wakeReopen: () => void = () => {};

  constructor(options: {
    ledger: Ledger;
    log: Logger;
    limits?: CommitterLimits;
    /** Called after each commit, before the callers get their answers. */
    onCommit?: (events: number) => void;
  }) {
    this.#ledger = options.ledger;
    this.#log = options.log;
    this.#limits = options.limits ?? defaultCommitterLimits;
    this.#onCommit = options.onCommit ?? (() => {});
  }

  /** Also resolves if the store is unavailable. Then calls are refused until it is available again. */
  async start(): Promise<void> {
    try {
      this.#writer = await this.#ledger.openWriter();
    } catch (error) {
      this.#goAway(error);
    }
  }

  /** The number of events waiting for their commit. */
  get depth(): number {
    return this.#pending.length + this.#underWay;
  }

  get isOpen(): boolean {
    return this.#writer !== undefined;
  }

  add(entry: LedgerEntry, done: Done): void {
    if (this.#writer === undefined || this.#stopped) {
      done('away');
      return;
    }
    if (this.depth >= this.#limits.maxPendingEvents || this.#bytes + entry.body.length > this.#limits.maxPendingBytes) {
      done('full');
      return;
    }
    this.#pending.push(entry);
    this.#waiting.push(done);
    this.#bytes += entry.body.length;
    if (this.#flushing) return;
    if (this.#gathering === undefined) this.#gather();
    else if (this.#isEnough()) this.#flushThisTurn();
  }

  /** Waits up to `gatherMs` for the events of the next append. If there are enough already, it appends at the end of this turn. */
  #gather(): void {
    if (this.#isEnough()) this.#flushThisTurn();
    else this.#gathering = setTimeout(() => this.#flush(), gatherMs);
  }

  #isEnough(): boolean {
    return this.#pending.length >= this.#lastBatch;
  }

  /** Appends at the end of this turn, with everything that the turn has read. */
  #flushThisTurn(): void {
    if (this.#gathering === 'this turn') return;
    clearTimeout(this.#gathering);
    this.#gathering = 'this turn';
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#gathering !== 'this turn') clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#flushing || this.#pending.length === 0) return;
    this.#flushing = this.#appendNext().finally(() => {
      this.#flushing = undefined;
      if (this.#pending.length > 0) this.#gather();
    });
  }

  async #appendNext(): Promise<void> {
    const entries = this.#pending.splice(0, this.#limits.maxBatchEvents);
    const waiting = this.#waiting.splice(0, this.#limits.maxBatchEvents);
    this.#underWay = entries.length;
    this.#lastBatch = entries.length;
    let refusal: Refusal | undefined;
    try {
      if (this.#writer === undefined) refusal = 'away';
      else await this.#writer.append(entries);
    } catch (error) {
      refusal = 'away';
      this.#goAway(error);
    }
    this.#underWay = 0;
    for (const entry of entries) this.#bytes -= entry.body.length;
    if (refusal === undefined) this.#onCommit(entries.length);
    for (const done of waiting) done(refusal);
  }

  #goAway(error: unknown): void {
    this.#writer = undefined;
    if (this.#stopped || this.#reopening) return;
    this.#log.error({ err: error }, 'the ledger is unavailable: events are answered 503 until it is back');
    this.#reopening = this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
  }

  async #reopen(): Promise<void> {
    for (let delay = firstReopenDelayMs; !this.#stopped; delay = Math.min(delay * 2, maxReopenDelayMs)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delay);
        this.#wakeReopen = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (this.#stopped) return;
      try {
        this.#writer = await this.#ledger.openWriter();
        this.#log.info('the ledger is available again');
        return;
      } catch (error) {
        this.#log.warn(
          { err: error, next_try_ms: Math.min(delay * 2, maxReopenDelayMs) },
          'the ledger is still unavailable',
        );
      }
    }
  }

  /** Accepts nothing new, and finishes what was accepted. */
  async stop(): Promise<void> {
    this.#stopped = true;
    while (this.#flushing || this.#pending.length > 0) {
      this.#flush();
      await this.#flushing;
    }
    this.#wakeReopen();
    await this.#reopening;
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close();
  }
}
