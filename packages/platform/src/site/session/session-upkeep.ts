import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type BrandRegistry, longestJwtMinutes } from '../../brands/index.ts';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import { forgetEndsBefore } from './end-store.ts';
import { tokenSeconds } from './token-lifetime.ts';

const pollMs = 600_000;
/** Twice the lifetime of a token. It is enough unless a clock is an hour behind. */
const keepSeconds = 2 * tokenSeconds;
/** Added to the age at which every brand refuses a JWT: operators' clocks may differ by half a minute. */
const jwtMarginSeconds = 60;
/**
 * Computed from the highest possible `max_age_minutes`, not from the brand's own value. Otherwise, if the brand raised it later,
 * JWTs with which a player signed out would become valid again.
 */
const keepOfJwtsSeconds = longestJwtMinutes * 60 + jwtMarginSeconds;

/**
 * Deletes the ends of single sessions once all tokens of the session, and its JWT, have expired. One row per player stays: the
 * last end of all sessions.
 */
export class SessionUpkeep implements Service {
  readonly #pool: Pool;
  readonly #brands: Pick<BrandRegistry, 'all'>;
  readonly #clock: Clock;
  readonly #rounds: Rounds;

  constructor(options: {
    pool: Pool;
    brands: Pick<BrandRegistry, 'all'>;
    clock: Clock;
    log: Logger;
    guard?: ClockGuard;
  }) {
    this.#pool = options.pool;
    this.#brands = options.brands;
    this.#clock = options.clock;
    this.#rounds = new Rounds({
      name: 'session upkeep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'ended sessions are not cleaned up: the database is unavailable',
        again: 'ended sessions are cleaned up again',
        failed: 'session cleanup failed; will retry in 10 min',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runOnce(): Promise<{ forgotten: number }> {
    const now = this.#clock();
    const limits = this.#brands.all().map(({ brand_id, site_jwt }) => {
      const kept = site_jwt === null ? keepSeconds : keepOfJwtsSeconds;
      return { brand_id, before: now - kept * 1_000_000 };
    });
    return { forgotten: await forgetEndsBefore(this.#pool, limits) };
  }
}
