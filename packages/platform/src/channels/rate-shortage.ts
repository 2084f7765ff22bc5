import type { Micros } from '@croupier/contracts';

/*
 * Whether messages of a provider wait because more of them are due than its rate allows. If a message expires during such a
 * shortage, its reason is the rate. Each process remembers only the shortages that it saw. So messages that expired while no
 * worker ran have another reason.
 */

/** Longer than the pause between two clean-ups of expired messages. */
const longestGap: Micros = 60_000_000;

export class RateShortage {
  #from: Micros = 0;
  #until: Micros = Number.NEGATIVE_INFINITY;

  note(at: Micros): void {
    if (!this.#lasts(at)) this.#from = at;
    this.#until = at;
  }

  /** When the current shortage began, or null if there is none. */
  since(at: Micros): Micros | null {
    return this.#lasts(at) ? this.#from : null;
  }

  #lasts(at: Micros): boolean {
    return at - this.#until <= longestGap;
  }
}

/**
 * Why a message expired. A message also waited for the rate if its last call was refused because of the rate. A message that
 * waits for another reason did not wait for the rate.
 *
 * @param since when the shortage began, or null
 */
export function expiryReason(
  { reason, expires_at }: { reason: string | null; expires_at: Micros },
  since: Micros | null,
): 'expired' | 'provider_rate' {
  const isShort = reason === null && since !== null && since <= expires_at;
  return isShort || reason === 'rate_limited' ? 'provider_rate' : 'expired';
}
