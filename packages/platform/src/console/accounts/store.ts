import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { Grant } from '../access/roles.ts';

/** All SQL statements on console_account, console_grant and console_session. */
type Db = Pool | ClientBase;

export interface Account {
  account_id: number;
  email: string;
  created_at: Micros;
  password_set_at: Micros;
  disabled_at: Micros | null;
  grants: Grant[];
}

const accountColumns = `
  a.account_id, a.email, a.created_at, a.password_set_at, a.disabled_at,
  coalesce((select jsonb_agg(jsonb_build_object('brand_id', g.brand_id, 'role', g.role) order by g.brand_id nulls first, g.role)
              from console_grant g where g.account_id = a.account_id), '[]'::jsonb) as grants`;

/** Null if the e-mail is in use. */
export async function insertAccount(db: Db, email: string, password: string | null): Promise<number | null> {
  const { rows } = await db.query<{ account_id: number }>(
    'insert into console_account (email, password) values ($1, $2) on conflict (email) do nothing returning account_id',
    [email, password],
  );
  return rows[0]?.account_id ?? null;
}

export async function replaceGrants(db: Db, accountId: number, grants: readonly Grant[]): Promise<void> {
  await db.query('delete from console_grant where account_id = $1', [accountId]);
  await db.query(
    `insert into console_grant (account_id, brand_id, role)
     select $1, r.brand_id, r.role from jsonb_to_recordset($2::jsonb) as r(brand_id int, role text)
     on conflict do nothing`,
    [accountId, JSON.stringify(grants)],
  );
}

/** False if there is no such account. Its sessions end with the old password. */
export async function updatePassword(db: Db, email: string, password: string): Promise<boolean> {
  const { rows } = await db.query(
    `with changed as (
       update console_account set password = $2, password_set_at = now() where email = $1 returning account_id
     ), ended as (
       delete from console_session where account_id in (select account_id from changed)
     )
     select account_id from changed`,
    [email, password],
  );
  return rows.length > 0;
}

/** False if there is no such account. A disabled account loses its sessions immediately; its name stays in the audit. */
export async function updateDisabled(db: Db, email: string, disabled: boolean): Promise<boolean> {
  const { rows } = await db.query(
    `with changed as (
       update console_account set disabled_at = case when $2 then coalesce(disabled_at, now()) end
       where email = $1 returning account_id
     ), ended as (
       delete from console_session where $2 and account_id in (select account_id from changed)
     )
     select account_id from changed`,
    [email, disabled],
  );
  return rows.length > 0;
}

export async function selectAccounts(db: Db): Promise<Account[]> {
  const { rows } = await db.query<Account>(`select ${accountColumns} from console_account a order by a.email`);
  return rows;
}

export async function selectAccount(db: Db, accountId: number): Promise<Account | null> {
  const { rows } = await db.query<Account>(`select ${accountColumns} from console_account a where a.account_id = $1`, [
    accountId,
  ]);
  return rows[0] ?? null;
}

/** What an account can sign in with, besides a password. */
export interface SignInMeans {
  totp: boolean;
  passkeys: number;
  single_sign_on: boolean;
}

/** Returns what each account can sign in with, by account_id. Accounts without any are omitted. */
export async function selectSignInMeans(db: Db): Promise<Map<number, SignInMeans>> {
  const { rows } = await db.query<SignInMeans & { account_id: number }>(
    `select account_id, t.confirmed_at is not null as totp, coalesce(p.passkeys, 0) as passkeys, i.account_id is not null as single_sign_on
       from console_account a
       left join console_totp t using (account_id)
       left join (select account_id, count(*) as passkeys from console_passkey group by account_id) p using (account_id)
       left join console_identity i using (account_id)`,
  );
  return new Map(rows.map(({ account_id, ...means }) => [account_id, means]));
}

export async function countAccounts(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) from console_account');
  return rows[0]?.count ?? 0;
}

/** The stored password for a login; null: the account has none. A disabled account counts as missing. */
export async function selectPassword(
  db: Db,
  email: string,
): Promise<{ account_id: number; password: string | null; password_set_at: Micros } | null> {
  const { rows } = await db.query<{ account_id: number; password: string | null; password_set_at: Micros }>(
    'select account_id, password, password_set_at from console_account where email = $1 and disabled_at is null',
    [email],
  );
  return rows[0] ?? null;
}

/** How the first factor was given. */
export type SignedInBy = 'password' | 'single_sign_on';

export interface SessionRow {
  session_id: number;
  account_id: number;
  created_at: Micros;
  expires_at: Micros;
  last_used_at: Micros;
  proven_at: Micros;
  signed_in_by: SignedInBy;
  second_factor: boolean;
  device: string;
  network: string;
}

/** Opens the session, and deletes sessions that have expired, so that the table stays small. */
export async function insertSession(
  db: Db,
  session: Omit<SessionRow, 'session_id' | 'last_used_at' | 'proven_at'> & { sha256: Buffer },
): Promise<void> {
  const { sha256, account_id, created_at, expires_at, signed_in_by, second_factor, device, network } = session;
  await db.query(
    `with expired as (delete from console_session where expires_at <= $3)
     insert into console_session
       (sha256, account_id, created_at, expires_at, last_used_at, proven_at, signed_in_by, second_factor, device, network)
     values ($1, $2, $3, $4, $3, $3, $5, $6, $7, $8)`,
    [
      sha256,
      account_id,
      timestamptzText(created_at),
      timestamptzText(expires_at),
      signed_in_by,
      second_factor,
      device,
      network,
    ],
  );
}

export async function selectSession(db: Db, sha256: Buffer, now: Micros): Promise<AccountOfSession | null> {
  const { rows } = await db.query<AccountOfSession>(
    `select ${accountColumns}, s.session_id, s.proven_at, s.signed_in_by, s.expires_at, s.last_used_at, s.second_factor,
            (select coalesce(jsonb_agg(r.brand_id), '[]'::jsonb) from console_second_factor_rule r) as second_factor_at
       from console_session s join console_account a using (account_id)
      where s.sha256 = $1 and s.expires_at > $2 and a.disabled_at is null`,
    [sha256, timestamptzText(now)],
  );
  return rows[0] ?? null;
}

export type AccountOfSession = Account &
  Pick<SessionRow, 'session_id' | 'proven_at' | 'signed_in_by' | 'expires_at' | 'last_used_at' | 'second_factor'> & {
    /** Brands at which a second factor is required. If null is among them, every brand requires it. */
    second_factor_at: (number | null)[];
  };

/** The owner has just proven their identity again. */
export async function proveSession(db: Db, sessionId: number, now: Micros): Promise<void> {
  await db.query('update console_session set proven_at = $2 where session_id = $1', [sessionId, timestamptzText(now)]);
}

/** From now on, the session counts as one with a second factor, because its owner has just added one. */
export async function upgradeSession(db: Db, sessionId: number): Promise<void> {
  await db.query('update console_session set second_factor = true where session_id = $1', [sessionId]);
}

/** Records the use of the session, and its network. */
export async function touchSession(db: Db, sessionId: number, now: Micros, network: string): Promise<void> {
  await db.query(
    'update console_session set last_used_at = $2, network = $3 where session_id = $1 and last_used_at < $2',
    [sessionId, timestamptzText(now), network],
  );
}

/** The sessions of one account, most recently used first. */
export async function selectSessions(db: Db, accountId: number, now: Micros): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    `select session_id, account_id, created_at, expires_at, last_used_at, proven_at, signed_in_by, second_factor, device, network
       from console_session where account_id = $1 and expires_at > $2 order by last_used_at desc, session_id desc`,
    [accountId, timestamptzText(now)],
  );
  return rows;
}

/**
 * Ends sessions of an account: one, or all except one.
 *
 * @returns how many ended
 */
export async function deleteSessions(
  db: Db,
  accountId: number,
  { one = null, keep = null }: { one?: number | null; keep?: number | null } = {},
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from console_session
      where account_id = $1 and ($2::bigint is null or session_id = $2) and session_id is distinct from $3::bigint`,
    [accountId, one, keep],
  );
  return rowCount ?? 0;
}

export async function deleteSession(db: Db, sha256: Buffer): Promise<void> {
  await db.query('delete from console_session where sha256 = $1', [sha256]);
}
