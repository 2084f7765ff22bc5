import type { ClientBase } from 'pg';
import type { Registration } from './registration.ts';

export async function loadRegistrations(
  tx: ClientBase,
  playerIds: readonly number[],
): Promise<Map<number, Registration>> {
  const { rows } = await tx.query<Registration>({
    name: 'load_registrations',
    text: `select player_id, at, encode(fingerprint, 'hex') as fingerprint, origin, url_referer
           from registration where player_id = any ($1::bigint[])`,
    values: [playerIds],
  });
  return new Map(rows.map((row) => [row.player_id, row]));
}

export async function saveRegistrations(tx: ClientBase, registrations: readonly Registration[]): Promise<void> {
  await tx.query({
    name: 'save_registrations',
    text: `insert into registration (player_id, at, fingerprint, origin, url_referer)
           select player_id, at, decode(fingerprint, 'hex'), origin, url_referer
           from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])
             as r(player_id, at, fingerprint, origin, url_referer)
           on conflict (player_id) do update set
             at = excluded.at, fingerprint = excluded.fingerprint, origin = excluded.origin,
             url_referer = excluded.url_referer`,
    values: [
      registrations.map((r) => r.player_id),
      registrations.map((r) => r.at),
      registrations.map((r) => r.fingerprint),
      registrations.map((r) => r.origin),
      registrations.map((r) => r.url_referer),
    ],
  });
}

export async function readRegistration(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
): Promise<Pick<Registration, 'at' | 'origin' | 'url_referer'> | undefined> {
  const { rows } = await db.query<Registration>(
    'select at, origin, url_referer from live.registration where player_id = $1',
    [playerId],
  );
  return rows[0];
}
