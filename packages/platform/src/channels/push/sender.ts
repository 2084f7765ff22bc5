import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import { Rounds, Underway } from '../../chores/index.ts';
import { isUnfitValue } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import {
  claimDeliveries,
  type DeliveryClaim,
  deleteEnded,
  dueOf,
  giveUpLost,
  releaseDeliveries,
  waitingHosts,
} from './delivery-store.ts';
import { type HostDue, HostSlots } from './host-slots.ts';
import { beginPush, finishPush, type OpenPush, type SendDeps, sendPush } from './send.ts';
import type { PushResult } from './transport.ts';

/*
 * Sends the pushes that are due (send.ts), each push service within its own slots (host-slots.ts). The rows say what is due and what is
 * open; nothing is remembered here that matters. The calls of a round go on after it.
 */
const pollMs = 250;
/** Between two rounds: one for all slots that come free meanwhile. */
const restMs = 25;
/** Unproven hosts looked at in one round; the next one goes on behind them. Two looks into an index each. */
const hostsPerRound = 1_000;
const lostPerRound = 500;
/** Rows of pushes that have ended are kept for so long: a quarter, in which somebody may ask what became of one. */
const keptMicros = 90 * 24 * 3_600_000_000;
const deletedPerRound = 1_000;
const upkeepEveryMs = 10_000;
const defaultStopGraceMs = 8_000;
/** An outcome that the database does not take waits in memory; after about two minutes it is only in the log, and the push unknown. */
const finishRetryMs = [100, 500, 2_000, 5_000];
const maxFinishTries = 25;

export interface SenderOptions extends Omit<SendDeps, 'random'> {
  brands: { byId(brandId: number): Brand | undefined };
  log: Logger;
  random?: () => number;
  /** Default 8000. */
  stopGraceMs?: number;
}

export class PushSender implements Service {
  readonly #options: SenderOptions & { random: () => number };
  readonly #slots = new HostSlots();
  readonly #rounds: Rounds;
  readonly #calls = new Underway<DeliveryClaim>();
  readonly #aborted = new AbortController();
  /** More is due there than the last round could begin. */
  #crowded = new Set<string>();
  /** Some got no slot at all: whichever call ends makes room for one. */
  #isFull = false;
  /** Among unproven hosts the next round begins here. */
  #first = '';
  #nextUpkeepAt = Number.NEGATIVE_INFINITY;

  constructor(options: SenderOptions) {
    this.#options = { random: Math.random, ...options };
    this.#rounds = new Rounds({
      runOnce: () => this.runOnce(),
      ...{ pollMs, restMs, log: options.log },
      words: {
        away: 'no pushes are sent while the database is away',
        again: 'pushes are sent again',
        failed: 'no pushes are claimed: this is a fault of ours',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#calls.finish(this.#options.stopGraceMs ?? defaultStopGraceMs);
    this.#aborted.abort();
    await this.#options.transport.destroy();
    await this.idle();
  }

  /** Resolves when no call is under way. */
  idle(): Promise<void> {
    return this.#calls.idle();
  }

  /** One round: claims what is due and begins it. The calls go on after it has returned. */
  async runOnce(): Promise<{ claimed: number; lost: number; deleted: number }> {
    const kept = await this.#upkeep();
    const { pool } = this.#options;
    const proven = this.#slots.free(await dueOf(pool, this.#slots.proven));
    const unproven = this.#slots.free(await this.#unprovenHosts());
    this.#first = unproven.passedOver ?? this.#first;
    const slots = [...proven.slots, ...unproven.slots];
    this.#crowded = new Set(slots.filter(({ more }) => more).map(({ host }) => host));
    this.#isFull = (proven.passedOver ?? unproven.passedOver) !== null;
    const claims = await claimDeliveries(pool, slots);
    for (const claim of claims) this.#begin(claim);
    return { claimed: claims.length, ...kept };
  }

  /** Once around from `#first`, or as far as one round looks: then the next one begins where this one stopped. */
  async #unprovenHosts(): Promise<HostDue[]> {
    const { pool } = this.#options;
    const from = this.#first;
    const hosts = await waitingHosts(pool, from, hostsPerRound);
    const left = hostsPerRound - hosts.length;
    this.#first = left > 0 ? '' : (hosts.at(-1)?.host ?? '');
    const seen = new Set(hosts.map(({ host }) => host));
    if (left > 0 && from !== '')
      hosts.push(...(await waitingHosts(pool, '', left)).filter(({ host }) => !seen.has(host)));
    return hosts.filter(({ host }) => !this.#slots.isProven(host));
  }

  async #upkeep(): Promise<{ lost: number; deleted: number }> {
    const now = performance.now();
    if (now < this.#nextUpkeepAt) return { lost: 0, deleted: 0 };
    this.#nextUpkeepAt = now + upkeepEveryMs;
    const { pool, clock } = this.#options;
    const lost = await giveUpLost(pool, lostPerRound, clock());
    return { lost, deleted: await deleteEnded(pool, clock() - keptMicros, deletedPerRound) };
  }

  #begin(claim: DeliveryClaim): void {
    const giveBack = this.#slots.take(claim.host);
    const done = this.#carryOut(claim)
      .then(giveBack, (error: unknown) => {
        giveBack(null);
        const { delivery_id } = claim;
        // Before the call nothing is lost: the claim runs out. Afterwards #finish has tried what can be tried.
        this.#options.log.error({ err: error, delivery_id }, 'a push broke off');
      })
      .finally(() => {
        if (this.#isFull || this.#crowded.has(claim.host)) this.#rounds.wake();
      });
    this.#calls.begin(claim, done);
  }

  /** @returns whether the push service answered; null: it was not called. */
  async #carryOut(claim: DeliveryClaim): Promise<boolean | null> {
    const brand = this.#options.brands.byId(claim.brand_id);
    if (brand === undefined || this.#aborted.signal.aborted) {
      await releaseDeliveries(this.#options.pool, [claim]);
      return null;
    }
    const open = await beginPush(claim, brand, this.#options);
    if (open === null) return null;
    const result = await sendPush(open, this.#options);
    await this.#finish(open, result);
    return result === null ? null : result.answered;
  }

  async #finish(open: OpenPush, result: PushResult | null): Promise<void> {
    const { signal } = this.#aborted;
    for (let tries = 1; ; tries++) {
      try {
        const outcome = await finishPush(open, result, this.#options);
        if (outcome?.outcome === 'failed' && outcome.reason === 'vapid_refused')
          this.#options.log.warn(
            { brand_id: open.claim.brand_id, host: open.claim.host, delivery_id: open.claim.delivery_id },
            "a push service refused the brand's signature: see push.contact, and the clock",
          );
        return;
      } catch (error) {
        if (tries === maxFinishTries || isUnfitValue(error) || signal.aborted) throw error;
        const wait = finishRetryMs[Math.min(tries, finishRetryMs.length) - 1];
        await delay(wait, undefined, { signal }).catch(() => {});
      }
    }
  }
}
