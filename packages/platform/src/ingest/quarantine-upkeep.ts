import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../brands/index.ts';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import type { Service } from '../service.ts';
import { removeExcess, removeOld } from './quarantine-age.ts';

const pollMs = 60 * 60_000;

/** Removes bodies from the quarantine that are too old or too many. The overview announces this for a week. */
export class QuarantineUpkeep implements Service {
  readonly #pool: Pool;
  readonly #brands: { all(): readonly Pick<Brand, 'brand_id' | 'code' | 'settings'>[] };
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #rounds: Rounds;

  constructor(options: {
    pool: Pool;
    brands: { all(): readonly Pick<Brand, 'brand_id' | 'code' | 'settings'>[] };
    clock: Clock;
    log: Logger;
    guard?: ClockGuard;
  }) {
    this.#pool = options.pool;
    this.#brands = options.brands;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#rounds = new Rounds({
      name: 'quarantine upkeep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'quarantine upkeep is paused: the database is unavailable',
        again: 'quarantine upkeep continues',
        failed: 'quarantine upkeep failed; will retry in 1 h',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runOnce(): Promise<{ removed: number }> {
    let removed = 0;
    for (const { brand_id, code, settings } of this.#brands.all()) {
      const { quarantine_days } = settings;
      const old = await removeOld(this.#pool, { brand_id, quarantine_days }, this.#clock());
      const excess = await removeExcess(this.#pool, { brand_id });
      removed += old.removed + excess.removed;
      if (old.removed + excess.removed > 0)
        this.#log.info({ brand: code, old, excess }, 'invalid events were removed from the quarantine');
    }
    return { removed };
  }
}
