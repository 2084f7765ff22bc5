import type { ClientBase } from 'pg';
import { type Login, nameOf } from './login.ts';

/** The logins and logouts with the keys of the given ones, by `nameOf`. */
export async function loadLogins(tx: ClientBase, logins: readonly Login[]): Promise<Map<string, Login>> {
  const { rows } = await tx.query<Login>({
    name: 'load_logins',
    text: `select l.player_id, l.action, l.at, encode(fingerprint, 'hex') as fingerprint, day, counted, origin
           from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as k(player_id, action, at)
           join login l on l.player_id = k.player_id and l.action = k.action and l.at = k.at`,
    values: [logins.map((l) => l.player_id), logins.map((l) => l.action), logins.map((l) => l.at)],
  });
  return new Map(rows.map((row) => [nameOf(row), row]));
}

export async function saveLogins(tx: ClientBase, logins: readonly Login[]): Promise<void> {
  await tx.query({
    name: 'save_logins',
    text: `insert into login (player_id, action, at, fingerprint, day, counted, origin)
           select player_id, action, at, decode(fingerprint, 'hex'), day, counted, origin
           from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::date[], $6::boolean[], $7::text[])
             as l(player_id, action, at, fingerprint, day, counted, origin)
           on conflict (player_id, action, at) do update set
             fingerprint = excluded.fingerprint, counted = excluded.counted, origin = excluded.origin`,
    values: [
      logins.map((l) => l.player_id),
      logins.map((l) => l.action),
      logins.map((l) => l.at),
      logins.map((l) => l.fingerprint),
      logins.map((l) => l.day),
      logins.map((l) => l.counted),
      logins.map((l) => l.origin),
    ],
  });
}

/** One row per login that counts, as `TotalsSpec.facts` wants it: by action, so that a condition on `at` is one of the key. */
export const countedLogins = `
  select player_id, at, day, at as login_at, null::timestamptz as logout_at from login where action = 'login' and counted
  union all
  select player_id, at, day, null, at from login where action = 'logout' and counted`;
