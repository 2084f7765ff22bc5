import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { awaitAll, timestamptzText } from '../../database/index.ts';
import type { Protection } from './inputs.ts';
import { followers, type ProtectionTransition } from './transition.ts';

/** The state of a player that was last published, locked. `before` is null if there was none. */
export interface Published {
  player_id: number;
  before: Protection | null;
}

interface Row extends Protection {
  player_id: number;
  noted_at: Micros | null;
}

/**
 * Locks the published state of players, in the order of their ids. A player seen for the first time gets a row. The two
 * statements are sent together.
 */
export async function lockProtection(tx: ClientBase, playerIds: readonly number[]): Promise<Published[]> {
  const ids = [...new Set(playerIds)];
  const [, { rows }] = await awaitAll([
    // Waits for another transaction that inserts the same row. The next statement then finds the row.
    tx.query({
      name: 'begin_protection',
      text: `insert into player_protection (player_id, brand_id)
             select player_id, brand_id from player p
              where player_id = any($1::bigint[])
                and not exists (select from player_protection o where o.player_id = p.player_id)
              order by player_id
             on conflict do nothing`,
      values: [ids],
    }),
    tx.query<Row>({
      name: 'lock_protection',
      text: `select player_id, excluded, blocked, consents, noted_at
               from player_protection where player_id = any($1::bigint[]) order by player_id for update`,
      values: [ids],
    }),
  ]);
  return rows.map(({ player_id, noted_at, ...before }) => ({ player_id, before: noted_at === null ? null : before }));
}

export async function writeProtection(
  tx: ClientBase,
  rows: readonly (Protection & { player_id: number; noted_at: Micros })[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    name: 'write_protection',
    text: `update player_protection p
              set excluded = r.excluded, blocked = r.blocked, consents = r.consents, noted_at = r.noted_at
             from jsonb_to_recordset($1::jsonb)
                    as r (player_id bigint, excluded boolean, blocked boolean, consents jsonb, noted_at timestamptz)
            where p.player_id = r.player_id`,
    values: [JSON.stringify(rows.map((row) => ({ ...row, noted_at: timestamptzText(row.noted_at) })))],
  });
}

export type NewTransition = Omit<ProtectionTransition, 'transition_id'> & { received_at: Micros };

/** Writes transitions, and one delivery per transition and follower. */
export async function insertTransitions(tx: ClientBase, transitions: readonly NewTransition[]): Promise<void> {
  if (transitions.length === 0) return;
  await tx.query({
    name: 'insert_transitions',
    text: `with written as (
             insert into protection_transition (brand_id, player_id, kind, consent_type, source, at, received_at)
             select brand_id, player_id, kind, consent_type, source, at, received_at
               from jsonb_to_recordset($1::jsonb) as r (
                      brand_id int, player_id bigint, kind text, consent_type text, source text, at timestamptz, received_at timestamptz)
             returning transition_id)
           insert into protection_delivery (follower, transition_id)
           select follower, transition_id from written cross join unnest($2::text[]) as follower`,
    values: [
      JSON.stringify(
        transitions.map((one) => ({
          ...one,
          at: timestamptzText(one.at),
          received_at: timestamptzText(one.received_at),
        })),
      ),
      [...followers],
    ],
  });
}
