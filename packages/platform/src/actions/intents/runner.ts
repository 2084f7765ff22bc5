import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import type { ClockGuard } from '../../chores/index.ts';
import type { OperatorHealth } from '../../operator/calling/index.ts';
import { lost, Runner, type RunnerSpec } from '../../outgoing/index.ts';
import {
  type AttemptDeps,
  beginAttempt,
  contactOf,
  finishAttempt,
  type JudgedAnswer,
  notMade,
  type OpenCall,
  sendAttempt,
} from './attempt.ts';
import { type IntentClaim, intentQueue } from './claim-store.ts';
import { passTime } from './due.ts';
import { endpointReportOf } from './endpoint-report.ts';
import { type IntentPlace, intentPlaces } from './endpoint-slots.ts';
import { endpointOf } from './request.ts';

/*
 * Credits the intents that are due (attempt.ts), with the engine for outgoing calls. Also moves intents whose deadlines have
 * passed (due.ts).
 */

/** Short, because a player waits for the bonus. */
const restMs = 10;
/**
 * How often it looks for deadlines that have passed. Deadlines are hours away, so a second of delay does not matter.
 */
const timesEveryMs = 1_000;
/** Time for open calls when the process stops. A call that is still open then counts as lost, and its intent is unknown. */
const defaultStopGraceMs = 8_000;
/** About ten minutes, which is longer than a failover. After that, the outcome is only in the log, and the intent is unknown. */
const finishTries = 120;

export interface RunnerOptions extends Omit<AttemptDeps, 'random'> {
  brands: { all(): Iterable<Brand>; byId(brandId: number): Brand | undefined };
  health: OperatorHealth;
  log: Logger;
  guard?: ClockGuard;
  random?: () => number;
  /** Default 8000. */
  stopGraceMs?: number;
}

interface OpenIntent {
  call: OpenCall;
  brand: Brand;
}

export class IntentRunner extends Runner<IntentPlace, IntentClaim, OpenIntent, JudgedAnswer> {
  readonly #options: RunnerOptions & { random: () => number };
  #nextTimesAt = Number.NEGATIVE_INFINITY;

  constructor(options: RunnerOptions) {
    const { pool, log, guard, stopGraceMs = defaultStopGraceMs } = options;
    const all = { random: Math.random, ...options };
    super(crediting(all), { pool, log, guard, stopGraceMs, restMs });
    this.#options = all;
  }

  override async runOnce(): Promise<{ claimed: number; moved: number }> {
    const moved = await this.#passTime();
    return { moved, ...(await super.runOnce()) };
  }

  async #passTime(): Promise<number> {
    const now = performance.now();
    if (now < this.#nextTimesAt) return 0;
    this.#nextTimesAt = now + timesEveryMs;
    const isIdempotent = (brandId: number) => this.#options.brands.byId(brandId)?.operator?.idempotent_bonus ?? false;
    const { moved, failures } = await passTime({ ...this.#options, isIdempotent });
    for (const { intent_id, error } of failures) {
      this.#options.log.error({ err: error, intent_id }, 'the due step of a bonus intent failed; will retry in 1 min');
    }
    return moved;
  }
}

export function crediting(
  deps: RunnerOptions & AttemptDeps,
): RunnerSpec<IntentPlace, IntentClaim, OpenIntent, JudgedAnswer> {
  const { brands, health } = deps;
  return {
    queue: intentQueue,
    places: () => intentPlaces(brands.all(), health.circuits),
    async begin(claim) {
      const brand = brands.byId(claim.brand_id);
      if (brand === undefined) return lost;
      const started = await beginAttempt(claim, brand, deps);
      return started.outcome === 'started' ? { outcome: 'started', open: { call: started.open, brand } } : started;
    },
    async send({ call, brand }, sendCheck) {
      const answer = await sendAttempt(call, brand, deps, sendCheck);
      if (answer === null) return null;
      const report = endpointReportOf(answer);
      if (report === null) return answer;
      const { brand_id } = brand;
      const endpoint = endpointOf[call.intent.kind];
      health.record({ brand_id, endpoint, ...report.health });
      health.circuits.recordAnswer(brand_id, endpoint, report.circuit);
      return answer;
    },
    callMs: ({ brand }) => brand.operator?.call_timeout_ms ?? 0,
    isStillAllowed: ({ call }) => deps.gate.stillAllows(deps.pool, contactOf(call.intent)),
    finish: ({ call, brand }, answer) =>
      finishAttempt(call, answer ?? notMade, { idempotent_bonus: brand.operator?.idempotent_bonus ?? false }, deps),
    finishTries,
    about: ({ intent_id }) => ({ intent_id }),
    unwritten({ call }, answer) {
      const { judgment, took_ms } = answer ?? notMade;
      return { intent_id: call.intent.intent_id, attempt_no: call.attempt_no, judgment, took_ms };
    },
    words: {
      away: 'bonus intents are not claimed: the database is unavailable',
      again: 'bonus intents are claimed again',
      failed: 'bonus intents cannot be claimed: internal error',
      brokeOff: 'an attempt to credit a bonus was interrupted',
    },
  };
}
