import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import { type ClaimedErasure, renewClaims } from './erasure-store.ts';

/** A worker that has not renewed its claim for so long is dead: its erasures go on elsewhere. */
const claimMs = 600_000;
/** So a claim outlives nine renewals that the database did not answer. */
const defaultRenewMs = 60_000;

/** @returns when a claim that is taken or renewed now runs out. */
export const claimedUntil = (now: number): number => now + claimMs * 1_000;

/**
 * Does `work` while the claims on these erasures are renewed: a vacuum of large tables takes longer than any claim should. When one is
 * lost, or `stop` says so, the signal that `work` is given says so at its next page.
 *
 * No renewal is under way any more when it returns: a later one would put off the next step by the length of a claim.
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
      // Tried again; a database that stays away fails the step itself.
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
