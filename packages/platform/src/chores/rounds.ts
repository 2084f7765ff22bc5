import type { Logger } from 'pino';
import { isDatabaseAway } from '../database/index.ts';
import type { Service } from '../service.ts';
import type { ClockGuard } from './clock-guard.ts';

/*
 * When a chore looks for what is due: one round at once, then again when it is woken, and in any case `pollMs` after the round
 * before, which finds what fell due by time and what other processes asked for.
 *
 *              .<---------------- wake, or pollMs are over ----------------.
 *              v                                                           |
 *   start ---> round --- ended ---> resting (restMs) --- nothing asked --> idle
 *              | ^                     |
 *              | '<-- more, or woken --'
 *              |
 *              |--- failed ---> held back (pollMs) ---> round
 *              |
 *              '--- the guard says that the clock is wrong: no round; asked again after `pollMs`, or 10 s if that is less
 *
 *   stop: a round is waited for, every other state ends at once.
 *
 * Rounds never overlap. A wake that comes during a round may be about something the round could no longer see, so another follows;
 * however many come, it is one. Neither a rest nor holding back is ended by a wake: so whoever wakes a chore a thousand times a second
 * causes one round per `restMs`, and while the database is away one per `pollMs`.
 *
 * Nothing is remembered here that matters. A wake is lost with its process, or while the chore is stopped; the poll is the net below it.
 */
export interface RoundsOptions<Counts> {
  /** What the log calls the chore where it says that it is held. Required with a guard. */
  name?: string;
  /**
   * Holds the chore while the clock of the process is wrong. Required for a chore that drops, seals, packs or starts something, or that
   * stores the time; `every-chore.test.ts` lists which those are. Default: the chore runs whatever the clock shows.
   */
  guard?: ClockGuard | undefined;
  /** Whether `start` resolves after the first round, however that ended. Default: at once. */
  isFirstAwaited?: boolean;
  /** One round. What it has begun may go on after it; what it throws is logged, and the next round tries again. */
  runOnce(): Promise<Counts>;
  /** Whether another round is to follow without waiting for a wake, as after a full batch. Default: never. */
  isMore?(counts: Counts): boolean;
  /** From the end of a round to the next one that nobody asked for: with a round's own time the latest moment at which something due is found. */
  pollMs: number;
  /** Between two rounds at least, and less than `pollMs`. Default 0: one that was asked for follows at once. */
  restMs?: number;
  log: Logger;
  words: {
    /** Said once, not with every round until it is back: the first round that the database did not answer. */
    away: string;
    /** The first round that succeeded after that. */
    again: string;
    /** Said each time: a round failed for another reason, which is a fault of ours. */
    failed: string;
  };
}

/** A chore that is held looks this often whether it may go on, so that an hourly one loses no hour. */
const longestHeldMs = 10_000;

export class Rounds<Counts = unknown> implements Service {
  readonly #options: RoundsOptions<Counts>;
  #isRunning = false;
  #loop: Promise<void> | undefined;
  /** Since the last round began. */
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

  /** Resolves when no round is under way any more; what rounds have begun is not waited for (see `Underway`). */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#pause?.end();
    await this.#loop;
    this.#loop = undefined;
  }

  /** Something may be due: look now. Cheap, and never waits. */
  readonly wake = (): void => {
    this.#isWoken = true;
    if (this.#pause?.isEndedByWake) this.#pause.end();
  };

  async #run(onFirst: () => void): Promise<void> {
    const { pollMs, restMs = 0 } = this.#options;
    while (this.#isRunning) {
      this.#isWoken = false;
      const ended = this.#mayRun() ? await this.#round() : 'held';
      onFirst();
      if (ended === 'held') {
        await this.#wait(Math.min(pollMs, longestHeldMs), { isEndedByWake: false });
        continue;
      }
      await this.#wait(ended === 'failed' ? pollMs : restMs, { isEndedByWake: false });
      if (ended === 'done' && !this.#isWoken) await this.#wait(pollMs - restMs, { isEndedByWake: true });
    }
  }

  #mayRun(): boolean {
    const { guard, name, log } = this.#options;
    const isHeld = guard?.isWrong() ?? false;
    if (isHeld && !this.#isHeld)
      log.warn({ chore: name }, 'a chore is held until the clock of this process agrees with the database clock');
    if (!isHeld && this.#isHeld)
      log.info({ chore: name }, 'a chore goes on: the clock of this process agrees with the database clock');
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
