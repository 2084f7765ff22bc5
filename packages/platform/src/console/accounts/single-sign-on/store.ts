import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/** All SQL statements on console_identity. */
type Db = Pool | ClientBase;

export interface Identity {
  issuer: string;
  subject: string;
}

export async function selectAccountOf(db: Db, { issuer, subject }: Identity): Promise<number | null> {
  const { rows } = await db.query<{ account_id: number }>(
    'select account_id from console_identity where issuer = $1 and subject = $2',
    [issuer, subject],
  );
  return rows[0]?.account_id ?? null;
}

/** Returns false if the account is already linked to another person, or the person to another account. */
export async function linkIdentity(db: Db, accountId: number, identity: Identity, now: Micros): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into console_identity (account_id, issuer, subject, linked_at) values ($1, $2, $3, $4) on conflict do nothing',
    [accountId, identity.issuer, identity.subject, timestamptzText(now)],
  );
  return rowCount === 1;
}

export async function unlinkIdentity(db: Db, accountId: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from console_identity where account_id = $1', [accountId]);
  return rowCount === 1;
}

export async function selectAccountByEmail(db: Db, email: string): Promise<number | null> {
  const { rows } = await db.query<{ account_id: number }>('select account_id from console_account where email = $1', [
    email,
  ]);
  return rows[0]?.account_id ?? null;
}
