import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/** Every statement on second factors. */
type Db = Pool | ClientBase;

export interface Passkey {
  passkey_id: number;
  credential_id: string;
  public_key: Buffer;
  sign_count: number;
  transports: string[];
  name: string;
  created_at: Micros;
  last_used_at: Micros | null;
}

export interface Totp {
  /** Encrypted. */
  secret: Buffer;
  confirmed_at: Micros | null;
  last_step: number;
}

export async function selectTotp(db: Db, accountId: number): Promise<Totp | null> {
  const { rows } = await db.query<Totp>(
    'select secret, confirmed_at, last_step from console_totp where account_id = $1',
    [accountId],
  );
  return rows[0] ?? null;
}

/** Stores a secret, and replaces an unconfirmed one. @returns false if a confirmed one exists */
export async function writeTotp(db: Db, accountId: number, secret: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into console_totp (account_id, secret) values ($1, $2)
     on conflict (account_id) do update set secret = excluded.secret where console_totp.confirmed_at is null`,
    [accountId, secret],
  );
  return rowCount === 1;
}

export async function confirmTotp(db: Db, accountId: number, step: number, now: Micros): Promise<boolean> {
  const { rowCount } = await db.query(
    'update console_totp set confirmed_at = $3, last_step = $2 where account_id = $1 and confirmed_at is null',
    [accountId, step, timestamptzText(now)],
  );
  return rowCount === 1;
}

/** False if a code of this step or a later one was already accepted: of two calls with one code, only one gets true. */
export async function takeStep(db: Db, accountId: number, step: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'update console_totp set last_step = $2 where account_id = $1 and confirmed_at is not null and last_step < $2',
    [accountId, step],
  );
  return rowCount === 1;
}

export async function deleteTotp(db: Db, accountId: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from console_totp where account_id = $1', [accountId]);
  return rowCount === 1;
}

export async function selectPasskeys(db: Db, accountId: number): Promise<Passkey[]> {
  const { rows } = await db.query<Passkey>(
    `select passkey_id, credential_id, public_key, sign_count, transports, name, created_at, last_used_at
       from console_passkey where account_id = $1 order by passkey_id`,
    [accountId],
  );
  return rows;
}

/** Null if the credential is already known. */
export async function insertPasskey(
  db: Db,
  accountId: number,
  passkey: Omit<Passkey, 'passkey_id' | 'last_used_at'>,
): Promise<number | null> {
  const { credential_id, public_key, sign_count, transports, name, created_at } = passkey;
  const { rows } = await db.query<{ passkey_id: number }>(
    `insert into console_passkey (account_id, credential_id, public_key, sign_count, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning passkey_id`,
    [accountId, credential_id, public_key, sign_count, transports, name, timestamptzText(created_at)],
  );
  return rows[0]?.passkey_id ?? null;
}

export async function usePasskey(db: Db, passkeyId: number, signCount: number, now: Micros): Promise<void> {
  await db.query('update console_passkey set sign_count = $2, last_used_at = $3 where passkey_id = $1', [
    passkeyId,
    signCount,
    timestamptzText(now),
  ]);
}

export async function deletePasskey(db: Db, accountId: number, passkeyId: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from console_passkey where account_id = $1 and passkey_id = $2', [
    accountId,
    passkeyId,
  ]);
  return rowCount === 1;
}

/** @returns the former name, or null if the account has no such passkey */
export async function renamePasskey(
  db: Db,
  accountId: number,
  passkeyId: number,
  name: string,
): Promise<string | null> {
  const { rows } = await db.query<{ name: string }>(
    `update console_passkey set name = $3
       from (select account_id, passkey_id, name from console_passkey
              where account_id = $1 and passkey_id = $2 for update) former
      where console_passkey.account_id = former.account_id and console_passkey.passkey_id = former.passkey_id
      returning former.name`,
    [accountId, passkeyId, name],
  );
  return rows[0]?.name ?? null;
}

export async function replaceRecoveryCodes(db: Db, accountId: number, hashes: readonly Buffer[]): Promise<void> {
  await db.query('delete from console_recovery_code where account_id = $1', [accountId]);
  await db.query('insert into console_recovery_code (account_id, sha256) select $1, h from unnest($2::bytea[]) as h', [
    accountId,
    hashes,
  ]);
}

/** False for an unknown code, and for one that was used before. */
export async function takeRecoveryCode(db: Db, accountId: number, hash: Buffer, now: Micros): Promise<boolean> {
  const { rowCount } = await db.query(
    'update console_recovery_code set used_at = $3 where account_id = $1 and sha256 = $2 and used_at is null',
    [accountId, hash, timestamptzText(now)],
  );
  return rowCount === 1;
}

export interface Factors {
  totp: boolean;
  passkeys: number;
  recovery_codes: number;
}

export async function selectFactors(db: Db, accountId: number): Promise<Factors> {
  const { rows } = await db.query<Factors>(
    `select exists (select from console_totp t where t.account_id = $1 and t.confirmed_at is not null) as totp,
            (select count(*) from console_passkey p where p.account_id = $1) as passkeys,
            (select count(*) from console_recovery_code c where c.account_id = $1 and c.used_at is null) as recovery_codes`,
    [accountId],
  );
  return rows[0] ?? { totp: false, passkeys: 0, recovery_codes: 0 };
}

export async function deleteFactors(db: Db, accountId: number): Promise<void> {
  await db.query('delete from console_totp where account_id = $1', [accountId]);
  await db.query('delete from console_passkey where account_id = $1', [accountId]);
  await db.query('delete from console_recovery_code where account_id = $1', [accountId]);
  await db.query('delete from console_code_failure where account_id = $1', [accountId]);
}

/** Counts one code that is about to be compared. @returns how many were compared in this window, and when it ends */
export async function countCode(
  db: Db,
  accountId: number,
  now: Micros,
  windowEndsAt: Micros,
): Promise<{ failures: number; window_ends_at: Micros }> {
  const { rows } = await db.query<{ failures: number; window_ends_at: Micros }>(
    `insert into console_code_failure as f (account_id, failures, window_ends_at) values ($1, 1, $3)
     on conflict (account_id) do update set
       failures = case when f.window_ends_at <= $2 then 1 else f.failures + 1 end,
       window_ends_at = case when f.window_ends_at <= $2 then excluded.window_ends_at else f.window_ends_at end
     returning failures, window_ends_at`,
    [accountId, timestamptzText(now), timestamptzText(windowEndsAt)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

export async function forgetCodes(db: Db, accountId: number): Promise<void> {
  await db.query('delete from console_code_failure where account_id = $1', [accountId]);
}

/** False if the ticket was used before. Also deletes expired tickets, so that the table stays small. */
export async function useTicket(db: Db, ticketId: string, expiresAt: Micros, now: Micros): Promise<boolean> {
  const { rowCount } = await db.query(
    `with expired as (delete from console_used_ticket where expires_at <= $3)
     insert into console_used_ticket (ticket_id, expires_at) values ($1, $2) on conflict (ticket_id) do nothing`,
    [ticketId, timestamptzText(expiresAt), timestamptzText(now)],
  );
  return rowCount === 1;
}

/** Brands at which a second factor is required. If null is among them, every brand requires it. */
export async function selectRule(db: Db): Promise<(number | null)[]> {
  const { rows } = await db.query<{ brand_id: number | null }>(
    'select brand_id from console_second_factor_rule order by brand_id nulls first',
  );
  return rows.map(({ brand_id }) => brand_id);
}

export async function replaceRule(db: Db, brandIds: readonly (number | null)[]): Promise<void> {
  await db.query('delete from console_second_factor_rule');
  await db.query('insert into console_second_factor_rule (brand_id) select unnest($1::int[])', [brandIds]);
}
