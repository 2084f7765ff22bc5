import { dayOf, type Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../../brands/index.ts';
import { type ClockGuard, Rounds } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import { transaction } from '../../../database/index.ts';
import type { Service } from '../../../service.ts';
import { startComputation } from './computation-store.ts';

const pollMs = 600_000;
const hour: Micros = 3_600_000_000;
/** Hours after the brand's midnight, when few of its players are active. */
const nightHours = 4;

export interface RecomputationsOptions {
  pool: Pool;
  brands: Pick<BrandRegistry, 'byId'>;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
}

/**
 * Starts a recomputation of each segment in force once a day, in the brand's night. There should be no difference; a difference raises an
 * alarm.
 */
export class NightlyRecomputations implements Service {
  readonly #options: RecomputationsOptions;
  readonly #rounds: Rounds;

  constructor(options: RecomputationsOptions) {
    this.#options = options;
    this.#rounds = new Rounds({
      name: 'nightly recomputation of segments',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'nightly recomputations of segments are paused: the database is unavailable',
        again: 'nightly segment recomputation continues',
        failed: 'starting nightly segment recomputation failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Here a day of the brand begins `nightHours` after midnight, so that its first round is at night. */
  async runOnce(): Promise<{ started: number }> {
    const { pool, brands, clock } = this.#options;
    const at = clock();
    return transaction(pool, async (tx) => {
      const { rows } = await tx.query<{ version_id: number; brand_id: number; checked_on: string | null }>(
        `select version_id, brand_id, checked_on::text from segment_active where phase = 'in_force' for update skip locked`,
      );
      let started = 0;
      for (const { version_id, brand_id, checked_on } of rows) {
        const zone = brands.byId(brand_id)?.settings.time_zone;
        const today = zone === undefined ? null : dayOf(zone, at - nightHours * hour);
        if (today === null || today === checked_on) continue;
        await tx.query('update segment_active set checked_on = $2 where version_id = $1', [version_id, today]);
        // A version without `checked_on` came into force recently, and was computed then.
        if (checked_on === null) continue;
        await startComputation(tx, { version_id, brand_id, purpose: 'recompute' }, at);
        started++;
      }
      return { started };
    });
  }
}
