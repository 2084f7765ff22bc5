import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { ActionState, BulkAction, PlayerState } from './action.ts';

export const actionColumns =
  'action_id, brand_id, segment_id, segment_code, does, per_second, created_at, created_by, cancelled_at, cancelled_by';

export interface NewAction
  extends Pick<BulkAction, 'brand_id' | 'segment_id' | 'segment_code' | 'does' | 'per_second'> {
  request_key: string | null;
  request_digest: string | null;
}

/** @returns undefined if the key was already used */
export async function insertAction(
  tx: ClientBase,
  action: NewAction,
  by: { at: Micros; actor: string },
): Promise<number | undefined> {
  const { brand_id, segment_id, segment_code, does, per_second, request_key, request_digest } = action;
  const at = timestamptzText(by.at);
  const { rows } = await tx.query<{ action_id: number }>(
    `insert into bulk_action (brand_id, segment_id, segment_code, does, per_second, request_key, request_digest, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (brand_id, request_key) do nothing returning action_id`,
    [brand_id, segment_id, segment_code, JSON.stringify(does), per_second, request_key, request_digest, at, by.actor],
  );
  const id = rows[0]?.action_id;
  if (id !== undefined)
    await tx.query(
      `insert into bulk_progress (action_id, brand_id, segment_id, state, next_at, products) values ($1, $2, $3, 'gathering', $4, $5)`,
      [id, brand_id, segment_id, at, does.products.length === 0 ? null : JSON.stringify(does.products)],
    );
  return id;
}

export async function readRequested(
  db: ClientBase | Pool,
  brandId: number,
  key: string,
): Promise<{ action_id: number; request_digest: string } | undefined> {
  const { rows } = await db.query<{ action_id: number; request_digest: string }>(
    'select action_id, request_digest from bulk_action where brand_id = $1 and request_key = $2',
    [brandId, key],
  );
  return rows[0];
}

export async function readAction(db: ClientBase | Pool, actionId: number): Promise<BulkAction | undefined> {
  const { rows } = await db.query<BulkAction>(`select ${actionColumns} from bulk_action where action_id = $1`, [
    actionId,
  ]);
  return rows[0];
}

export async function markCancelled(
  tx: ClientBase,
  actionId: number,
  { at, actor }: { at: Micros; actor: string },
): Promise<void> {
  await tx.query('update bulk_action set cancelled_at = $2, cancelled_by = $3 where action_id = $1', [
    actionId,
    timestamptzText(at),
    actor,
  ]);
}

export interface Progress {
  action_id: number;
  brand_id: number;
  segment_id: number;
  state: ActionState;
  players: number;
  after_id: number;
  next_at: Micros;
  waits_for: string | null;
  /** Set while a cancelled action ends its messages: the last player whose message was checked. */
  ended_up_to: number | null;
  finished_at: Micros | null;
}

export const progressColumns =
  'action_id, brand_id, segment_id, state, players, after_id, next_at, waits_for, ended_up_to, finished_at';

/** The actions whose turn it is. The action that has waited longest comes first. */
export async function listDue(db: Pool | ClientBase, at: Micros): Promise<number[]> {
  const { rows } = await db.query<{ action_id: number }>(
    `select action_id from bulk_progress
      where (state in ('gathering', 'running') or ended_up_to is not null) and next_at <= $1 order by next_at, action_id`,
    [timestamptzText(at)],
  );
  return rows.map(({ action_id }) => action_id);
}

/** @returns undefined if there is no such action; with `skip`, also if another process has locked it */
export async function lockProgress(
  tx: ClientBase,
  actionId: number,
  { skip }: { skip: boolean },
): Promise<Progress | undefined> {
  const { rows } = await tx.query<Progress>(
    `select ${progressColumns} from bulk_progress where action_id = $1 for update ${skip ? 'skip locked' : ''}`,
    [actionId],
  );
  return rows[0];
}

export async function saveProgress(tx: ClientBase, progress: Progress): Promise<void> {
  const { action_id, state, players, after_id, next_at, waits_for, ended_up_to, finished_at } = progress;
  await tx.query(
    `update bulk_progress set state = $2, players = $3, after_id = $4, next_at = $5, waits_for = $6, finished_at = $7, ended_up_to = $8
      where action_id = $1`,
    [
      action_id,
      state,
      players,
      after_id,
      timestamptzText(next_at),
      waits_for,
      finished_at === null ? null : timestamptzText(finished_at),
      ended_up_to,
    ],
  );
}

export async function insertListed(
  tx: ClientBase,
  actionId: number,
  playerIds: readonly number[],
  at: Micros,
): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into bulk_player (player_id, action_id, state, due_at, at)
     select id, $1::int, 'listed', $3::timestamptz, $3::timestamptz from unnest($2::bigint[]) id on conflict do nothing`,
    [actionId, playerIds, timestamptzText(at)],
  );
  return rowCount ?? 0;
}

export interface DuePlayer {
  player_id: number;
  user_id: string;
  state: 'listed' | 'waiting';
  reason: string;
}

export async function takeDue(tx: ClientBase, actionId: number, at: Micros, limit: number): Promise<DuePlayer[]> {
  const { rows } = await tx.query<DuePlayer>(
    `select b.player_id, p.user_id, b.state, b.reason from bulk_player b join player p on p.player_id = b.player_id
      where b.action_id = $1 and b.due_at <= $2 order by b.due_at, b.player_id limit $3 for update of b`,
    [actionId, timestamptzText(at), limit],
  );
  return rows;
}

/** When the next player's turn is; null if every player has an outcome. */
export async function nextTurn(tx: ClientBase, actionId: number): Promise<Micros | null> {
  const { rows } = await tx.query<{ due_at: Micros | null }>(
    'select min(due_at) as due_at from bulk_player where action_id = $1 and due_at is not null',
    [actionId],
  );
  return rows[0]?.due_at ?? null;
}

export interface Outcome {
  player_id: number;
  state: PlayerState;
  reason: string;
  due_at: Micros | null;
  message_id: number | null;
  intent_id: string | null;
  decision_id: number | null;
}

export async function saveOutcomes(
  tx: ClientBase,
  actionId: number,
  outcomes: readonly Outcome[],
  at: Micros,
): Promise<void> {
  const rows = outcomes.map((one) => ({
    ...one,
    due_at: one.due_at === null ? null : timestamptzText(one.due_at),
  }));
  await tx.query(
    `update bulk_player b
        set state = o.state, reason = o.reason, due_at = o.due_at, message_id = o.message_id, intent_id = o.intent_id,
            decision_id = o.decision_id, at = $3
       from jsonb_to_recordset($2::jsonb) as o (player_id bigint, state text, reason text, due_at timestamptz, message_id bigint,
                                                intent_id uuid, decision_id bigint)
      where b.action_id = $1 and b.player_id = o.player_id`,
    [actionId, JSON.stringify(rows), timestamptzText(at)],
  );
}

export interface OrderedFor {
  player_id: number;
  state: 'sent' | 'held';
  reason: string;
  message_id: number;
  decision_id: number | null;
}

/** The next players for whom the action ordered a message, in the order of their ids. Each state is read in the order of its index. */
export async function listOrdered(
  tx: ClientBase,
  actionId: number,
  { after, limit }: { after: number; limit: number },
): Promise<OrderedFor[]> {
  const next = (state: OrderedFor['state']) =>
    `(select player_id, state, reason, message_id, decision_id from bulk_player
       where action_id = $1 and state = '${state}' and player_id > $2 order by player_id limit $3)`;
  const { rows } = await tx.query<OrderedFor>(`${next('sent')} union all ${next('held')} order by player_id limit $3`, [
    actionId,
    after,
    limit,
  ]);
  return rows;
}

/** Call this when an action is done. Players without an outcome were erased before their turn, so it counts them as skipped. */
export async function countErased(tx: ClientBase, actionId: number): Promise<void> {
  const { rows } = await tx.query<{ state: PlayerState; reason: string; players: number }>(
    `select state, reason, players from bulk_count where action_id = $1 and state in ('listed', 'waiting') and players > 0`,
    [actionId],
  );
  await count(
    tx,
    actionId,
    rows.flatMap(({ state, reason, players }) => [
      { state, reason, players: -players },
      { state: 'skipped', reason: 'erased', players },
    ]),
  );
}

/** Increases or decreases the counts. */
export async function count(
  tx: ClientBase,
  actionId: number,
  changes: readonly { state: PlayerState; reason: string; players: number }[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `insert into bulk_count as c (action_id, state, reason, players)
     select $1::int, state, reason, sum(players)::int from jsonb_to_recordset($2::jsonb) as n (state text, reason text, players int)
      group by state, reason order by state, reason
     on conflict (action_id, state, reason) do update set players = c.players + excluded.players`,
    [actionId, JSON.stringify(changes)],
  );
}
