import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { isSending } from '../channels/index.ts';

/** Longer than a call to a provider can take (60 s), so the id of its message is stored by then. */
const waitFor: Micros = 120_000_000;
const mostRemembered = 10_000;

/**
 * A provider may report about an SMS before the call that sent it has returned its id. Such a report is about an unknown message, but it
 * must not be answered 200, because it would be lost. It is refused, so that the provider repeats it, for two minutes after its first
 * arrival at this process, and only while the brand's channel has calls under way. After that, the message is really unknown.
 */
export class EarlyReports {
  readonly #pool: Pool;
  /** First arrivals, oldest first. */
  readonly #since = new Map<string, Micros>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async mayBeEarly(of: { brand_id: number; channel: string; provider_id: string }, now: Micros): Promise<boolean> {
    const { brand_id, channel, provider_id } = of;
    for (const [key, since] of this.#since) {
      if (now - since <= 2 * waitFor && this.#since.size < mostRemembered) break;
      this.#since.delete(key);
    }
    const key = `${brand_id} ${channel} ${provider_id.slice(0, 200)}`;
    const since = this.#since.get(key) ?? now;
    if (now - since > waitFor || !(await isSending(this.#pool, brand_id, channel))) return false;
    if (!this.#since.has(key)) this.#since.set(key, now);
    return true;
  }
}
