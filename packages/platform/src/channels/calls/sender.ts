import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import type { ClockGuard } from '../../chores/index.ts';
import { lost, nullIfNotSent, pauseMs, Runner } from '../../outgoing/index.ts';
import { deleteEndedEntries, expireEntries } from '../lists/store.ts';
import type { PushTransport } from '../push/transport.ts';
import { HealthNotes } from '../settings/health-notes.ts';
import { readOpenSettings } from '../settings/store.ts';
import { type CallResult, isAlive, judgeCall } from './judge.ts';
import { CallPlaces } from './places.ts';
import {
  beginMessage,
  callMsOf,
  finishCall,
  isStillAllowed,
  type OpenCall,
  type SendCallDeps,
  sendCall,
} from './send.ts';
import {
  type CallClaim,
  type CallPlace,
  callQueue,
  deleteEndedCalls,
  dueTargets,
  expireWaitingCalls,
  giveUpLostCalls,
} from './store.ts';

/*
 * Sends due messages (send.ts), each provider within its own slots, rate and circuit (places.ts), with the engine for outgoing
 * calls.
 */
const perRound = 500;
/** Rows of messages that have ended are kept for 90 days, so that people can look up what was sent. */
const retention = 90 * 24 * 3_600_000_000;
const deletedPerRound = 1_000;
const upkeepEveryMs = 10_000;
const defaultStopGraceMs = 8_000;
/** An outcome that the database cannot store is retried from memory. After about two minutes it is only in the log. */
const finishTries = 25;

export interface CallSenderOptions extends Omit<SendCallDeps, 'random' | 'transport' | 'shortSince'> {
  transport: PushTransport;
  brands: { byId(brandId: number): Brand | undefined };
  log: Logger;
  guard?: ClockGuard;
  random?: () => number;
  places?: CallPlaces;
  /** Default 8000. */
  stopGraceMs?: number;
}

export class CallSender extends Runner<CallPlace, CallClaim, OpenCall, CallResult> {
  readonly #options: CallSenderOptions;
  readonly #places: CallPlaces;
  #nextUpkeepAt = Number.NEGATIVE_INFINITY;

  constructor(options: CallSenderOptions) {
    const { pool, log, guard, brands, transport, clock, stopGraceMs = defaultStopGraceMs } = options;
    const { random = Math.random, places = new CallPlaces() } = options;
    const deps: SendCallDeps = { ...options, random, shortSince: (of, now) => places.shortSince(of, now) };
    const health = new HealthNotes({ pool, clock, log });
    super(
      {
        queue: callQueue,
        async places() {
          const due = await dueTargets(pool);
          if (due.length === 0) return [];
          const settings = await readOpenSettings(pool);
          return due.flatMap((of) => {
            const own = settings.find(({ brand_id, channel }) => brand_id === of.brand_id && channel === of.channel);
            // If this process does not know the brand yet, its messages wait.
            if (own === undefined || !own.settings.enabled || brands.byId(of.brand_id) === undefined) return [];
            return [places.place(of, own.settings, clock())];
          });
        },
        async begin(claim) {
          const brand = brands.byId(claim.brand_id);
          if (brand === undefined) {
            await callQueue.release(pool, [claim]);
            return lost;
          }
          return beginMessage(claim, brand, deps);
        },
        async send(open, sendCheck) {
          places.began(open.claim);
          const result = await nullIfNotSent(sendCall(open, deps, sendCheck));
          if (result === null) {
            places.ended(open.claim, null);
            return null;
          }
          const judged = judgeCall(result, open.call);
          const isRateLimited = judged.outcome === 'retry' && judged.reason === 'rate_limited';
          const circuit = places.ended(open.claim, {
            isAlive: isAlive(judged),
            pauseMs: isRateLimited ? pauseMs(judged.retry_after_ms ?? undefined) : null,
          });
          await health.note({ of: open.claim, circuit, error: isAlive(judged) ? null : reasonOf(result) });
          return result;
        },
        callMs: ({ settings }) => callMsOf(settings),
        isStillAllowed: (open) => isStillAllowed(open, deps),
        finish: (open, result) => finishCall(open, result, deps),
        finishTries,
        cut: () => transport.destroy(),
        about: ({ message_id }) => ({ message_id }),
        words: {
          away: 'SMS and webhooks are not sent: the database is unavailable',
          again: 'SMS and webhooks are sent again',
          failed: 'SMS and webhooks cannot be claimed: internal error',
          brokeOff: 'a call to a provider was interrupted',
        },
      },
      { pool, log, guard, stopGraceMs },
    );
    this.#options = options;
    this.#places = places;
  }

  override async runOnce(): Promise<{ claimed: number; lost: number; deleted: number }> {
    const removed = await this.#upkeep();
    return { ...removed, ...(await super.runOnce()) };
  }

  async #upkeep(): Promise<{ lost: number; deleted: number }> {
    const now = performance.now();
    if (now < this.#nextUpkeepAt) return { lost: 0, deleted: 0 };
    this.#nextUpkeepAt = now + upkeepEveryMs;
    const { pool, clock } = this.#options;
    const lostCalls = await giveUpLostCalls(pool, perRound, clock());
    await expireWaitingCalls(pool, perRound, this.#places.shortages(clock()), clock());
    // Lists have no runner, so this chore also expires their entries.
    await expireEntries(pool, perRound, clock());
    const before = clock() - retention;
    const deleted = await deleteEndedCalls(pool, before, deletedPerRound);
    return { lost: lostCalls, deleted: deleted + (await deleteEndedEntries(pool, before, deletedPerRound)) };
  }
}

/** Uses texts of the platform only, because a provider's text may contain personal data. */
function reasonOf(result: CallResult): string {
  return result.answered ? `answered ${result.status}` : result.failure;
}
