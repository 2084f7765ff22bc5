import type { Logger } from 'pino';
import { isDatabaseAway } from '../database/index.ts';
import type { Service } from '../service.ts';
import type { ClockGuard } from './clock-guard.ts';

/*
 * Decides when a chore looks for what is due: one round immediately, then again whenever it is woken, and in any case `pollMs`
 * after the previous round. The rounds by `pollMs` find what became due by time and what other processes requested.
 *
 *              .<---------------- wake, or pollMs are over ----------------.
 *              v                                                           |
 *   start ---> round --- ended ---> resting (restMs) --- no wake --------> idle
 *              | ^                     |
 *              | '<-- more, or woken --'
 *              |
 *              |--- failed ---> held back (pollMs) ---> round
 *              |
 *              '--- the guard says that the clock is wrong: no round; checked again after `pollMs`, or 10 s if that is less
 *
 *   stop: waits for a running round; every other state ends immediately.
 *
 * Rounds never overlap. A wake during a round may concern something that the round could no longer see, so one more
 * round follows, however many wakes there were. A wake ends neither a rest nor holding back. So a thousand wakes per
 * second cause one round per `restMs`, and one per `pollMs` while the database is unavailable.
 *
 * Nothing important is stored here. A wake is lost if its process ends or the chore is stopped. The next poll then finds
 * the work.
 */
export interface RoundsOptions<Counts> {
  /** The chore's name, for the log message that says that the chore is held. Required with a guard. */
  name?: string;
  /**
   * Holds the chore while the clock of the process is wrong. Required for a chore that drops, seals, packs or starts
   * something, or that stores the time; `every-chore.test.ts` lists them. Default: the chore runs even if the clock is
   * wrong.
   */
  guard?: ClockGuard | undefined;
  /** True if `start` should resolve after the first round, even if the round failed. Default: immediately. */
  isFirstAwaited?: boolean;
  /** Runs one round. Work that it starts may continue afterwards. Errors are logged, and the next round tries again. */
  runOnce(): Promise<Counts>;
  /** Returns true if another round should follow without a wake, as after a full batch. Default: never. */
  isMore?(counts: Counts): boolean;
  /**
   * The time from the end of a round to the next one without a wake. Something due is found at the latest after this
   * time plus a round's duration.
   */
  pollMs: number;
  /**
   * The minimum time between two rounds. If it is a function, the function receives how long the last round took, and whether another
   * should follow without a wake. A rest longer than `pollMs` delays what is due by as much. Default 0: a requested round follows
   * immediately.
   */
  restMs?: number | ((round: { ms: number; isMore: boolean }) => number);
  log: Logger;
  words: {
    /** Logged once, at the first round without an answer of the database. */
    away: string;
    /** Logged at the first successful round after that. */
    again: string;
    /** Logged each time a round fails for another reason, which is a bug. */
    failed: string;
  };
}

/** A held chore checks this often whether it may continue, so that an hourly chore does not lose an hour. */
const longestHeldMs = 10_000;

export class Rounds<Counts = unknown> implements Service {
  readonly #options: RoundsOptions<Counts>;
  #isRunning = false;
  #loop: Promise<void> | undefined;
  /** True if there was a wake since the last round began. */
  #isWoken = false;
  #pause: { isEndedByWake: boolean; end(): void } | undefined;
  #isAway = false;
  #isHeld = false;

  constructor(options: RoundsOptions<Counts>) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#isRunning = true;
    const first = Promise.withResolvers<void>();
    if (this.#loop === undefined) this.#loop = this.#run(first.resolve);
    else first.resolve();
    if (this.#options.isFirstAwaited) await first.promise;
  }

  /** Resolves when no round is running. It does not wait for the work that rounds have started (see `Underway`). */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#pause?.end();
    await this.#loop;
    this.#loop = undefined;
  }

  /** Call this if something may be due. It is cheap and never waits. */
  readonly wake = (): void => {
    this.#isWoken = true;
    if (this.#pause?.isEndedByWake) this.#pause.end();
  };

  async #run(onFirst: () => void): Promise<void> {
    const { pollMs, restMs = 0 } = this.#options;
    while (this.#isRunning) {
      this.#isWoken = false;
      const startedAt = performance.now();
      const ended = this.#mayRun() ? await this.#round() : 'held';
      onFirst();
      if (ended === 'held') {
        await this.#wait(Math.min(pollMs, longestHeldMs), { isEndedByWake: false });
        continue;
      }
      const round = { ms: performance.now() - startedAt, isMore: ended === 'more' };
      const rest = typeof restMs === 'number' ? restMs : restMs(round);
      await this.#wait(ended === 'failed' ? pollMs : rest, { isEndedByWake: false });
      if (ended === 'done' && !this.#isWoken) await this.#wait(pollMs - rest, { isEndedByWake: true });
    }
  }

  #mayRun(): boolean {
    const { guard, name, log } = this.#options;
    const isHeld = guard?.isWrong() ?? false;
    if (isHeld && !this.#isHeld)
      log.warn({ chore: name }, "a chore is held until the clock of this process agrees with the database's clock");
    if (!isHeld && this.#isHeld)
      log.info({ chore: name }, "a chore continues: the clock of this process agrees with the database's clock");
    this.#isHeld = isHeld;
    return !isHeld;
  }

  async #round(): Promise<'done' | 'more' | 'failed'> {
    const { log, words } = this.#options;
    try {
      const counts = await this.#options.runOnce();
      if (this.#isAway) log.info(words.again);
      this.#isAway = false;
      return this.#options.isMore?.(counts) ? 'more' : 'done';
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, words.failed);
      else if (!this.#isAway) {
        this.#isAway = true;
        log.warn({ err: error }, words.away);
      }
      return 'failed';
    }
  }

  #wait(ms: number, { isEndedByWake }: { isEndedByWake: boolean }): Promise<void> {
    if (ms <= 0 || !this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pause = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#pause = { isEndedByWake, end };
    });
  }
}
