import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import type { ClockGuard } from '../../chores/index.ts';
import { lost, Runner } from '../../outgoing/index.ts';
import { type DeliveryClaim, type DeliveryPlace, deleteEnded, deliveryQueue, giveUpLost } from './delivery-store.ts';
import { PushHosts } from './hosts.ts';
import { beginPush, finishPush, isStillAllowed, type OpenPush, type SendDeps, sendPush } from './send.ts';
import type { PushResult } from './transport.ts';

/* Sends due pushes (send.ts), each push service within its own slots (hosts.ts), with the engine for outgoing calls. */
const lostPerRound = 500;
/** Rows of pushes that have ended are kept for 90 days, so that people can look up their outcome. */
const retention = 90 * 24 * 3_600_000_000;
const deletedPerRound = 1_000;
const upkeepEveryMs = 10_000;
const defaultStopGraceMs = 8_000;
/**
 * An outcome that the database cannot store is kept in memory and retried for about two minutes. After that, it is only in the
 * log, and the state of the push is unknown.
 */
const finishTries = 25;

export interface SenderOptions extends Omit<SendDeps, 'random'> {
  brands: { byId(brandId: number): Brand | undefined };
  log: Logger;
  guard?: ClockGuard;
  random?: () => number;
  /** Default 8000. */
  stopGraceMs?: number;
}

export class PushSender extends Runner<DeliveryPlace, DeliveryClaim, OpenPush, PushResult> {
  readonly #options: SenderOptions;
  #nextUpkeepAt = Number.NEGATIVE_INFINITY;

  constructor(options: SenderOptions) {
    const { pool, log, guard, brands, transport, stopGraceMs = defaultStopGraceMs, random = Math.random } = options;
    const deps: SendDeps = { ...options, random };
    const hosts = new PushHosts();
    super(
      {
        queue: deliveryQueue,
        places: () => hosts.places(pool),
        passedOver: (place) => hosts.passedOver(place),
        async begin(claim) {
          const brand = brands.byId(claim.brand_id);
          if (brand !== undefined) return beginPush(claim, brand, deps);
          await deliveryQueue.release(pool, [claim]);
          return lost;
        },
        async send(open, sendCheck) {
          const result = await sendPush(open, deps, sendCheck);
          if (result === null) return null;
          hosts.record(open.claim.host, result.answered);
          return result;
        },
        callMs: () => transport.callTimeoutMs,
        isStillAllowed: (open) => isStillAllowed(open, deps),
        async finish(open, result) {
          const outcome = await finishPush(open, result, deps);
          if (outcome.outcome === 'give_up' && outcome.reason === 'vapid_refused')
            log.warn(
              { brand_id: open.claim.brand_id, host: open.claim.host, delivery_id: open.claim.delivery_id },
              "a push service refused the brand's signature; check push.contact and the clock",
            );
          return outcome;
        },
        finishTries,
        cut: () => transport.destroy(),
        about: ({ delivery_id }) => ({ delivery_id }),
        words: {
          away: 'pushes are not sent: the database is unavailable',
          again: 'pushes are sent again',
          failed: 'pushes cannot be claimed: internal error',
          brokeOff: 'sending a push was interrupted',
        },
      },
      { pool, log, guard, stopGraceMs },
    );
    this.#options = options;
  }

  override async runOnce(): Promise<{ claimed: number; lost: number; deleted: number }> {
    const retained = await this.#upkeep();
    return { ...retained, ...(await super.runOnce()) };
  }

  async #upkeep(): Promise<{ lost: number; deleted: number }> {
    const now = performance.now();
    if (now < this.#nextUpkeepAt) return { lost: 0, deleted: 0 };
    this.#nextUpkeepAt = now + upkeepEveryMs;
    const { pool, clock } = this.#options;
    const lost = await giveUpLost(pool, lostPerRound, clock());
    return { lost, deleted: await deleteEnded(pool, clock() - retention, deletedPerRound) };
  }
}
