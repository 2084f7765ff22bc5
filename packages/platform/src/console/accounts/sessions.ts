import { setTimeout } from 'node:timers/promises';
import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Clock } from '../../clock.ts';
import { coarseNetwork, deviceOf } from './device.ts';
import { knownSubject, limitsOf, longestWait } from './login-limit.ts';
import { countAttempt, forgiveAttempt, isKnown } from './login-store.ts';
import { LoginsBusy, unknownAccountPassword, verifyPassword } from './passwords.ts';
import {
  type AccountOfSession,
  deleteSession,
  insertSession,
  selectPassword,
  selectSession,
  touchSession,
} from './store.ts';
import { newSessionToken, sha256 } from './tokens.ts';

/** 12 hours: a working day, so that no one signs in twice in one shift, and a forgotten token is invalid the next morning. */
export const sessionMicros: Micros = 12 * 3600 * 1_000_000;

export type Login =
  | { outcome: 'signed_in'; token: string; expires_at: Micros; account_id: number; email: string }
  /** Wrong password, unknown e-mail, disabled account: the caller learns no more than this. */
  | { outcome: 'refused' }
  | { outcome: 'too_many'; until: Micros };

/** Maximum number of attempts that wait for their turn in one process; each holds a connection for 10 s at most. */
const mostWaiting = 200;
let waiting = 0;

/**
 * Checks e-mail and password and opens a session.
 *
 * @param address of the caller, for the limit on guesses
 * @param pause waits the given number of milliseconds; default a timer
 * @throws {LoginsBusy} if too many logins wait for the processor
 */
export async function signIn(
  pool: Pool,
  clock: Clock,
  attempt: { email: string; password: string; address: string; userAgent?: string | undefined },
  pause: (ms: number) => Promise<unknown> = setTimeout,
): Promise<Login> {
  const email = attempt.email.trim().toLowerCase();
  const now = clock();
  const known = knownSubject(email, attempt.address);
  const limits = limitsOf(email, attempt.address, await isKnown(pool, known, now));
  const turnAt = await countAttempt(pool, limits, now);
  if (turnAt - now > longestWait) return { outcome: 'too_many', until: turnAt };
  if (turnAt > now) await inTurn(() => pause((turnAt - now) / 1_000));

  const account = await selectPassword(pool, email);
  const right = await verifyPassword(attempt.password, account?.password ?? unknownAccountPassword);
  if (account === null || !right) return { outcome: 'refused' };

  await forgiveAttempt(pool, { limits, known, now });
  const { token, sha256: digest } = newSessionToken();
  const expiresAt = now + sessionMicros;
  const opened = { sha256: digest, account_id: account.account_id, created_at: now, expires_at: expiresAt };
  await insertSession(pool, { ...opened, ...deviceOf(attempt) });
  return { outcome: 'signed_in', token, expires_at: expiresAt, account_id: account.account_id, email };
}

async function inTurn(wait: () => Promise<unknown>): Promise<void> {
  if (waiting >= mostWaiting) throw new LoginsBusy('too many sign-ins are waiting; retry later');
  waiting += 1;
  await wait().finally(() => {
    waiting -= 1;
  });
}

/** How exact the last use of a session is. One write a minute is less than one for each of the page's calls, of which there are several a second. */
const touchedMicros: Micros = 60 * 1_000_000;

/**
 * The account of a session token; null when the token is unknown, expired or its account is disabled.
 *
 * @param address where the call comes from: its network is stored with the last use
 */
export async function sessionOf(
  pool: Pool,
  clock: Clock,
  token: string,
  address: string,
): Promise<AccountOfSession | null> {
  const now = clock();
  const session = await selectSession(pool, sha256(token), now);
  if (session !== null && session.last_used_at + touchedMicros <= now) {
    await touchSession(pool, session.session_id, now, coarseNetwork(address));
  }
  return session;
}

export async function signOut(pool: Pool, token: string): Promise<void> {
  await deleteSession(pool, sha256(token));
}
