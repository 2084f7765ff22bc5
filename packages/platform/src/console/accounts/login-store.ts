import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { type FailureCount, type LoginLimit, windowMicros } from './login-limit.ts';

/** Every statement on console_login_failure. */

/**
 * Counts one attempt on each subject and returns the counts. It runs before the password is looked at, so that attempts
 * side by side cannot share one free guess. A window begins with its first attempt; those that ended are forgotten.
 */
export async function countAttempt(pool: Pool, limits: readonly LoginLimit[], now: Micros): Promise<FailureCount[]> {
  await pool.query('delete from console_login_failure where window_ends_at <= $1', [timestamptzText(now)]);
  const { rows } = await pool.query<FailureCount>(
    `insert into console_login_failure (subject, failures, window_ends_at)
     select s, 1, $2 from unnest($1::bytea[]) as s order by s
     on conflict (subject) do update set failures = console_login_failure.failures + 1
     returning subject, failures, window_ends_at`,
    [limits.map((limit) => limit.subject), timestamptzText(now + windowMicros)],
  );
  return rows;
}

/** Takes one attempt back: it was a right password. The failures before it keep counting against the address. */
export async function forgiveAttempt(pool: Pool, limits: readonly LoginLimit[]): Promise<void> {
  await pool.query(
    'update console_login_failure set failures = failures - 1 where failures > 0 and subject = any($1::bytea[])',
    [limits.map((limit) => limit.subject)],
  );
}
