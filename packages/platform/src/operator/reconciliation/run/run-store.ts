import type { Micros, ReconciliationField } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../../database/index.ts';
import type { HeldReason } from '../answer/hold.ts';
import type { ResultTime } from '../answer/result-time.ts';
import type { FailureReason, Run } from './run.ts';

/** Rows of reconciliation on their way from waiting to comparing; run.ts shows the states. Claims use the database's clock. */

/** A worker that has not renewed its claim for this long is dead. */
const claimTime = '30 seconds';
/** No claim lasts longer than this. If one seems to, it was made before the clock was set back. */
const strandedClaim = '5 minutes';

const columns = `reconciliation_id, brand_id, field, cause, state, reason, detail, requested_at, started_at, applied_at,
  finished_at, cancel_requested, bytes, ids_read, ids, ids_before, result_timestamp, as_of, step, position, compared,
  tightened, to_look_up, looked_up, reported, newer, created`;

export interface ReadingClaim {
  reconciliation_id: number;
  brand_id: number;
  field: ReconciliationField;
  claim: number;
}

/**
 * Claims the run that has waited longest. It skips brands that already have a run in state `reading` or `comparing`, so a brand
 * has one at a time. If two workers try at once, the unique index reconciliation_running lets only one succeed.
 */
export async function claimWaiting(
  pool: Pool,
  brandIds: readonly number[],
  now: Micros,
): Promise<ReadingClaim | undefined> {
  const { rows: tickets } = await pool.query<{ claim: number; at: Micros }>(
    `select nextval('reconciliation_claim') as claim, now() as at`,
  );
  const { claim, at } = tickets[0] as { claim: number; at: Micros };
  try {
    const { rows } = await pool.query<ReadingClaim>(
      `update reconciliation
          set state = 'reading', claim = $3, claimed_until = $4::timestamptz + interval '${claimTime}',
              started_at = $2
        where reconciliation_id = (
          select r.reconciliation_id from reconciliation r
           where r.state = 'waiting' and r.brand_id = any($1::int[])
             and not exists (select from reconciliation o where o.brand_id = r.brand_id and o.state in ('reading', 'comparing'))
           order by r.reconciliation_id limit 1 for update skip locked)
       returning reconciliation_id, brand_id, field, claim`,
      [brandIds, timestamptzText(now), claim, timestamptzText(at)],
    );
    return rows[0];
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') return undefined;
    throw error;
  }
}

/** Renews the claim and stores the progress of the reading. Undefined if the claim is lost. */
export async function noteReading(
  pool: Pool,
  { reconciliation_id, claim }: ReadingClaim,
  progress: { bytes: number; ids_read: number },
): Promise<{ cancel_requested: boolean } | undefined> {
  const { rows } = await pool.query<{ cancel_requested: boolean }>(
    `update reconciliation set bytes = $3, ids_read = $4, claimed_until = $5::timestamptz + interval '${claimTime}'
      where reconciliation_id = $1 and claim = $2 and state = 'reading' and claimed_until > $5
     returning cancel_requested`,
    [reconciliation_id, claim, progress.bytes, progress.ids_read, timestamptzText(await databaseTime(pool))],
  );
  return rows[0];
}

export interface CompleteList extends ResultTime {
  bytes: number;
  ids_read: number;
  ids: number;
  ids_before: number | null;
  held: HeldReason | null;
}

/** Stores that the list is complete: it is compared, or held in place of older held lists. False if the claim is lost. */
export async function finishReading(tx: ClientBase, of: ReadingClaim, list: CompleteList): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update reconciliation
        set state = case when $9::text is null then 'comparing' else 'held' end, reason = $9, step = 'players', position = null,
            bytes = $3, ids_read = $4, ids = $5, ids_before = $6, result_timestamp = $7, as_of = $8,
            claim = null, claimed_until = null
      where reconciliation_id = $1 and claim = $2 and state = 'reading' and claimed_until > now() and not cancel_requested`,
    [
      of.reconciliation_id,
      of.claim,
      list.bytes,
      list.ids_read,
      list.ids,
      list.ids_before,
      timestamptzText(list.result_timestamp),
      timestamptzText(list.as_of),
      list.held,
    ],
  );
  return rowCount === 1;
}

export type Ending =
  | { state: 'failed'; reason: FailureReason; detail: string }
  | { state: 'not_offered' | 'cancelled'; reason?: null; detail?: string };

/** Ends a run that this claim is reading. False if the claim is lost, and another worker has ended the run. */
export async function endReading(
  tx: ClientBase,
  of: ReadingClaim,
  ending: Ending,
  progress: { bytes: number; ids_read: number },
  now: Micros,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update reconciliation set state = $3, reason = $4, detail = $5, bytes = $6, ids_read = $7, finished_at = $8,
            claim = null, claimed_until = null
      where reconciliation_id = $1 and claim = $2 and state = 'reading'`,
    [
      of.reconciliation_id,
      of.claim,
      ending.state,
      ending.reason ?? null,
      ending.detail ?? null,
      progress.bytes,
      progress.ids_read,
      timestamptzText(now),
    ],
  );
  return rowCount === 1;
}

/** Ends runs whose worker died while reading. Its stream is gone, so the run cannot continue. */
export async function endDead(
  tx: ClientBase,
  now: Micros,
): Promise<{ brand_id: number; field: ReconciliationField }[]> {
  const { rows } = await tx.query<{ brand_id: number; field: ReconciliationField }>(
    `update reconciliation
        set state = 'failed', reason = 'interrupted', detail = 'the worker that read the answer died', finished_at = $1,
            claim = null, claimed_until = null
      where state = 'reading' and (claimed_until < now() or claimed_until > now() + interval '${strandedClaim}')
     returning brand_id, field`,
    [timestamptzText(now)],
  );
  return rows;
}

/** Ends held runs that a newer list of the same field replaces. */
export async function supersedeHeld(
  tx: ClientBase,
  of: { brand_id: number; field: ReconciliationField; before: number },
  now: Micros,
): Promise<void> {
  await tx.query(
    `update reconciliation set state = 'superseded', finished_at = $4
      where brand_id = $1 and field = $2 and state = 'held' and reconciliation_id < $3`,
    [of.brand_id, of.field, of.before, timestamptzText(now)],
  );
}

/** Ends held runs that have waited too long for a decision. */
export async function expireHeld(pool: Pool, requestedBefore: Micros, now: Micros): Promise<number> {
  const { rowCount } = await pool.query(
    `update reconciliation set state = 'superseded', reason = 'expired', finished_at = $2
      where state = 'held' and requested_at < $1`,
    [timestamptzText(requestedBefore), timestamptzText(now)],
  );
  return rowCount ?? 0;
}

/** The last list of the field that was applied in full. */
export async function lastApplied(
  db: Pool | ClientBase,
  brandId: number,
  field: ReconciliationField,
): Promise<{ ids: number; as_of: Micros } | undefined> {
  const { rows } = await db.query<{ ids: number; as_of: Micros }>(
    `select ids, as_of from reconciliation where brand_id = $1 and field = $2 and applied_at is not null
      order by reconciliation_id desc limit 1`,
    [brandId, field],
  );
  return rows[0];
}

/** Runs in this state, oldest first. */
export async function listRuns(pool: Pool, state: 'comparing' | 'asking', limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ reconciliation_id: number }>(
    'select reconciliation_id from reconciliation where state = $1 order by reconciliation_id limit $2',
    [state, limit],
  );
  return rows.map(({ reconciliation_id }) => reconciliation_id);
}

/** Locks a run in state `comparing` or `asking`; undefined if another worker has it, or it is over. */
export async function lockRun(tx: ClientBase, runId: number): Promise<Run | undefined> {
  const { rows } = await tx.query<Run>(
    `select ${columns} from reconciliation
      where reconciliation_id = $1 and state in ('comparing', 'asking') for update skip locked`,
    [runId],
  );
  return rows[0];
}

/** Writes the changes that a batch made to a locked run. */
export async function saveRun(tx: ClientBase, run: Run): Promise<void> {
  await tx.query(
    `update reconciliation
        set state = $2, reason = $3, detail = $4, step = $5, position = $6, compared = $7, tightened = $8, to_look_up = $9,
            looked_up = $10, reported = $11, newer = $12, created = $13, applied_at = $14, finished_at = $15
      where reconciliation_id = $1`,
    [
      run.reconciliation_id,
      run.state,
      run.reason,
      run.detail,
      run.step,
      run.position,
      run.compared,
      run.tightened,
      run.to_look_up,
      run.looked_up,
      run.reported,
      run.newer,
      run.created,
      run.applied_at === null ? null : timestamptzText(run.applied_at),
      run.finished_at === null ? null : timestamptzText(run.finished_at),
    ],
  );
}

/** Stores the age of the field for every player of the brand (ages.ts). */
export async function saveAge(tx: ClientBase, run: { brand_id: number; field: string; as_of: Micros }): Promise<void> {
  await tx.query(
    `insert into reconciliation_age as a (brand_id, field, as_of) values ($1, $2, $3)
     on conflict (brand_id, field) do update set as_of = greatest(a.as_of, excluded.as_of)`,
    [run.brand_id, run.field, timestamptzText(run.as_of)],
  );
}

export interface RunFilter {
  brand_id: number;
  field?: ReconciliationField | undefined;
  state?: Run['state'] | undefined;
  /** Only runs older than this one. */
  before?: number | undefined;
  limit: number;
}

/** Newest first. */
export async function readRuns(db: Pool | ClientBase, filter: RunFilter): Promise<Run[]> {
  const { rows } = await db.query<Run>(
    `select ${columns} from reconciliation
      where brand_id = $1 and ($2::text is null or field = $2) and ($3::text is null or state = $3)
        and ($4::bigint is null or reconciliation_id < $4)
      order by reconciliation_id desc limit $5`,
    [filter.brand_id, filter.field ?? null, filter.state ?? null, filter.before ?? null, filter.limit],
  );
  return rows;
}

export async function readRun(db: Pool | ClientBase, brandId: number, runId: number): Promise<Run | undefined> {
  const { rows } = await db.query<Run>(
    `select ${columns} from reconciliation where brand_id = $1 and reconciliation_id = $2`,
    [brandId, runId],
  );
  return rows[0];
}
