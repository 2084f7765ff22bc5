import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway } from '../../database/index.ts';
import type { Gate } from '../../gate/index.ts';
import type { Service } from '../../service.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { isKeeperWorkDue } from './due-work.ts';
import { expireMessages } from './expiry.ts';
import { askAgain, type HeldRound } from './held.ts';
import { type Forgotten, forgetOld } from './old.ts';
import { withdrawFurther } from './protect.ts';
import { advanceRecall } from './recall.ts';

/*
 * Processes held messages, recalls, withdrawals and expiry, and deletes old messages.
 *
 * A round takes one portion of each, so that a recall of 100,000 does not delay held messages. The next round follows immediately
 * while there is more. Several workers share the work: each skips rows and recalls that another has locked.
 */
const pollMs = 250;
/** If there are no old messages, look again after a minute. Age is counted in days, so this is often enough. */
const oldEvery = 60_000_000;

export interface KeeperRound {
  asked: number;
  live: number;
  withheld: number;
  dropped: number;
  withdrawn: number;
  expired: number;
  /** Number of messages deleted. */
  forgotten: number;
  /** More work may be due. */
  more: boolean;
}

const nothingDone: Readonly<KeeperRound> = {
  asked: 0,
  live: 0,
  withheld: 0,
  dropped: 0,
  withdrawn: 0,
  expired: 0,
  forgotten: 0,
  more: false,
};

export interface KeeperOptions {
  pool: Pool;
  brands: { all(): readonly Pick<Brand, 'brand_id' | 'settings'>[] };
  gate: Pick<Gate, 'mayContact'>;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Receives the signals of each portion, after its commit. */
  signals: { poke(signals: readonly SiteSignal[]): void };
}

export class NotificationKeeper implements Service {
  readonly #options: KeeperOptions;
  readonly #rounds: Rounds;
  /** When to look for old messages again. */
  #oldAt = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#rounds = new Rounds({
      name: 'site messages',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isMore: ({ more }) => more,
      pollMs,
      log: options.log,
      words: {
        away: 'site messages are not processed: the database is unavailable',
        again: 'site messages are processed again',
        failed: 'processing site messages failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /**
   * Processes one portion of each kind of work; an error in one kind does not affect the others. @throws if the database is
   * unavailable
   */
  async runOnce(): Promise<KeeperRound> {
    const { pool, clock } = this.#options;
    const now = clock();
    if (now < this.#oldAt && !(await isKeeperWorkDue(pool, now))) return nothingDone;
    const held = await this.#portion(() => this.#askAgain());
    const further = await this.#portion(() => withdrawFurther(this.#options));
    const recalled = await this.#portion(() => advanceRecall(this.#options));
    const expired = (await this.#portion(() => expireMessages(pool, clock())))?.expired ?? 0;
    const old = await this.#portion(() => this.#forgetOld());
    const { asked, live, withheld, dropped } = held ?? { asked: 0, live: 0, withheld: 0, dropped: 0 };
    const withdrawn = (further?.withdrawn ?? 0) + (recalled?.signals.length ?? 0);
    const more = live + withheld + dropped + expired > 0 || further !== null || recalled !== null || old?.more === true;
    return { asked, live, withheld, dropped, withdrawn, expired, forgotten: old?.messages ?? 0, more };
  }

  async #askAgain(): Promise<HeldRound> {
    const round = await askAgain(this.#options);
    for (const { message_id, error } of round.failures) {
      this.#options.log.error({ err: error, message_id }, 'a held message could not be checked; will retry in 1 min');
    }
    return round;
  }

  async #forgetOld(): Promise<Forgotten | null> {
    const { pool, brands, clock } = this.#options;
    const now = clock();
    if (now < this.#oldAt) return null;
    const forgotten = await forgetOld(pool, brands.all(), now);
    if (!forgotten.more) this.#oldAt = now + oldEvery;
    return forgotten;
  }

  /** @returns null if there was nothing to do, or it failed */
  async #portion<T extends object>(work: () => Promise<(T & { signals?: SiteSignal[] }) | null>) {
    try {
      const done = await work();
      this.#options.signals.poke(done?.signals ?? []);
      return done;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.#options.log.error({ err: error }, 'site messages were not processed; will retry in the next round');
      return null;
    }
  }
}
