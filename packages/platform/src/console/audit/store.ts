import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { type TimePage, timePageSql, timePageValues, timestamptzText } from '../../database/index.ts';

/** Statements that write and list console_audit. The statements on its chain are in seal-store.ts. */

export interface AuditRow {
  audit_id: number;
  at: Micros;
  /** Null for the admin token, and for a refused sign-in. */
  account_id: number | null;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  /** The seal that covers the entry; null for a few seconds after it was written. */
  seal_no: number | null;
}

export async function insertAudit(
  db: Pool | ClientBase,
  row: Omit<AuditRow, 'audit_id' | 'seal_no'> & { brand_id: number | null },
): Promise<void> {
  await db.query(
    `with entry as (
       insert into console_audit (at, account_id, actor, brand_id, action, subject, details)
       values ($1, $2, $3, $4, $5, $6, $7) returning audit_id
     )
     insert into console_audit_mark (audit_id) select audit_id from entry
     -- PostgreSQL counts the rows that a transaction wrote up to 10 s later if its connection is idle afterwards. Open consoles compare
     -- these counts (console/live), so a person's change would appear late on the pages of other people.
     returning pg_stat_force_next_flush()`,
    [timestamptzText(row.at), row.account_id, row.actor, row.brand_id, row.action, row.subject, row.details],
  );
}

export interface AuditFilter {
  /** 0: the admin token, which has no account. */
  account_id?: number | undefined;
  action?: string | undefined;
  /** Entries that have all of these subjects: none if they differ. */
  subjects?: readonly string[] | undefined;
  from?: Micros | undefined;
  to?: Micros | undefined;
}

/** Newest first. If `brandId` is null: entries that belong to no brand (accounts, sessions). */
export async function selectAudit(
  db: Pool,
  brandId: number | null,
  { account_id, action, subjects = [], from, to }: AuditFilter,
  limit: number,
  before: number | null,
): Promise<AuditRow[]> {
  const values: unknown[] = [limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // Only the conditions of this call, so that PostgreSQL can choose the index of the account, the action or the subject.
  const conditions = [brandId === null ? 'a.brand_id is null' : `a.brand_id = ${bind(brandId)}`];
  if (before !== null) conditions.push(`a.audit_id < ${bind(before)}`);
  if (account_id === 0) conditions.push("a.account_id is null and a.actor = 'admin token'");
  else if (account_id !== undefined) conditions.push(`a.account_id = ${bind(account_id)}`);
  if (action !== undefined) conditions.push(`a.action = ${bind(action)}`);
  for (const subject of subjects) conditions.push(`a.subject = ${bind(subject)}`);
  if (from !== undefined) conditions.push(`a.at >= ${bind(timestamptzText(from))}`);
  if (to !== undefined) conditions.push(`a.at <= ${bind(timestamptzText(to))}`);
  const { rows } = await db.query<AuditRow>(
    `select a.audit_id, a.at, a.account_id, a.actor, a.action, a.subject, a.details, m.seal_no
       from console_audit a left join console_audit_mark m using (audit_id)
      where ${conditions.join(' and ')}
      order by a.audit_id desc limit $1`,
    values,
  );
  return rows;
}

/** The operator's ids of players, by player_id. */
export async function selectUsers(db: Pool, playerIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (playerIds.length === 0) return new Map();
  const { rows } = await db.query<{ player_id: number; user_id: string }>(
    'select player_id, user_id from player where player_id = any($1::bigint[])',
    [playerIds],
  );
  return new Map(rows.map(({ player_id, user_id }) => [player_id, user_id]));
}

export interface AuditValues {
  /** By e-mail. `account_id` 0 is the admin token. */
  accounts: { account_id: number; actor: string }[];
  actions: string[];
}

/**
 * The accounts and the actions of the entries of a brand; null: of the entries of no brand. Each account and each action costs
 * one look-up in an index. Reading all entries of a large audit would take longer: half a second for 500,000.
 */
export async function selectValues(db: Pool, brandId: number | null): Promise<AuditValues> {
  const ofBrand = brandId === null ? 'brand_id is null and $1::int is null' : 'brand_id = $1';
  const { rows } = await db.query<AuditValues>(
    `with recursive
       action as ((select action from console_audit where ${ofBrand} order by action limit 1)
                  union all
                  select (select later.action from console_audit later
                           where ${ofBrand} and later.action > action.action order by later.action limit 1)
                    from action where action.action is not null),
       account as (select account_id, email as actor from console_account
                    where exists (select from console_audit a where ${ofBrand} and a.account_id = console_account.account_id)
                   union all
                   select 0, 'admin token'
                    where exists (select from console_audit where ${ofBrand} and account_id is null and actor = 'admin token'))
     select (select coalesce(json_agg(account order by actor), '[]') from account) as accounts,
            array(select action from action where action is not null order by action) as actions`,
    [brandId],
  );
  return rows[0] as AuditValues;
}

/** What was done to one subject of a brand, by time, newest first. */
export async function selectAuditOf(db: Pool, brandId: number, subject: string, page: TimePage): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select audit_id, at, account_id, actor, action, subject, details from console_audit
      where brand_id = $1 and subject = $2 ${timePageSql({ at: 'at', key: 'audit_id', type: 'bigint' }, 3)}`,
    [brandId, subject, ...timePageValues(page)],
  );
  return rows;
}

/** The last entry that changed a setting of a brand. The subjects of these entries list the names of the changed settings. */
export async function selectLatestChange(
  db: Pool,
  brandId: number,
  setting: string,
): Promise<Pick<AuditRow, 'at' | 'actor'> | undefined> {
  const { rows } = await db.query<Pick<AuditRow, 'at' | 'actor'>>(
    `select at, actor from console_audit
      where brand_id = $1 and action in ('brand.contact_rules_changed', 'brand.changed')
        and $2 = any (regexp_split_to_array(subject, '[ ,]+'))
      order by audit_id desc limit 1`,
    [brandId, setting],
  );
  return rows[0];
}

/** Who requested each erasure first, by erasure_id. Erasures that were requested on the command line have no entry. */
export async function selectErasureRequesters(
  db: Pool | ClientBase,
  brandId: number,
  playerIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await db.query<{ erasure_id: number; actor: string }>(
    `select (details->>'erasure_id')::bigint as erasure_id, actor from console_audit
      where brand_id = $1 and subject = any ($2) and action = 'player.erasure_requested'
      order by audit_id desc`,
    [brandId, playerIds.map((id) => `player ${id}`)],
  );
  // The first request comes last, and replaces the later ones.
  return new Map(rows.map(({ erasure_id, actor }) => [erasure_id, actor]));
}
