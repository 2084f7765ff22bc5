import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../../brands/index.ts';
import { type ClockGuard, Rounds, Underway } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import type { Service } from '../../../service.ts';
import type { OperatorClients, OperatorHealth } from '../../calling/index.ts';
import { ResultWriter } from '../records/result-writer.ts';
import { claimDue, type LookUpClaim, releaseClaims, type WantedClaims } from './claim-store.ts';
import { lookUp } from './look-up.ts';
import { nameOf, type SlotKey, Slots, slotsPerEndpoint } from './slots.ts';

/*
 * Makes the look-ups that are due: claims rows, calls operators, hands the judged answers to the writer.
 *
 * A round is one statement that claims for all operators at once, as many rows as each endpoint has free slots. It is
 * started by `wake` (derive has committed a request), by slots that come free while more was waiting, and by the poll.
 *
 *                wake / slot free / poll
 *     idle ------------------------------> claiming -----> calling -----> slot free, writing
 *
 * Nothing is remembered here that matters: whatever happens to this process, the rows say what is due. Every operator,
 * endpoint and lane has its own slots and sockets; what they share is the claiming statement, the writer, and this
 * process's CPU, none of which waits for an operator.
 */

/** The net below `wake`: the latest moment at which something due is found. */
const pollMs = 250;
/**
 * Between two rounds. Each is a commit of its own, on the disk that the ledger writes to: back to back
 * they were hundreds a second for a few rows each, at the cost of everybody else's commits.
 */
const restMs = 25;
/** How often a round also looks for what is long overdue (see `claimDue`), and at most a tenth of the time. */
const overdueEveryMs = 2_000;
const overdueShare = 0.1;
/** A claim outlasts its call by so much: time to write the answer, or to be stopped a moment. */
const claimMarginMs = 5_000;
/** Time for look-ups in hand when the process stops; then they are given back, and their answers ignored. */
const defaultStopGraceMs = 5_000;

export interface SchedulerOptions {
  pool: Pool;
  brands: { all(): Iterable<Brand> };
  clients: OperatorClients;
  health: OperatorHealth;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Default 5000. */
  stopGraceMs?: number | undefined;
  random?: (() => number) | undefined;
}

export class LookUpScheduler implements Service {
  #options: SchedulerOptions;
  #random: () => number;
  #slots: Slots;
  #writer: ResultWriter;
  #rounds: Rounds;
  #lookUps = new Underway<LookUpClaim>();
  /** Slots that the last claim filled to the brim: more is likely waiting behind. */
  #brimful = new Set<string>();
  /** Slots that were filled to the brim when the overdue were asked for: they are asked for again until none is left. */
  #backlogged = new Set<string>();
  #nextOverdueAt = Number.NEGATIVE_INFINITY;
  /** Claims were given back: nothing that still comes in is written. */
  #abandoned = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#slots = new Slots(options.health.circuits);
    this.#writer = new ResultWriter(options);
    this.#rounds = new Rounds({
      name: 'look-ups',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      restMs,
      log: options.log,
      words: {
        away: 'no look-ups are claimed while the database is away',
        again: 'look-ups are claimed again',
        failed: 'no look-ups are claimed: this is a fault of ours',
      },
    });
  }

  async start(): Promise<void> {
    this.#abandoned = false;
    await this.#rounds.start();
  }

  /** Something may be due: look now. Cheap, and never waits. */
  wake = (): void => this.#rounds.wake();

  async stop(): Promise<void> {
    await this.#rounds.stop();
    const left = await this.#lookUps.finish(this.#options.stopGraceMs ?? defaultStopGraceMs);
    this.#abandoned = true;
    await releaseClaims(this.#options.pool, left).catch((error: unknown) => {
      this.#options.log.warn(
        { err: error, left: left.length },
        'claims were not given back; they run out by themselves',
      );
    });
  }

  /** One round: claims what is due and starts it. The look-ups go on after it has returned. */
  async runOnce(): Promise<{ claimed: number }> {
    const operators = new Map<number, { brand: Brand; max_connections: number; call_timeout_ms: number }>();
    for (const brand of this.#options.brands.all()) {
      if (brand.operator !== null) operators.set(brand.brand_id, { brand, ...brand.operator });
    }
    const free = this.#slots.free(
      [...operators].map(([brand_id, { max_connections }]) => ({ brand_id, max_connections })),
    );
    const started = performance.now();
    const isTimeForOverdue = started >= this.#nextOverdueAt;
    const wanted = free.flatMap((slots) => {
      const operator = operators.get(slots.brand_id);
      if (operator === undefined) return [];
      const overdue = isTimeForOverdue || this.#backlogged.has(nameOf(slots));
      return [{ ...slots, claim_ms: operator.call_timeout_ms + claimMarginMs, overdue }];
    });
    const claims = await claimDue(this.#options.pool, wanted);
    const took = performance.now() - started;
    if (isTimeForOverdue) this.#nextOverdueAt = started + Math.max(overdueEveryMs, took / overdueShare);
    for (const claim of claims) {
      const brand = operators.get(claim.brand_id)?.brand;
      if (brand) this.#begin(claim, brand);
    }
    this.#remember(wanted, claims);
    return { claimed: claims.length };
  }

  #remember(wanted: readonly WantedClaims[], claims: readonly LookUpClaim[]): void {
    const counts = new Map<string, number>();
    for (const claim of claims) counts.set(nameOf(claim), (counts.get(nameOf(claim)) ?? 0) + 1);
    for (const slots of wanted) {
      const name = nameOf(slots);
      const isFull = counts.get(name) === slots.free;
      if (isFull) this.#brimful.add(name);
      else this.#brimful.delete(name);
      if (slots.overdue && isFull) this.#backlogged.add(name);
      else if (slots.overdue) this.#backlogged.delete(name);
    }
  }

  #begin(claim: LookUpClaim, brand: Brand): void {
    this.#slots.take(claim);
    let isTaken = true;
    const free = () => {
      if (!isTaken) return;
      isTaken = false;
      this.#slots.give(claim);
      if (this.#isWorthARound(claim, brand)) this.wake();
    };
    const done = this.#lookUp(claim, brand, free)
      .catch((error: unknown) => {
        this.#options.log.error({ err: error, player_id: claim.player_id, look_up: claim.look_up }, 'a look-up broke');
      })
      .finally(free);
    this.#lookUps.begin(claim, done);
  }

  /** @param free gives the slot back: the next call of its endpoint need not wait for the writing of this one's answer */
  async #lookUp(claim: LookUpClaim, brand: Brand, free: () => void): Promise<void> {
    const client = this.#options.clients.of(brand);
    if (client === null) return;
    const { result, endpoint } = await lookUp(claim, { ...this.#options, client, brand, random: this.#random });
    this.#slots.learn(claim, endpoint);
    if (this.#abandoned) return;
    const written = this.#writer.write(result);
    // Where writing cannot follow, calling waits for it.
    if (!this.#writer.isFull) free();
    await written;
  }

  /** One round for each quarter of the slots that came free, not one for each slot: claiming four rows costs as much as one. */
  #isWorthARound(slot: SlotKey, brand: Brand): boolean {
    if (!this.#brimful.has(nameOf(slot)) || brand.operator === null) return false;
    const limit = slotsPerEndpoint(brand.operator.max_connections)[slot.lane];
    return limit - this.#slots.taken(slot) >= Math.ceil(limit / 4);
  }
}
