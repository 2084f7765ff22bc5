import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { deleteUnused, devicesOfRevoked } from './key-store.ts';
import { dropDevices } from './subscription-store.ts';

const pollMs = 2_000;
const devicesPerRound = 1_000;
/**
 * A page may get a key long before its player presses the button, so a former pair without devices accepts subscriptions for 1
 * hour.
 */
const unusedFor: Micros = 3_600_000_000;

/**
 * Removes the devices of revoked pairs with their waiting pushes, and pairs that no device uses any more. It does not
 * delay pushes.
 */
export class PushKeyUpkeep implements Service {
  readonly #deps: { pool: Pool; clock: Clock };
  readonly #rounds: Rounds<{ devices: number; pairs: number }>;

  constructor({ log, guard, ...deps }: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      name: 'push keys',
      guard,
      runOnce: () => this.runOnce(),
      isMore: ({ devices }) => devices === devicesPerRound,
      pollMs,
      log,
      words: {
        away: 'push keys are not cleaned up: the database is unavailable',
        again: 'push keys are cleaned up again',
        failed: 'push keys cannot be cleaned up: internal error',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Removes one portion of devices, and every pair that is no longer needed. */
  async runOnce(): Promise<{ devices: number; pairs: number }> {
    const { pool, clock } = this.#deps;
    const at = clock();
    const devices = await transaction(pool, async (tx) => {
      const subscription_ids = await devicesOfRevoked(tx, devicesPerRound);
      if (subscription_ids.length === 0) return 0;
      return dropDevices(tx, { by: 'number', subscription_ids }, 'key_revoked', at);
    });
    return { devices, pairs: await transaction(pool, (tx) => deleteUnused(tx, at - unusedFor)) };
  }
}
