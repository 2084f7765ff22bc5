import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway, transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { deleteUnused, devicesOfRevoked } from './key-store.ts';
import { dropDevices } from './subscription-store.ts';

const everyMs = 2_000;
const devicesPerRound = 1_000;
/** A page may have been told a key long before its player presses the button: a former pair takes devices for so long, if it has none. */
const unusedFor: Micros = 3_600_000_000;

/** Removes the devices of revoked pairs, with what waits for them, and pairs that no device uses any more. Pushes wait for neither. */
export class PushKeyUpkeep implements Service {
  readonly #deps: { pool: Pool; clock: Clock; log: Logger };
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #away = false;

  constructor(deps: { pool: Pool; clock: Clock; log: Logger }) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => {
      this.#round ??= this.#tryRound().finally(() => {
        this.#round = undefined;
      });
    }, everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #tryRound(): Promise<void> {
    const { log } = this.#deps;
    try {
      const { devices, pairs } = await this.runOnce();
      if (devices + pairs > 0) log.info({ devices, pairs }, 'push keys: what no longer counts was removed');
      this.#away = false;
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'push keys are not tidied: this is a fault of ours');
      else if (!this.#away) log.warn({ err: error }, 'push keys are tidied when the database is back');
      this.#away = isDatabaseAway(error);
    }
  }

  /** One portion of devices, and every pair that is over. */
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
