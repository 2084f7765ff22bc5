import { setTimeout } from 'node:timers/promises';
import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Clock } from '../../clock.ts';
import { coarseNetwork, type Device } from './device.ts';
import { knownSubject, limitsOf, longestWait } from './login-limit.ts';
import { countAttempt, isKnown, removeAttempt } from './login-store.ts';
import { LoginsBusy, unknownAccountPassword, verifyPassword } from './passwords.ts';
import {
  type AccountOfSession,
  deleteSession,
  insertSession,
  type SignedInBy,
  selectPassword,
  selectSession,
  touchSession,
} from './store.ts';
import { newSessionToken, sha256 } from './tokens.ts';

/**
 * 12 hours: about a working day, so that people sign in only once per shift, and a forgotten token is invalid the next
 * morning.
 */
export const sessionMicros: Micros = 12 * 3600 * 1_000_000;

export type Login =
  /** Correct. The caller opens the session, or requires the second factor first. */
  | { outcome: 'right'; account_id: number; email: string; password_set_at: Micros }
  /** Wrong password, unknown e-mail, disabled account: the caller learns no more than this. */
  | { outcome: 'refused' }
  | { outcome: 'too_many'; until: Micros };

/** Maximum number of attempts that wait for their turn in one process; each holds a connection for 10 s at most. */
const mostWaiting = 200;
let waiting = 0;

/**
 * Checks e-mail and password. Opens no session: the account may have a second factor.
 *
 * @param address of the caller, for the limit on guesses
 * @param pause waits the given number of milliseconds; default a timer
 * @throws {LoginsBusy} if too many sign-ins wait for their turn, or too many passwords wait to be hashed
 */
export async function checkPassword(
  pool: Pool,
  clock: Clock,
  attempt: { email: string; password: string; address: string },
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

  await removeAttempt(pool, { limits, known, now });
  return { outcome: 'right', email, account_id: account.account_id, password_set_at: account.password_set_at };
}

export interface OpenedSession {
  token: string;
  expires_at: Micros;
}

/** Opens a session of the account, whose owner has proven their identity. */
export async function openSession(
  db: Pool | ClientBase,
  now: Micros,
  session: { account_id: number; signed_in_by: SignedInBy; second_factor: boolean; device: Device },
): Promise<OpenedSession> {
  const { account_id, signed_in_by, second_factor, device } = session;
  const { token, sha256: digest } = newSessionToken();
  const expires_at = now + sessionMicros;
  await insertSession(db, {
    sha256: digest,
    account_id,
    created_at: now,
    expires_at,
    signed_in_by,
    second_factor,
    ...device,
  });
  return { token, expires_at };
}

async function inTurn(wait: () => Promise<unknown>): Promise<void> {
  if (waiting >= mostWaiting)
    throw new LoginsBusy({
      en: 'too many sign-ins are waiting; retry later',
      de: 'Zu viele Anmeldungen warten; versuchen Sie es später erneut',
    });
  waiting += 1;
  await wait().finally(() => {
    waiting -= 1;
  });
}

/** Precision of the stored time of last use. A page makes several calls a second, so writing once a minute saves most writes. */
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
