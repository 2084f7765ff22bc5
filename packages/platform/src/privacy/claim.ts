import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import { type ClaimedErasure, renewClaims } from './erasure-store.ts';

/** A worker that has not renewed its claim for this long is dead, and another worker continues its erasures. */
const claimMs = 600_000;
/** The time between two renewals. A claim survives nine renewals that the database did not answer. */
const defaultRenewMs = 60_000;

/** @returns the expiry of a claim that is taken or renewed now */
export const claimedUntil = (now: number): number => now + claimMs * 1_000;

/**
 * Runs `work` and renews the claims on these erasures meanwhile, because a vacuum of large tables takes longer than a claim
 * should. If a claim is lost, or `stop` is aborted, the signal passed to `work` is aborted, and `work` stops at its next page.
 *
 * When it returns, no renewal is running any more, because a late renewal would delay the next step by the duration of a claim.
 */
export async function whileClaimed<T>(
  deps: { pool: Pool; clock: Clock; stop: AbortSignal; renewMs?: number | undefined },
  erasures: readonly ClaimedErasure[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { pool, clock, stop, renewMs = defaultRenewMs } = deps;
  const lost = new AbortController();
  let renewal: Promise<void> | undefined;
  const renew = async () => {
    try {
      if (!(await renewClaims(pool, erasures, claimedUntil(clock())))) lost.abort(new Error('the claim is lost'));
    } catch {
      // The renewal is retried; if the database stays unavailable, the step itself fails.
    } finally {
      renewal = undefined;
    }
  };
  const timer = setInterval(() => {
    renewal ??= renew();
  }, renewMs);
  try {
    return await work(AbortSignal.any([stop, lost.signal]));
  } finally {
    clearInterval(timer);
    await renewal;
  }
}
