import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { isDeliveryDue, noteHandled, postponeDelivery, takeDeliveries } from './delivery-store.ts';
import type { Follower, ProtectionTransition } from './transition.ts';

/*
 * Passes transitions to one follower. Each one is passed again until its handler's transaction commits, and never after that:
 *
 *                  taken (row deleted, handled, in one transaction)
 *     delivery ------------------------------------------------------> gone
 *        ^ |
 *        | '-- handler fails: the batch is repeated one by one, so that only the failing transition fails
 *        '----- waits (1 s, 5 s, 30 s, then every 5 min), and its failure is stored with it
 *
 * Any number of processes may follow: each skips rows that another has taken. So transitions of one player may arrive in any
 * order; a handler reads the current state and uses a transition only as the reason to read it.
 *
 * It polls every 250 ms, using an index of due rows that is nearly always empty. An exclusion must take effect within a second,
 * so 750 ms remain for the look-up and the handler.
 */
const defaultPollMs = 250;
const maxBatch = 200;
const retryMs = [1_000, 5_000, 30_000, 300_000];

export interface FollowerOptions {
  pool: Pool;
  log: Logger;
  guard?: ClockGuard;
  follower: Follower;
  /** Runs in the transaction that deletes the deliveries. If it throws, they are delivered again. */
  handle(tx: PoolClient, transitions: readonly ProtectionTransition[]): Promise<void>;
  /** Default: that of the process. */
  clock?: Clock;
  /** Default 250. */
  pollMs?: number;
}

export class TransitionFollower implements Service {
  readonly #options: FollowerOptions;
  readonly #rounds: Rounds;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { pollMs = defaultPollMs, follower } = options;
    this.#rounds = new Rounds({
      name: `transitions for ${follower}`,
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isMore: ({ handled }) => handled === maxBatch,
      pollMs,
      log: options.log.child({ follower }),
      words: {
        away: 'transitions are not handled: the database is unavailable',
        again: 'transitions are handled again',
        failed: 'handling transitions failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Handles one batch. @throws errors of the database; errors of the handler are stored as failures of its transitions */
  async runOnce(): Promise<{ handled: number; failed: number }> {
    const { pool, follower } = this.#options;
    if (!(await isDeliveryDue(pool, follower))) return { handled: 0, failed: 0 };
    let handlerError: unknown;
    try {
      const handled = await this.#handle({ limit: maxBatch }, (error) => {
        handlerError = error;
      });
      return { handled, failed: 0 };
    } catch (error) {
      if (handlerError === undefined) throw error;
      return this.#oneByOne();
    }
  }

  async #oneByOne(): Promise<{ handled: number; failed: number }> {
    const counts = { handled: 0, failed: 0 };
    for (let left = maxBatch; left > 0; left--) {
      let culprit: { transition: ProtectionTransition; attempts: number; error: unknown } | undefined;
      try {
        const handled = await this.#handle({ limit: 1 }, (error, [first]) => {
          if (first) culprit = { ...first, error };
        });
        if (handled === 0) break;
        counts.handled += handled;
      } catch (error) {
        if (culprit === undefined) throw error;
        await this.#postpone(culprit);
        counts.failed++;
      }
    }
    return counts;
  }

  #handle(
    { limit }: { limit: number },
    onFailure: (error: unknown, taken: { transition: ProtectionTransition; attempts: number }[]) => void,
  ): Promise<number> {
    const { pool, follower, handle, clock = systemClock } = this.#options;
    return transaction(pool, async (tx) => {
      const taken = await takeDeliveries(tx, follower, limit);
      if (taken.length === 0) return 0;
      const transitions = taken.map(({ transition }) => transition);
      await handle(tx, transitions).catch((error: unknown) => {
        onFailure(error, taken);
        throw error;
      });
      await noteHandled(tx, transitions, clock());
      return taken.length;
    });
  }

  async #postpone(culprit: { transition: ProtectionTransition; attempts: number; error: unknown }): Promise<void> {
    const { pool, log, follower } = this.#options;
    const { transition, attempts, error } = culprit;
    const delay_ms = retryMs[Math.min(attempts, retryMs.length - 1)] ?? 0;
    log.error(
      { err: error, follower, transition_id: transition.transition_id, delay_ms },
      'a transition could not be handled',
    );
    const failure = error instanceof Error ? error.message : String(error);
    await postponeDelivery(pool, { follower, transition_id: transition.transition_id, delay_ms, failure });
  }
}
