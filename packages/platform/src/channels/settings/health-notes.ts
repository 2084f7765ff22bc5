import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { type ChannelHealth, noteChannelHealth } from './store.ts';

/** How often a success or a failure is recorded per provider. A change of its circuit is recorded immediately. */
const noteEveryMs = 5_000;
const mostRemembered = 10_000;

export interface HealthNote {
  of: { brand_id: number; channel: string; target: string };
  circuit: { before: ChannelHealth['circuit']; after: ChannelHealth['circuit'] };
  /** Null: the provider answered as expected. */
  error: string | null;
}

/** Records the health of providers, for people only. An error here never affects a message. */
export class HealthNotes {
  readonly #deps: { pool: Pool; clock: Clock; log: Logger };
  readonly #notedAt = new Map<string, number>();

  constructor(deps: { pool: Pool; clock: Clock; log: Logger }) {
    this.#deps = deps;
  }

  async note({ of, circuit: { before, after }, error }: HealthNote): Promise<void> {
    const name = `${of.brand_id} ${of.channel} ${of.target} ${error === null}`;
    const now = performance.now();
    if (before === after && now - (this.#notedAt.get(name) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return;
    if (this.#notedAt.size > mostRemembered) this.#notedAt.clear();
    this.#notedAt.set(name, now);
    const { pool, clock, log } = this.#deps;
    await noteChannelHealth(pool, of, { circuit: after, error }, clock()).catch((failure: unknown) =>
      log.warn({ err: failure }, 'the health of a provider could not be stored'),
    );
  }
}
