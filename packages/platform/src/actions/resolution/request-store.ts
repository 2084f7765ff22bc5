import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';

/** Requests to assign the bonuses of a player and bonus_code again: rows, written in the transaction of the cause. */

export interface Group {
  brand_id: number;
  player_id: number;
  bonus_code: string;
}

/**
 * Requests an assignment if one of the intents, or another one of the same player and bonus_code, is in doubt, was credited by a match,
 * or has a bonus. Call it when an intent becomes unknown, because its bonus event may have arrived before, and when a call ends in
 * another way, because its own bonus must then not prove another intent.
 */
export async function lookBack(tx: ClientBase, intents: readonly Group[]): Promise<void> {
  await tx.query({
    name: 'request_resolution_of_intents',
    text: `insert into bonus_resolution_request (brand_id, player_id, bonus_code)
           select distinct g.brand_id, g.player_id, g.bonus_code
           from unnest($1::int[], $2::bigint[], $3::text[]) g(brand_id, player_id, bonus_code)
           where exists (
             select from bonus_intent i
             where i.player_id = g.player_id and i.bonus_code = g.bonus_code and i.state in ('unknown', 'needs_person')
           ) or exists (
             select from bonus_intent i
             where i.player_id = g.player_id and i.bonus_code = g.bonus_code and i.resolved_by = 'match'
           ) or exists (
             select from bonus_intent i join bonus_intent_grant b on b.player_id = i.player_id and b.intent_id = i.intent_id
             where i.player_id = g.player_id and i.bonus_code = g.bonus_code
           )`,
    values: [
      intents.map(({ brand_id }) => brand_id),
      intents.map(({ player_id }) => player_id),
      intents.map(({ bonus_code }) => bonus_code),
    ],
  });
}

export interface BonusNews {
  player_id: number;
  user_bonus_id: string;
  bonus_code: string | null;
  /** The time of the event. */
  at: Micros;
  /** A UUID in lower case, or null. */
  reference: string | null;
}

/**
 * Requests the assignments that bonus events make necessary. It requests them for all intents of the players that a bonus may prove or that
 * a match proved, for the intents that the events name, and for the intents to which their bonuses were assigned. It also requests them for
 * credited intents that still lack their bonus: an operator may return no references, and the cost of an intent is that of its bonus. It
 * takes no locks, so derive and the outcomes of calls never wait for each other. For a player without such intents, it only searches four
 * indexes.
 *
 * @returns how many assignments were requested
 */
export async function requestAfterBonuses(tx: ClientBase, news: readonly BonusNews[]): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'request_resolution_of_bonuses',
    text: `with news as (
             select * from unnest($1::bigint[], $2::text[], $3::uuid[], $4::text[], $5::timestamptz[])
                             n(player_id, user_bonus_id, reference, bonus_code, at)
           )
           insert into bonus_resolution_request (brand_id, player_id, bonus_code)
           select i.brand_id, i.player_id, i.bonus_code
           from (select distinct player_id from news) n
           join bonus_intent i using (player_id)
           where i.state not in ('credited', 'rejected') and i.first_attempt_at is not null
           union
           select i.brand_id, i.player_id, i.bonus_code
           from (select distinct player_id from news) n
           join bonus_intent i using (player_id)
           where i.resolved_by = 'match'
           union
           select i.brand_id, i.player_id, i.bonus_code
           from news n join bonus_intent i on i.intent_id = n.reference and i.player_id = n.player_id
           where n.reference is not null
           union
           select i.brand_id, i.player_id, i.bonus_code
           from news n
           join bonus_intent_grant g on g.player_id = n.player_id and g.user_bonus_id = n.user_bonus_id
           join bonus_intent i on i.intent_id = g.intent_id
           union
           select i.brand_id, i.player_id, i.bonus_code
           from news n join bonus_intent i on i.player_id = n.player_id and i.bonus_code = n.bonus_code
           where i.state = 'credited' and n.reference is null
             and n.at between i.first_attempt_at - interval '1 minute' and i.last_attempt_at + interval '24 hours'
             and not exists (select from bonus_intent_grant g where g.intent_id = i.intent_id)`,
    values: [
      news.map(({ player_id }) => player_id),
      news.map(({ user_bonus_id }) => user_bonus_id),
      news.map(({ reference }) => reference),
      news.map(({ bonus_code }) => bonus_code),
      news.map(({ at }) => timestamptzText(at)),
    ],
  });
  return rowCount ?? 0;
}

export interface RequestedGroup extends Group {
  /** The newest request that this assignment answers. */
  up_to: string;
  tries: number;
}

/** Due pairs, each once, oldest first. Takes no locks. */
export async function dueGroups(db: Pick<ClientBase, 'query'>, limit: number): Promise<RequestedGroup[]> {
  const { rows } = await db.query<RequestedGroup>({
    name: 'due_resolutions',
    text: `select brand_id, player_id, bonus_code, max(request_id)::text as up_to, max(tries) as tries
           from (
             select * from bonus_resolution_request where due_at <= now() order by due_at limit $1
           ) due
           group by brand_id, player_id, bonus_code order by min(due_at)`,
    values: [limit],
  });
  return rows;
}

/** Deletes the requests of a pair. @returns how many; 0 if another worker is handling them */
export async function takeRequests(tx: ClientBase, { player_id, bonus_code, up_to }: RequestedGroup): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'take_resolution_requests',
    text: `delete from bonus_resolution_request where request_id in (
             select request_id from bonus_resolution_request
             where player_id = $1 and bonus_code = $2 and request_id <= $3::bigint for update skip locked
           )`,
    values: [player_id, bonus_code, up_to],
  });
  return rowCount ?? 0;
}

/** Postpones a pair that could not be assigned. */
export async function postpone(
  db: Pool | ClientBase,
  { player_id, bonus_code, up_to }: RequestedGroup,
  { wait_ms, error }: { wait_ms: number; error: string },
): Promise<void> {
  await db.query(
    `update bonus_resolution_request
     set due_at = $6::timestamptz + $4::bigint * interval '1 millisecond', tries = tries + 1, last_error = $5
     where player_id = $1 and bonus_code = $2 and request_id <= $3::bigint`,
    [player_id, bonus_code, up_to, wait_ms, error, timestamptzText(await databaseTime(db))],
  );
}
