import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import { type ClockGuard, Rounds, Underway } from '../../chores/index.ts';
import { isUnfitValue } from '../../database/index.ts';
import { type OperatorHealth, slotsToWrite } from '../../operator/calling/index.ts';
import type { Service } from '../../service.ts';
import { type AttemptDeps, beginAttempt, finishAttempt, type Heard, type OpenCall, sendAttempt } from './attempt.ts';
import { claimCalls, type IntentClaim, releaseClaims } from './claim-store.ts';
import { passTime } from './due.ts';
import { EndpointSlots, nameOf } from './endpoint-slots.ts';
import { lessonOf } from './learn.ts';
import { endpointOf } from './request.ts';

/*
 * Credits the intents that are due (attempt.ts), and lets pass what happens by time alone (due.ts).
 *
 *              wake / slot free / poll
 *     idle ------------------------------> claiming ----> begin ----> send ----> finish ----> slot free
 *                                             '--> due by time
 *
 * Nothing is remembered here that matters: the rows say what is due, and what is open. The calls of a round go on after it.
 */

/** The net below `wake`: the latest moment at which something due is found. */
const pollMs = 250;
/** Between two rounds: each is a commit of its own. */
const restMs = 10;
/** What is due by time alone is looked for so often: hours matter there, not seconds. */
const timesEveryMs = 1_000;
/** Time for calls in hand when the process stops. What is then still open counts as lost, and is unknown. */
const defaultStopGraceMs = 8_000;
/** An outcome that the database does not take waits in memory, this long after one try and the next. */
const finishRetryMs = [100, 500, 2_000, 5_000];
/** So many tries, about ten minutes: longer than a failover. Then the outcome is only in the log, and the intent unknown. */
const maxFinishTries = 120;

export interface RunnerOptions extends Omit<AttemptDeps, 'random'> {
  brands: { all(): Iterable<Brand>; byId(brandId: number): Brand | undefined };
  health: OperatorHealth;
  log: Logger;
  guard?: ClockGuard;
  random?: () => number;
  slots?: EndpointSlots;
  /** Default 8000. */
  stopGraceMs?: number;
}

export class IntentRunner implements Service {
  readonly #options: RunnerOptions & { random: () => number };
  readonly #slots: EndpointSlots;
  readonly #rounds: Rounds;
  readonly #calls = new Underway<IntentClaim>();
  /** Filled to the brim by the last claim: more is likely waiting behind. */
  readonly #brimful = new Set<string>();
  #aborted = new AbortController();
  #nextTimesAt = Number.NEGATIVE_INFINITY;

  constructor(options: RunnerOptions) {
    this.#options = { random: Math.random, ...options };
    this.#slots = options.slots ?? new EndpointSlots(options.health.circuits);
    this.#rounds = new Rounds({
      name: 'bonus intents',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      restMs,
      log: options.log,
      words: {
        away: 'no bonus intents are claimed while the database is away',
        again: 'bonus intents are claimed again',
        failed: 'no bonus intents are claimed: this is a fault of ours',
      },
    });
  }

  start(): Promise<void> {
    this.#aborted = new AbortController();
    return this.#rounds.start();
  }

  /** Something may be due: look now. Cheap, and never waits. */
  readonly wake = (): void => this.#rounds.wake();

  async stop(): Promise<void> {
    await this.#rounds.stop();
    const left = await this.#calls.finish(this.#options.stopGraceMs ?? defaultStopGraceMs);
    this.#aborted.abort();
    await releaseClaims(this.#options.pool, left).catch((error: unknown) => {
      this.#options.log.warn(
        { err: error, left: left.length },
        'claims were not given back; they run out by themselves',
      );
    });
  }

  /** Resolves when no call is under way. */
  idle(): Promise<void> {
    return this.#calls.idle();
  }

  /** One round: claims what is due for a call and begins it, and lets time pass. The calls go on after it has returned. */
  async runOnce(): Promise<{ claimed: number; moved: number }> {
    const moved = await this.#passTime();
    const brands = new Map([...this.#options.brands.all()].map((brand) => [brand.brand_id, brand]));
    // A brand without an operator is claimed, too: its intents say then what they wait for.
    const operators = [...brands.values()].map(({ brand_id, operator }) => ({
      brand_id,
      max_connections: operator?.max_connections ?? 1,
    }));
    const wanted = this.#slots.free(operators);
    const claims = await claimCalls(this.#options.pool, wanted);
    for (const claim of claims) {
      const brand = brands.get(claim.brand_id);
      if (brand) this.#begin(claim, brand);
    }
    for (const slots of wanted) {
      const claimed = claims.filter((claim) => nameOf(claim) === nameOf(slots)).length;
      if (claimed === slots.free) this.#brimful.add(nameOf(slots));
      else this.#brimful.delete(nameOf(slots));
    }
    return { claimed: claims.length, moved };
  }

  async #passTime(): Promise<number> {
    const now = performance.now();
    if (now < this.#nextTimesAt) return 0;
    this.#nextTimesAt = now + timesEveryMs;
    const isIdempotent = (brandId: number) => this.#options.brands.byId(brandId)?.operator?.idempotent_bonus ?? false;
    const { moved, failures } = await passTime({ ...this.#options, isIdempotent });
    for (const { intent_id, error } of failures) {
      this.#options.log.error({ err: error, intent_id }, 'a bonus intent was not moved by time; it waits a minute');
    }
    return moved;
  }

  #begin(claim: IntentClaim, brand: Brand): void {
    this.#slots.take(claim);
    const done = this.#carryOut(claim, brand)
      .catch((error: unknown) => {
        const { intent_id } = claim;
        // Before the call nothing is lost: the claim runs out. Afterwards #finish has tried what can be tried.
        this.#options.log.error({ err: error, intent_id }, 'an attempt to credit a bonus broke off');
      })
      .finally(() => {
        this.#slots.give(claim);
        if (this.#isWorthARound(claim, brand)) this.wake();
      });
    this.#calls.begin(claim, done);
  }

  async #carryOut(claim: IntentClaim, brand: Brand): Promise<void> {
    if (this.#aborted.signal.aborted) return;
    const call = await beginAttempt(claim, brand, this.#options);
    if (call === null) return;
    const heard = await sendAttempt(call, brand, this.#options);
    const lesson = lessonOf(heard);
    if (lesson !== null) {
      const { brand_id } = brand;
      const endpoint = endpointOf[claim.kind];
      this.#options.health.record({ brand_id, endpoint, ...lesson.health });
      this.#slots.circuits.learn(brand_id, endpoint, lesson.circuit);
    }
    await this.#finish(call, heard, brand);
  }

  /**
   * What a call brought is worth more than a slot: it is written as soon as the database takes it. Whatever stood against it, a
   * deadlock or a lock that did not come included, since writing it again is harmless; only what can never be stored is given up at once.
   */
  async #finish(call: OpenCall, heard: Heard, brand: Brand): Promise<void> {
    const operator = { idempotent_bonus: brand.operator?.idempotent_bonus ?? false };
    for (let tries = 1; ; tries++) {
      try {
        return await finishAttempt(call, heard, operator, this.#options);
      } catch (error) {
        const { signal } = this.#aborted;
        if (tries === maxFinishTries || isUnfitValue(error) || signal.aborted) {
          const { intent_id, attempt_no } = { ...call.intent, ...call };
          const { judgement, took_ms } = heard;
          this.#options.log.error(
            { intent_id, attempt_no, judgement, took_ms },
            'the outcome of a bonus call was not written',
          );
          throw error;
        }
        const wait = finishRetryMs[Math.min(tries, finishRetryMs.length) - 1];
        await delay(wait, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** One round for each quarter of the slots that came free, not one for each slot. */
  #isWorthARound(claim: IntentClaim, brand: Brand): boolean {
    if (!this.#brimful.has(nameOf(claim))) return false;
    const limit = slotsToWrite(endpointOf[claim.kind], brand.operator?.max_connections ?? 1);
    return limit - this.#slots.taken(claim) >= Math.ceil(limit / 4);
  }
}
