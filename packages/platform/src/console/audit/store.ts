import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** Statements that write and list console_audit. The statements on its chain are in seal-store.ts. */

export interface AuditRow {
  audit_id: number;
  at: Micros;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  /** The seal that covers the entry; null for a few seconds after it was written. */
  seal_no: number | null;
}

export async function insertAudit(
  db: Pool | ClientBase,
  row: Omit<AuditRow, 'audit_id' | 'seal_no'> & { account_id: number | null; brand_id: number | null },
): Promise<void> {
  await db.query(
    `with entry as (
       insert into console_audit (at, account_id, actor, brand_id, action, subject, details)
       values ($1, $2, $3, $4, $5, $6, $7) returning audit_id
     )
     insert into console_audit_mark (audit_id) select audit_id from entry`,
    [timestamptzText(row.at), row.account_id, row.actor, row.brand_id, row.action, row.subject, row.details],
  );
}

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  from?: Micros | undefined;
  to?: Micros | undefined;
}

/** Newest first. If `brandId` is null: entries that belong to no brand (accounts, sessions). */
export async function selectAudit(
  db: Pool,
  brandId: number | null,
  { actor, action, subject, from, to }: AuditFilter,
  limit: number,
  before: number | null,
): Promise<AuditRow[]> {
  const moment = (at: Micros | undefined) => (at === undefined ? null : timestamptzText(at));
  const { rows } = await db.query<AuditRow>(
    `select a.audit_id, a.at, a.actor, a.action, a.subject, a.details, m.seal_no
       from console_audit a left join console_audit_mark m using (audit_id)
      where a.brand_id is not distinct from $1 and ($2::bigint is null or a.audit_id < $2)
        and ($4::text is null or a.actor = $4) and ($5::text is null or a.action = $5)
        and ($6::text is null or a.subject = $6)
        and ($7::timestamptz is null or a.at >= $7) and ($8::timestamptz is null or a.at <= $8)
      order by a.audit_id desc limit $3`,
    [brandId, before, limit, actor, action, subject, moment(from), moment(to)],
  );
  return rows;
}

/** What was done to one subject of a brand, newest first. */
export async function selectAuditOf(db: Pool, brandId: number, subject: string, limit: number): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select audit_id, at, actor, action, subject, details from console_audit
      where brand_id = $1 and subject = $2 order by audit_id desc limit $3`,
    [brandId, subject, limit],
  );
  return rows;
}
