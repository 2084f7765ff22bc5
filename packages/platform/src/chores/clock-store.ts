import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';

/** A row that was not renewed for this long belongs to a process that died or cannot reach the database. */
const clockCounts = '1 minute';
const retained: Micros = 3_600_000_000;

/** How far the clock of a process is ahead of the database's. */
export interface ProcessClock {
  process: string;
  offset_ms: number;
}

export async function readDatabaseMs(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  const ms = rows[0]?.ms;
  if (ms === undefined) throw new Error('the database did not return its time');
  return ms;
}

/**
 * With this setting, the commit of the statement does not wait for the disk. If a crash loses a written row, the row is
 * written again 5 s later. If a crash restores a deleted row, the row is ignored after a minute. Also, a process that
 * stops must not wait for a slow disk. The setting applies to this transaction only.
 */
const noWait = `(select set_config('synchronous_commit', 'off', true)) as no_wait`;

/** Records the comparison, and deletes rows of processes that have been gone for an hour. */
export async function noteClock(db: ClientBase, clock: ProcessClock & { compared_at: Micros }): Promise<void> {
  await db.query(
    `insert into process_clock (process, offset_ms, compared_at) select $1, $2, $3 from ${noWait}
     on conflict (process) do update set offset_ms = excluded.offset_ms, compared_at = excluded.compared_at`,
    [clock.process, clock.offset_ms, timestamptzText(clock.compared_at)],
  );
  await db.query(`delete from process_clock using ${noWait} where compared_at < $1`, [
    timestamptzText(clock.compared_at - retained),
  ]);
}

export async function forgetClock(pool: Pool, process: string): Promise<void> {
  await pool.query(`delete from process_clock using ${noWait} where process = $1`, [process]);
}

/** The clocks of all running processes, the furthest from the database's first. */
export async function readProcessClocks(db: Pool | ClientBase): Promise<ProcessClock[]> {
  const { rows } = await db.query<ProcessClock>(
    `select process, offset_ms from process_clock where compared_at > now() - interval '${clockCounts}'
      order by abs(offset_ms) desc, process limit 100`,
  );
  return rows;
}
