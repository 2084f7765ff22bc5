import type { ClientBase } from 'pg';
import type { Registration } from './registration.ts';

export async function readRegistration(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
): Promise<Pick<Registration, 'at' | 'origin' | 'url_referer'> | undefined> {
  const { rows } = await db.query<Registration>(
    'select at, origin, url_referer from registration where player_id = $1',
    [playerId],
  );
  return rows[0];
}
