import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { IntentPosition } from '../intents/position.ts';
import type { Assigned, AssignedIntent, Grant } from './assign.ts';
import type { Group } from './request-store.ts';

/** The intents and bonuses of one player and bonus_code. */

/** Only the newest intents are used. A player who gets one bonus a day has 365 intents of its code in a year. */
const maxIntents = 1_000;
/** Only the newest bonuses are used. */
const maxGrants = 2_000;

export type GroupIntent = Omit<AssignedIntent, 'certainty'> &
  Pick<IntentPosition, 'state' | 'resolved_by' | 'open_attempt'>;

/**
 * Locks the intents of the group that may move, so that the decision is based on a state that cannot change in the meantime. It
 * locks them in the order of their ids, as all code that locks several does.
 */
export async function lockGroup(tx: ClientBase, { player_id, bonus_code }: Group): Promise<void> {
  await tx.query({
    name: 'lock_resolution_group',
    text: `select from bonus_intent i
           where player_id = $1 and bonus_code = $2
             and (state not in ('credited', 'rejected') or resolved_by = 'match' or intent_id::text in (
               select lower(crm_references ->> 'id') from bonus where player_id = $1 and crm_references is not null
             ))
           order by intent_id for update`,
    values: [player_id, bonus_code],
  });
}

export async function readIntents(tx: ClientBase, { player_id, bonus_code }: Group): Promise<GroupIntent[]> {
  const { rows } = await tx.query<GroupIntent>({
    name: 'read_resolution_intents',
    text: `select intent_id, state, resolved_by, open_attempt, first_attempt_at, last_attempt_at, activity_id, action_id,
                  action_group_id, trigger_hash
           from bonus_intent where player_id = $1 and bonus_code = $2
           order by created_at desc, intent_id desc limit $3`,
    values: [player_id, bonus_code, maxIntents],
  });
  return rows;
}

/** The player's bonuses with that code, and bonuses with any code that name one of the intents. */
export async function readGrants(
  tx: ClientBase,
  { player_id, bonus_code }: Group,
  intentIds: readonly string[],
): Promise<Grant[]> {
  const { rows } = await tx.query<Grant>({
    name: 'read_resolution_grants',
    text: `select user_bonus_id, crm_references as references, (events -> 0 ->> 'timestamp')::float8 as at,
                  events -> 0 ->> 'status' as status
           from bonus
           where player_id = $1 and (bonus_code = $2 or lower(crm_references ->> 'id') = any ($3::text[]))
           order by at desc limit $4`,
    values: [player_id, bonus_code, intentIds, maxGrants],
  });
  return rows;
}

/** Writes the assignments to the rows of the group. An assignment that stays the same keeps its `since`. */
export async function saveAssignments(
  tx: ClientBase,
  { player_id }: Group,
  intentIds: readonly string[],
  assigned: ReadonlyMap<string, Assigned>,
  at: Micros,
): Promise<void> {
  const rows = [...assigned].map(([user_bonus_id, { intent_id, how }]) => ({ user_bonus_id, intent_id, how }));
  await tx.query({
    name: 'drop_assignments',
    text: `delete from bonus_intent_grant g
           where intent_id = any ($2::uuid[]) and player_id = $1 and not user_bonus_id = any ($3::text[])`,
    values: [player_id, intentIds, rows.map(({ user_bonus_id }) => user_bonus_id)],
  });
  if (rows.length === 0) return;
  await tx.query({
    name: 'save_assignments',
    text: `insert into bonus_intent_grant as g (player_id, user_bonus_id, intent_id, how, since)
           select $1, r.user_bonus_id, r.intent_id, r.how, $3
           from jsonb_to_recordset($2::jsonb) r(user_bonus_id text, intent_id uuid, how text)
           order by r.user_bonus_id
           on conflict (player_id, user_bonus_id) do update set
             intent_id = excluded.intent_id, how = excluded.how, since = excluded.since
           where (g.intent_id, g.how) is distinct from (excluded.intent_id, excluded.how)`,
    values: [player_id, JSON.stringify(rows), timestamptzText(at)],
  });
}
