import type { ClientBase, Pool } from 'pg';

/*
 * A list while it is compared: one unlogged table per run. So five million ids need no write-ahead log, and dropping the table
 * leaves nothing to clean up. The cost: a crash of PostgreSQL empties the table, and an empty list would withdraw every
 * consent. So the first row of each stage is a seal that cannot be an id. A crash deletes it with the rest, and no transaction
 * compares a list without finding its seal.
 */
const seal = '';

/** @param reconciliationId a number that the platform generated. It is part of the table's name, so it cannot be a parameter of a statement */
export function stageName(reconciliationId: number): string {
  if (!Number.isSafeInteger(reconciliationId)) throw new RangeError(`${reconciliationId} is not the number of a run`);
  return `reconciliation_stage.run_${reconciliationId}`;
}

export async function createStage(pool: Pool, reconciliationId: number): Promise<void> {
  await pool.query(
    `create unlogged table ${stageName(reconciliationId)} (user_id text not null) with (autovacuum_enabled = false)`,
  );
  await pool.query(`insert into ${stageName(reconciliationId)} values ($1)`, [seal]);
}

export async function addToStage(pool: Pool, reconciliationId: number, ids: readonly string[]): Promise<void> {
  await pool.query(`insert into ${stageName(reconciliationId)} select unnest($1::text[])`, [ids]);
}

/** Prepares the whole list for comparison. @returns the number of distinct ids */
export async function finishStage(pool: Pool, reconciliationId: number): Promise<number> {
  const name = stageName(reconciliationId);
  await pool.query(`create index on ${name} (user_id)`);
  await pool.query(`analyze ${name}`);
  const { rows } = await pool.query<{ ids: number }>(`select count(distinct user_id) - 1 as ids from ${name}`);
  return rows[0]?.ids ?? 0;
}

/** False after a crash of the database, or if the table was dropped. */
export async function isStageWhole(tx: ClientBase, reconciliationId: number): Promise<boolean> {
  const name = stageName(reconciliationId);
  const { rows: found } = await tx.query<{ there: boolean }>('select to_regclass($1) is not null as there', [name]);
  if (!found[0]?.there) return false;
  const { rows } = await tx.query(`select from ${name} where user_id = $1 limit 1`, [seal]);
  return rows.length === 1;
}

export async function dropStage(db: Pool | ClientBase, reconciliationId: number): Promise<void> {
  await db.query(`drop table if exists ${stageName(reconciliationId)}`);
}

/** A range of the list: its distinct ids in order without the seal, and which of them belong to no player of the brand. */
export async function readStretch(
  tx: ClientBase,
  of: { reconciliation_id: number; brand_id: number },
  after: string | null,
  size: number,
): Promise<{ end: string; unknown: string[] } | null> {
  const { rows } = await tx.query<{ end: string | null; unknown: string[] | null }>(
    `select max(user_id) as end,
            array_agg(user_id order by user_id) filter (
              where not exists (select from player p where p.brand_id = $1 and p.user_id = s.user_id)) as unknown
       from (select distinct user_id from ${stageName(of.reconciliation_id)}
              where user_id > coalesce($2, '') order by user_id limit $3) s`,
    [of.brand_id, after, size],
  );
  const [row] = rows;
  return row === undefined || row.end === null ? null : { end: row.end, unknown: row.unknown ?? [] };
}

/** Drops stages of runs that are over, whose process died before the drop. @returns how many were dropped */
export async function dropLeftStages(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ reconciliation_id: number }>(
    `select substr(c.relname, 5)::bigint as reconciliation_id
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'reconciliation_stage' and c.relkind = 'r' and c.relname ~ '^run_[0-9]+$'
        and not exists (select from reconciliation r where r.reconciliation_id = substr(c.relname, 5)::bigint
                           and r.state in ('reading', 'comparing', 'asking', 'held'))`,
  );
  for (const { reconciliation_id } of rows) await dropStage(pool, reconciliation_id);
  return rows.length;
}
