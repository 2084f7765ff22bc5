import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { ChainHead } from '../../sealing/index.ts';
import type { AuditSeal, SealedEntry } from './seal.ts';

/** Statements on the chain of console_audit: its marks and seals. */

const sealingLock = 0x5ea2;

/** True if this transaction is the only one that seals the audit, until it ends. */
export async function lockAuditSealing(tx: ClientBase): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1, 0) as locked', [
    sealingLock,
  ]);
  return rows[0]?.locked === true;
}

const entryColumns = `a.audit_id, a.at, a.account_id, a.actor, a.brand_id, a.action, a.subject, a.details::text as details`;

export async function unsealedEntries(tx: ClientBase, limit: number): Promise<SealedEntry[]> {
  const { rows } = await tx.query<SealedEntry>(
    `select ${entryColumns} from console_audit_mark m join console_audit a using (audit_id)
      where m.seal_no is null order by m.audit_id limit $1`,
    [limit],
  );
  return rows;
}

export async function readAuditHead(db: Pool | ClientBase): Promise<ChainHead | undefined> {
  const { rows } = await db.query<ChainHead>(
    'select seal_no, hash from console_audit_seal order by seal_no desc limit 1',
  );
  return rows[0];
}

export async function writeAuditSeal(tx: ClientBase, seal: AuditSeal): Promise<void> {
  const { seal_no, entries, ids, leaves, root, previous, hash, sealed_at } = seal;
  await tx.query(
    `insert into console_audit_seal (seal_no, entries, audit_ids, leaves, root, previous, hash, sealed_at)
     values ($1, $2, $3::bigint[], $4, $5, $6, $7, $8)`,
    [seal_no, entries, ids, leaves, root, previous, hash, timestamptzText(sealed_at)],
  );
  await tx.query('update console_audit_mark set seal_no = $2 where audit_id = any($1::bigint[])', [ids, seal_no]);
}

/** The seals with numbers above `after`, up to and including `to`, in order. */
export async function readAuditSeals(pool: Pool, after: number, to: number): Promise<AuditSeal[]> {
  const { rows } = await pool.query<AuditSeal>(
    `select seal_no, entries, audit_ids as ids, leaves, root, previous, hash, sealed_at
       from console_audit_seal where seal_no > $1 and seal_no <= $2 order by seal_no`,
    [after, to],
  );
  return rows;
}

export async function readEntries(pool: Pool, ids: readonly number[]): Promise<SealedEntry[]> {
  const { rows } = await pool.query<SealedEntry>(
    `select ${entryColumns} from console_audit a where a.audit_id = any($1::bigint[])`,
    [ids],
  );
  return rows;
}

export async function markedEntries(pool: Pool, sealNo: number): Promise<number[]> {
  const { rows } = await pool.query<{ audit_id: number }>(
    'select audit_id from console_audit_mark where seal_no = $1 order by audit_id',
    [sealNo],
  );
  return rows.map(({ audit_id }) => audit_id);
}

/** The newest seal, and the newest seal with which an entry is marked, read at the same moment. */
export async function auditSealsMarked(pool: Pool): Promise<{ sealed: number; marked: number }> {
  const { rows } = await pool.query<{ sealed: number; marked: number }>(
    `select coalesce((select max(seal_no) from console_audit_seal), 0) as sealed,
            coalesce((select max(seal_no) from console_audit_mark where seal_no is not null), 0) as marked`,
  );
  return rows[0] ?? { sealed: 0, marked: 0 };
}

export async function newestEntry(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ newest: number }>(
    'select greatest((select max(audit_id) from console_audit), (select max(audit_id) from console_audit_mark), 0) as newest',
  );
  return rows[0]?.newest ?? 0;
}

/** The first entry without its mark, or mark without its entry, among ids above `after`, up to and including `to`. */
export async function strayEntry(
  pool: Pool,
  { after, to }: { after: number; to: number },
): Promise<{ id: number; is_there: boolean } | null> {
  const { rows } = await pool.query<{ id: number; is_there: boolean }>(
    `(select a.audit_id as id, true as is_there from console_audit a
       where a.audit_id > $1 and a.audit_id <= $2
         and not exists (select from console_audit_mark m where m.audit_id = a.audit_id)
       order by a.audit_id limit 1)
     union all
     (select m.audit_id, false from console_audit_mark m
       where m.seal_no is null and m.audit_id > $1 and m.audit_id <= $2
         and not exists (select from console_audit a where a.audit_id = m.audit_id)
       order by m.audit_id limit 1)
     order by id limit 1`,
    [after, to],
  );
  return rows[0] ?? null;
}
