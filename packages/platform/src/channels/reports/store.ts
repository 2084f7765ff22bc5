import type { BodyOf, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** All SQL statements on message_report and report_tally. */
type Body = BodyOf<'message_event'>;

export interface RememberedReport {
  /** The body from the first time that it was reported. */
  body: Body;
  /** Whether its event is in the ledger and everything that follows from it is done. */
  stored: boolean;
}

/**
 * Stores a report, or returns the stored one. It is one statement, so that two concurrent calls both return the same body. The
 * update changes nothing. It only waits for the insert of the other call.
 */
export async function rememberReport(
  pool: Pool,
  report: {
    player_id: number;
    report_key: Buffer;
    brand_id: number;
    body: Body;
    address_key: Buffer | null;
    heard_at: Micros;
  },
): Promise<RememberedReport> {
  const { rows } = await pool.query<RememberedReport>({
    name: 'remember_message_report',
    text: `insert into message_report as r (player_id, report_key, brand_id, body, address_key, heard_at) values ($1, $2, $3, $4::jsonb, $5, $6)
           on conflict (player_id, report_key) do update set report_key = r.report_key
           returning body, stored_at is not null as stored`,
    values: [
      report.player_id,
      report.report_key,
      report.brand_id,
      JSON.stringify(report.body),
      report.address_key,
      timestamptzText(report.heard_at),
    ],
  });
  const [remembered] = rows;
  if (remembered === undefined) throw new Error('a report could not be stored');
  return remembered;
}

/** Whether a report arrived before. Its event may not be in the ledger yet. */
export async function isReportKnown(pool: Pool, playerId: number, reportKey: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'is_message_report_known',
    text: 'select from message_report where player_id = $1 and report_key = $2',
    values: [playerId, reportKey],
  });
  return rowCount !== 0;
}

/**
 * Stores a report by the platform itself, in the transaction of its cause. The publisher writes it to the ledger later. An
 * existing report is kept.
 */
export async function noteReport(
  tx: ClientBase | Pool,
  report: { player_id: number; report_key: Buffer; brand_id: number; body: Body; heard_at: Micros },
): Promise<void> {
  await tx.query({
    name: 'note_message_report',
    text: `insert into message_report (player_id, report_key, brand_id, body, heard_at, waits) values ($1, $2, $3, $4::jsonb, $5, true)
           on conflict (player_id, report_key) do nothing`,
    values: [
      report.player_id,
      report.report_key,
      report.brand_id,
      JSON.stringify(report.body),
      timestamptzText(report.heard_at),
    ],
  });
}

export interface WaitingReport {
  player_id: number;
  report_key: Buffer;
  brand_id: number;
  body: Body;
}

/** Whether reports wait. This costs one statement. A transaction that finds no report to lock costs three. */
export async function isReportWaiting(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'is_report_waiting',
    text: 'select true from message_report where waits order by heard_at limit 1',
  });
  return rows.length > 0;
}

/**
 * Locks and returns the platform's own reports that are not in the ledger yet, oldest first. It skips reports that another
 * worker has locked.
 */
export async function lockWaitingReports(tx: ClientBase, limit: number): Promise<WaitingReport[]> {
  const { rows } = await tx.query<WaitingReport>({
    name: 'lock_waiting_reports',
    text: `select player_id, report_key, brand_id, body from message_report where waits order by heard_at limit $1
           for update skip locked`,
    values: [limit],
  });
  return rows;
}

/**
 * Reports of this provider are kept, because a player may follow a link again. All other events are reported only once.
 */
const keptProvider = 'link';

export async function endWaitingReports(tx: ClientBase, reports: readonly WaitingReport[], at: Micros): Promise<void> {
  await tx.query({
    name: 'end_waiting_reports',
    text: `with ended as (
             delete from message_report r using unnest($1::bigint[], $2::bytea[]) as w (player_id, report_key)
              where r.player_id = w.player_id and r.report_key = w.report_key and r.body ->> 'provider' <> '${keptProvider}'
           )
           update message_report r set waits = false, stored_at = $3
             from unnest($1::bigint[], $2::bytea[]) as w (player_id, report_key)
            where r.player_id = w.player_id and r.report_key = w.report_key and r.body ->> 'provider' = '${keptProvider}'`,
    values: [
      reports.map(({ player_id }) => player_id),
      reports.map(({ report_key }) => report_key),
      timestamptzText(at),
    ],
  });
}

export async function noteStored(pool: Pool, playerId: number, reportKey: Buffer, at: Micros): Promise<void> {
  await pool.query({
    name: 'note_stored_report',
    text: 'update message_report set stored_at = $3 where player_id = $1 and report_key = $2 and stored_at is null',
    values: [playerId, reportKey, timestamptzText(at)],
  });
}

/** Number of soft bounces of this address since the given time. */
export async function countSoftBounces(
  pool: Pool,
  { player_id, address_key }: { player_id: number; address_key: Buffer },
  since: Micros,
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count_soft_bounces',
    text: `select count(*)::int as count from message_report
            where player_id = $1 and address_key = $2 and heard_at > $3 and body ->> 'what' = 'bounced' and body ->> 'reason' = 'soft'`,
    values: [player_id, address_key, timestamptzText(since)],
  });
  return rows[0]?.count ?? 0;
}

/** @returns how many were deleted, at most `limit` */
export async function forgetReports(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'forget_message_reports',
    text: `delete from message_report where (player_id, report_key) in
             (select player_id, report_key from message_report where heard_at < $1 and not waits order by heard_at limit $2 for update skip locked)`,
    values: [timestamptzText(before), limit],
  });
  return rowCount ?? 0;
}

/** Deletes the counts of days before the given time. */
export async function forgetTallies(pool: Pool, before: Micros): Promise<void> {
  await pool.query(`delete from report_tally where day < ($1::timestamptz at time zone 'UTC')::date`, [
    timestamptzText(before),
  ]);
}

export const reportOutcomes = ['taken', 'repeated', 'unknown_message', 'unmatched_stop', 'ignored'] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];

export async function countReports(
  pool: Pool,
  of: { brand_id: number; channel: string; provider: string },
  counts: ReadonlyMap<ReportOutcome, number>,
  at: Micros,
): Promise<void> {
  const given = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (given.length === 0) return;
  await pool.query({
    name: 'count_reports',
    text: `insert into report_tally as t (brand_id, channel, provider, outcome, day, reports, last_at)
           select $1, $2, $3, outcome, ($6::timestamptz at time zone 'UTC')::date, reports, $6
             from unnest($4::text[], $5::bigint[]) as c (outcome, reports)
           on conflict (brand_id, channel, provider, outcome, day) do update
              set reports = t.reports + excluded.reports, last_at = greatest(t.last_at, excluded.last_at)`,
    values: [
      of.brand_id,
      of.channel,
      of.provider,
      given.map(([outcome]) => outcome),
      given.map(([, count]) => count),
      timestamptzText(at),
    ],
  });
}

export interface ReportTally {
  channel: string;
  provider: string;
  outcome: ReportOutcome;
  /** YYYY-MM-DD, UTC. */
  day: string;
  reports: number;
  last_at: Micros;
}

/** Newest day first. */
export async function listReportTallies(pool: Pool, brandId: number, limit: number): Promise<ReportTally[]> {
  const { rows } = await pool.query<ReportTally>(
    `select channel, provider, outcome, to_char(day, 'YYYY-MM-DD') as day, reports, last_at from report_tally
      where brand_id = $1 order by report_tally.day desc, channel, provider, outcome limit $2`,
    [brandId, limit],
  );
  return rows;
}
