import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** All SQL statements on console_audit. */

export interface AuditRow {
  audit_id: number;
  at: Micros;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

export async function insertAudit(
  db: Pool | ClientBase,
  row: Omit<AuditRow, 'audit_id'> & { account_id: number | null; brand_id: number | null },
): Promise<void> {
  await db.query(
    `insert into console_audit (at, account_id, actor, brand_id, action, subject, details)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [timestamptzText(row.at), row.account_id, row.actor, row.brand_id, row.action, row.subject, row.details],
  );
}

/** Newest first. `brandId` null: rows that belong to no brand (accounts). */
export async function selectAudit(
  db: Pool,
  brandId: number | null,
  limit: number,
  before: number | null,
): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select audit_id, at, actor, action, subject, details from console_audit
      where brand_id is not distinct from $1 and ($2::bigint is null or audit_id < $2)
      order by audit_id desc limit $3`,
    [brandId, before, limit],
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
