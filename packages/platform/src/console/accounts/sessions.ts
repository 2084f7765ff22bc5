import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Clock } from '../../clock.ts';
import { limitsOf, refusedUntil } from './login-limit.ts';
import { countAttempt, forgiveAttempt } from './login-store.ts';
import { unknownAccountPassword, verifyPassword } from './passwords.ts';
import { type Account, deleteSession, insertSession, selectPassword, selectSession } from './store.ts';
import { newSessionToken, sha256 } from './tokens.ts';

/** A working day: nobody signs in twice in one shift, and a token that was left behind is dead the next morning. */
export const sessionMicros: Micros = 12 * 3600 * 1_000_000;

export type Login =
  | { outcome: 'signed_in'; token: string; expires_at: Micros; account_id: number }
  /** Wrong password, unknown e-mail, disabled account: the caller learns no more than this. */
  | { outcome: 'refused' }
  | { outcome: 'too_many'; until: Micros };

/**
 * Checks e-mail and password and opens a session.
 *
 * @param address where the attempt comes from, for the limit on guesses
 * @throws {LoginsBusy} when too many logins wait for the processor
 */
export async function signIn(
  pool: Pool,
  clock: Clock,
  attempt: { email: string; password: string; address: string },
): Promise<Login> {
  const email = attempt.email.trim().toLowerCase();
  const now = clock();
  const limits = limitsOf(email, attempt.address);
  const until = refusedUntil(limits, await countAttempt(pool, limits, now));
  if (until !== null) return { outcome: 'too_many', until };

  const account = await selectPassword(pool, email);
  const right = await verifyPassword(attempt.password, account?.password ?? unknownAccountPassword);
  if (account === null || !right) return { outcome: 'refused' };

  await forgiveAttempt(pool, limits);
  const { token, sha256: digest } = newSessionToken();
  const expiresAt = now + sessionMicros;
  await insertSession(pool, { sha256: digest, account_id: account.account_id, created_at: now, expires_at: expiresAt });
  return { outcome: 'signed_in', token, expires_at: expiresAt, account_id: account.account_id };
}

/** The account of a session token; null when the token is unknown, expired or its account is disabled. */
export function sessionOf(pool: Pool, clock: Clock, token: string): Promise<(Account & { expires_at: Micros }) | null> {
  return selectSession(pool, sha256(token), clock());
}

export async function signOut(pool: Pool, token: string): Promise<void> {
  await deleteSession(pool, sha256(token));
}
