import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../clock.ts';
import type { Service } from '../service.ts';
import type { ClockGuard } from './clock-guard.ts';
import {
  agreementOf,
  betterOf,
  type ClockAgreement,
  type ClockReference,
  databaseMsAt,
  referenceOf,
} from './clock-reference.ts';
import { forgetClock, noteClock, readDatabaseMs } from './clock-store.ts';
import { Rounds } from './rounds.ts';

/*
 * Compares the clock of this process with the database's, at the start and every 5 s.
 *
 *     unknown ---> agrees <--- 5 s ---> apart <--- 60 s ---> wrong
 *       |                                (warns)               |
 *       '-------- guarded chores are held, no leases ----------'
 *
 * The database's clock is authoritative, because all processes share it. Otherwise a worker that is 500 days ahead
 * would drop the journal, forget erased players and pack today's events. If the database's clock is wrong, every
 * process is held and reports it.
 */
const pollMs = 5_000;
/** An answer that took longer is too inexact. The database is then in trouble, and the next round tries again. */
const longestTripMs = 5_000;

export interface DatabaseClockOptions {
  pool: Pool;
  log: Logger;
  /** Unique among all processes of the database. */
  process: string;
  /** The clock to compare. Default: the machine's. */
  clock?: Clock;
  /** Milliseconds of a clock that never steps. */
  monotonic?: () => number;
}

export class DatabaseClock implements Service, ClockGuard {
  readonly #options: DatabaseClockOptions;
  readonly #own: Clock;
  readonly #monotonic: () => number;
  readonly #rounds: Rounds;
  #reference: ClockReference | undefined;
  #said: ClockAgreement = 'unknown';

  constructor(options: DatabaseClockOptions) {
    this.#options = options;
    this.#own = options.clock ?? systemClock;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#rounds = new Rounds({
      name: 'clock',
      runOnce: () => this.runOnce(),
      isFirstAwaited: true,
      pollMs,
      log: options.log,
      words: {
        away: 'the clocks of this process and the database are not compared: the database is unavailable',
        again: 'the clocks of this process and the database are compared again',
        failed: 'comparing the clocks of this process and the database failed; will retry in the next round',
      },
    });
  }

  /** Resolves after the first comparison. */
  start(): Promise<void> {
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await forgetClock(this.#options.pool, this.#options.process).catch(() => {
      // The row is ignored one minute after its last comparison.
    });
  }

  /**
   * Resolves once the clocks were compared, immediately if they already were. Wait for it before something is stored that
   * cannot be corrected later: a process that starts while the database is unavailable knows only its own clock, which
   * may be wrong.
   *
   * @throws if the database does not return its time now
   */
  async compared(): Promise<void> {
    if (this.#reference !== undefined) return;
    await this.runOnce();
    if (this.#reference === undefined) throw new Error('the database took too long to return its time');
  }

  /**
   * Returns the database's time. Before the first comparison, it returns the process's own time; every guarded chore is held until then.
   */
  readonly now: Clock = () => {
    if (this.#reference === undefined) return this.#own();
    return Math.floor(databaseMsAt(this.#reference, this.#monotonic())) * 1_000;
  };

  /**
   * The time for everything that is not destructive: the process's own clock while it is within 5 s of the database's,
   * otherwise the database's. So a process with a wrong clock stores no wrong times, and on a healthy one a slow answer
   * of the database changes no time.
   */
  readonly agreed: Clock = () => {
    const own = this.#own();
    return agreementOf(this.#offsetMs(own)) === 'agrees' ? own : this.now();
  };

  isWrong(): boolean {
    const { agreement } = this.status();
    return agreement === 'unknown' || agreement === 'wrong';
  }

  /** `offset_ms`: how far this process is ahead of the database. */
  status(): { agreement: ClockAgreement; offset_ms: number | undefined } {
    const offset_ms = this.#offsetMs(this.#own());
    return { agreement: agreementOf(offset_ms), offset_ms };
  }

  #offsetMs(own: Micros): number | undefined {
    if (this.#reference === undefined) return undefined;
    return Math.round(own / 1_000 - databaseMsAt(this.#reference, this.#monotonic()));
  }

  async runOnce(): Promise<{ agreement: ClockAgreement }> {
    const { pool, process } = this.#options;
    const client = await pool.connect();
    try {
      const sentMs = this.#monotonic();
      const databaseMs = await readDatabaseMs(client);
      const answeredMs = this.#monotonic();
      if (answeredMs - sentMs > longestTripMs) return this.status();
      this.#reference = betterOf(this.#reference, referenceOf(databaseMs, { sentMs, answeredMs }));
      const { agreement, offset_ms = 0 } = this.status();
      this.#say(agreement, offset_ms);
      await noteClock(client, { process, offset_ms, compared_at: this.now() });
      return { agreement };
    } finally {
      client.release();
    }
  }

  #say(agreement: ClockAgreement, offset_ms: number): void {
    const { log } = this.#options;
    if (agreement === this.#said) return;
    if (agreement === 'wrong')
      log.error(
        { offset_ms },
        "the clock of this process differs from the database's clock by more than 60 s: it takes no leases and runs no chore that drops, seals, packs or starts anything; correct the clock",
      );
    else if (agreement === 'apart')
      log.warn({ offset_ms }, "the clock of this process differs from the database's clock by more than 5 s");
    else if (this.#said !== 'unknown')
      log.info({ offset_ms }, "the clock of this process agrees with the database's clock again");
    this.#said = agreement;
  }
}
