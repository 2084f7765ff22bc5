import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import { tokenSeconds } from './auth-tokens.ts';
import { forgetEndsBefore } from './end-store.ts';

const everyMs = 600_000;
/** Twice the life of a token: no clock is an hour behind. */
const keepSeconds = 2 * tokenSeconds;
/** Beyond the age at which the brand refuses a JWT: clocks of operators differ by half a minute. */
const jwtMarginSeconds = 60;

/**
 * Forgets ends of single sessions once every token of theirs, and the JWT behind them, has run out. One row per player stays,
 * for their last end of all.
 */
export class SessionUpkeep implements Service {
  readonly #pool: Pool;
  readonly #brands: Pick<BrandRegistry, 'all'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(options: { pool: Pool; brands: Pick<BrandRegistry, 'all'>; clock: Clock; log: Logger }) {
    this.#pool = options.pool;
    this.#brands = options.brands;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => {
      this.#round ??= this.runOnce()
        .then(() => {})
        .catch((error: unknown) => this.#log.warn({ err: error }, 'ended sessions are forgotten later'))
        .finally(() => {
          this.#round = undefined;
        });
    }, everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async runOnce(): Promise<{ forgotten: number }> {
    const now = this.#clock();
    const limits = this.#brands.all().map(({ brand_id, site_jwt }) => {
      const ofJwts = (site_jwt?.max_age_minutes ?? 0) * 60 + jwtMarginSeconds;
      return { brand_id, before: now - Math.max(keepSeconds, ofJwts) * 1_000_000 };
    });
    return { forgotten: await forgetEndsBefore(this.#pool, limits) };
  }
}
