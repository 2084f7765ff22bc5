import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds, type RoundsOptions, Underway } from '../chores/index.ts';
import type { Service } from '../service.ts';
import { type Calls, carryOut } from './call.ts';
import { lost, type Outcome, type OutcomeKind } from './outcome.ts';
import { OverdueTurns } from './overdue.ts';
import { type Queue, takeTicket } from './queue.ts';
import { type Granted, type Place, Slots } from './slots.ts';

/*
 * Makes the calls that are due in one queue, each place within its own slots.
 *
 *            wake / slot free / poll
 *   idle --------------------------> claiming ---> begin ---> send ---> finish ---> slot free
 *                                                (call.ts)
 *
 * A round is one statement that claims rows for all places at once, up to the free slots of each. Its calls continue
 * after the round ends. The process keeps no state that matters: the rows record what is due and what is open, even
 * after a crash.
 */

/** The fallback for `wake`: the longest time until a due row is found. */
const pollMs = 250;
/**
 * The pause between two rounds. Each round is a separate commit, on the disk that the ledger writes to. Without a
 * pause there were hundreds of rounds a second for a few rows each, and they slowed down all other commits.
 */
const restMs = 25;

/** A place to which calls go: the columns of the queue that identify it, its slots, and how long a claim there holds. */
export type RunnerPlace = Place & { claim_ms: number };

export interface RunnerSpec<P extends RunnerPlace, C extends { claim: number }, Open, Answer>
  extends Calls<C, Open, Answer> {
  queue: Queue<P, C>;
  /**
   * Places that may get slots now, in the order in which they get them. A place that is omitted, or has a limit of 0,
   * waits.
   */
  places(): Iterable<P> | Promise<Iterable<P>>;
  /** Called for each place that got no slots because other places of its group took all of them. */
  passedOver?(place: P): void;
  /** True for a queue with thousands of rows a minute; see overdue.ts. Default: each round reads from the start. */
  readsBackInTurns?: boolean;
  words: RoundsOptions<unknown>['words'] & {
    /** The log message for a call that failed because of an error in this program, or whose outcome could not be written. */
    brokeOff: string;
  };
}

export interface RunnerOptions {
  pool: Pool;
  log: Logger;
  /**
   * Pauses the rounds while the clock of the process is wrong, because a call has effects in another system. Open calls
   * still finish.
   */
  guard?: ClockGuard | undefined;
  /** How long a stop waits for open calls. After that, claims whose calls have not started are released. */
  stopGraceMs: number;
  /** Default 250. */
  pollMs?: number;
  /** Default 25. */
  restMs?: number;
}

export class Runner<P extends RunnerPlace, C extends { claim: number }, Open, Answer> implements Service {
  readonly #spec: RunnerSpec<P, C, Open, Answer>;
  readonly #options: RunnerOptions;
  readonly #slots: Slots<P>;
  readonly #rounds: Rounds;
  readonly #calls = new Underway<C>();
  readonly #overdue = new OverdueTurns();
  readonly #tally: Record<OutcomeKind, number> = { done: 0, retry: 0, snooze: 0, give_up: 0, lost: 0 };
  #aborted = new AbortController();

  constructor(spec: RunnerSpec<P, C, Open, Answer>, options: RunnerOptions) {
    this.#spec = spec;
    this.#options = options;
    this.#slots = new Slots((place) => spec.queue.keyOf(place));
    this.#rounds = new Rounds({
      name: `calls of ${spec.queue.spec.table}`,
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs: options.pollMs ?? pollMs,
      restMs: options.restMs ?? restMs,
      log: options.log,
      words: spec.words,
    });
  }

  start(): Promise<void> {
    this.#aborted = new AbortController();
    return this.#rounds.start();
  }

  /** Looks for due rows soon. It is cheap and returns immediately. */
  readonly wake = (): void => this.#rounds.wake();

  /**
   * Waits for open calls, releases claims whose calls have not started, and cuts calls that can be cut. A call that is
   * still open then counts as lost when its claim expires.
   */
  async stop(): Promise<void> {
    const { pool, log, stopGraceMs } = this.#options;
    await this.#rounds.stop();
    const left = await this.#calls.finish(stopGraceMs);
    this.#aborted.abort();
    await this.#spec.queue.release(pool, left).catch((error: unknown) => {
      log.warn(
        { err: error, left: left.length },
        'claims were not released; other workers take the work when the claims expire',
      );
    });
    if (this.#spec.cut === undefined) return;
    await this.#spec.cut();
    await this.idle();
  }

  /** Resolves when no call is open. */
  idle(): Promise<void> {
    return this.#calls.idle();
  }

  /** Number of outcomes by kind since this process started. */
  get tally(): Readonly<Record<OutcomeKind, number>> {
    return this.#tally;
  }

  /** Number of open calls. */
  get inUse(): number {
    return this.#slots.inUse;
  }

  /** One round: claims due rows and begins their calls. The calls continue after it returns. */
  async runOnce(): Promise<{ claimed: number }> {
    const { queue, passedOver } = this.#spec;
    const granted = this.#slots.grant(await this.#spec.places(), passedOver?.bind(this.#spec));
    if (granted.length === 0) return { claimed: 0 };
    const placeOf = new Map(granted.map(({ place, name }) => [name, place]));
    const claims = await this.#claim(granted);
    const counts = new Map<string, number>();
    for (const claim of claims) {
      const name = queue.keyOf(claim);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      this.#begin(claim, name, placeOf.get(name));
    }
    if (this.#slots.remember(granted, counts)) this.wake();
    return { claimed: claims.length };
  }

  async #claim(granted: readonly Granted<P>[]): Promise<C[]> {
    const { queue, readsBackInTurns = false } = this.#spec;
    const beganAt = performance.now();
    const isTurn = !readsBackInTurns || this.#overdue.isTurn(beganAt);
    const ticket = await takeTicket(this.#options.pool);
    const wanted = granted.map(({ place, name, free }) => ({
      ...place,
      free,
      since: this.#overdue.since(name, ticket.at, isTurn),
    }));
    const claims = await queue.claim(this.#options.pool, wanted, ticket);
    if (readsBackInTurns) {
      const claimed = Map.groupBy(claims, (claim) => queue.keyOf(claim));
      const ended = wanted.map(({ since, free }, n) => {
        const { name } = granted[n] as Granted<P>;
        return { name, isOverdue: since === undefined, isFull: claimed.get(name)?.length === free };
      });
      this.#overdue.ended(ended, { isTurn, beganAt, tookMs: performance.now() - beganAt });
    }
    return claims;
  }

  #begin(claim: C, name: string, place: P | undefined): void {
    const giveBack = this.#slots.take(name, place?.group);
    const freeSlot = () => {
      if (giveBack().isWanted) this.wake();
    };
    const done = this.#carryOut(claim, freeSlot)
      .catch((error: unknown): Outcome => {
        const log = this.#spec.about?.(claim);
        this.#options.log.error({ err: error, ...log }, this.#spec.words.brokeOff);
        return lost;
      })
      .then((outcome) => this.#note(outcome))
      .finally(freeSlot);
    this.#calls.begin(claim, done);
  }

  #carryOut(claim: C, freeSlot: () => void): Promise<Outcome> {
    const { pool, log } = this.#options;
    return carryOut(claim, this.#spec, {
      log,
      claimedAt: performance.now(),
      signal: this.#aborted.signal,
      freeSlot,
      holdsFor: (ms) => this.#spec.queue.holdsFor(pool, claim, ms),
    });
  }

  #note(outcome: Outcome): void {
    this.#tally[outcome.outcome]++;
    // It is due immediately, without waiting for a poll.
    if ('in_ms' in outcome && outcome.in_ms === 0) this.wake();
  }
}
