import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText, transaction } from '../../database/index.ts';
import { knownMicros, type LoginCount, type LoginLimit, withAttempt } from './login-limit.ts';

/** All SQL statements on console_login_failure. */

/**
 * Counts one attempt on each subject. It runs before the password is checked, so that each concurrent attempt
 * gets its own turn.
 *
 * @returns when the attempt may be checked
 */
export function countAttempt(pool: Pool, limits: readonly LoginLimit[], now: Micros): Promise<Micros> {
  const subjects = limits.map(({ subject }) => subject);
  return transaction(pool, async (tx) => {
    await tx.query(
      `insert into console_login_failure (subject, failures, window_ends_at, turn_at)
       select s, 0, $2, $2 from unnest($1::bytea[]) as s order by s
       on conflict (subject) do nothing`,
      [subjects, timestamptzText(now)],
    );
    const { rows } = await tx.query<LoginCount>(
      `select subject, failures, window_ends_at, turn_at
         from console_login_failure where subject = any($1::bytea[]) order by subject for update`,
      [subjects],
    );
    const counted = limits.flatMap((limit) => {
      const row = rows.find(({ subject }) => subject.equals(limit.subject));
      return row === undefined ? [] : [withAttempt(row, limit, now)];
    });
    await tx.query(
      `update console_login_failure f set failures = c.failures, window_ends_at = c.window_ends_at, turn_at = c.turn_at
         from unnest($1::bytea[], $2::int[], $3::timestamptz[], $4::timestamptz[])
              as c(subject, failures, window_ends_at, turn_at)
        where f.subject = c.subject`,
      [
        counted.map(({ subject }) => subject),
        counted.map(({ failures }) => failures),
        counted.map((count) => timestamptzText(count.window_ends_at)),
        counted.map((count) => timestamptzText(count.turn_at)),
      ],
    );
    return Math.max(now, ...counted.map((count) => count.turn_at));
  });
}

/**
 * Removes one attempt from the counts, because its password was right. Earlier failures still count. The network is now known
 * for the account. Rows whose window has ended are deleted.
 */
export async function removeAttempt(
  pool: Pool,
  { limits, known, now }: { limits: readonly LoginLimit[]; known: Buffer; now: Micros },
): Promise<void> {
  await pool.query(
    'update console_login_failure set failures = failures - 1 where failures > 0 and subject = any($1::bytea[])',
    [limits.map((limit) => limit.subject)],
  );
  await pool.query('delete from console_login_failure where window_ends_at <= $1 and subject <> $2', [
    timestamptzText(now),
    known,
  ]);
  await pool.query(
    `insert into console_login_failure (subject, failures, window_ends_at, turn_at) values ($1, 0, $2, $2)
     on conflict (subject) do update set window_ends_at = excluded.window_ends_at`,
    [known, timestamptzText(now + knownMicros)],
  );
}

/** Whether the network of this subject has signed in to its account within 90 days (`knownSubject`). */
export async function isKnown(pool: Pool, known: Buffer, now: Micros): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from console_login_failure where subject = $1 and window_ends_at > $2',
    [known, timestamptzText(now)],
  );
  return rowCount === 1;
}
