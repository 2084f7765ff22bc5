import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type TimePage, timePageSql, timePageValues, timestamptzText } from '../../database/index.ts';
import { type IntentState, intentStates } from '../intent.ts';
import type { BonusIntent, IntentKind } from './intent.ts';
import { intentColumns } from './intent-store.ts';

/** Reads intents for display: lists, single intents, and counts of those that wait. */

export type ListedIntent = BonusIntent & { user_id: string | null };

export interface IntentFilter {
  player_id?: number | undefined;
  state?: IntentState | undefined;
  kind?: IntentKind | undefined;
  bonus_code?: string | undefined;
  activity_id?: string | undefined;
  /** The caller's own key of the order. */
  request_key?: string | undefined;
  from?: Micros | undefined;
  to?: Micros | undefined;
}

/** The start of a page: after this intent. */
export interface IntentPlace {
  created_at: Micros;
  intent_id: string;
}

/** Newest first, by creation. */
export async function listIntents(
  pool: Pool,
  brandId: number,
  filter: IntentFilter,
  limit: number,
  before?: IntentPlace,
): Promise<ListedIntent[]> {
  const values: unknown[] = [brandId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['i.brand_id = $1'];
  for (const name of ['player_id', 'state', 'kind', 'bonus_code', 'activity_id', 'request_key'] as const) {
    if (filter[name] !== undefined) conditions.push(`i.${name} = ${bind(filter[name])}`);
  }
  if (filter.from !== undefined) conditions.push(`i.created_at >= ${bind(timestamptzText(filter.from))}`);
  if (filter.to !== undefined) conditions.push(`i.created_at <= ${bind(timestamptzText(filter.to))}`);
  if (before) {
    const place = `(${bind(timestamptzText(before.created_at))}::timestamptz, ${bind(before.intent_id)}::uuid)`;
    conditions.push(`(i.created_at, i.intent_id) < ${place}`);
  }
  const { rows } = await pool.query<ListedIntent>(
    `select ${intentColumns}, p.user_id from bonus_intent i left join player p using (player_id)
      where ${conditions.join(' and ')} order by i.created_at desc, i.intent_id desc limit ${bind(limit)}`,
    values,
  );
  return rows;
}

/** Intents of one player by the start of their current state, newest first. */
export async function playerIntents(pool: Pool, playerId: number, page: TimePage): Promise<BonusIntent[]> {
  const { rows } = await pool.query<BonusIntent>(
    `select ${intentColumns} from bonus_intent i
      where i.player_id = $1 ${timePageSql({ at: 'i.state_since', key: 'i.intent_id', type: 'uuid' }, 2)}`,
    [playerId, ...timePageValues(page)],
  );
  return rows;
}

/** The intents of a player with these ids. */
export async function intentsOf(pool: Pool, playerId: number, intentIds: readonly string[]): Promise<BonusIntent[]> {
  const { rows } = await pool.query<BonusIntent>(
    `select ${intentColumns} from bonus_intent i where i.intent_id = any($2::uuid[]) and i.player_id = $1`,
    [playerId, intentIds],
  );
  return rows;
}

export async function readIntent(pool: Pool, brandId: number, intentId: string): Promise<ListedIntent | null> {
  const { rows } = await pool.query<ListedIntent>(
    `select ${intentColumns}, p.user_id from bonus_intent i left join player p using (player_id)
      where i.brand_id = $1 and i.intent_id = $2`,
    [brandId, intentId],
  );
  return rows[0] ?? null;
}

export interface StateCount {
  state: IntentState;
  count: number;
  /** When the intent that has been in this state longest entered it. */
  oldest_at: Micros | null;
}

/** Counts stop here; the number then means "that many or more". */
export const mostIntentsCounted = 10_000;

const waitingStates = intentStates.filter((state) => state !== 'credited' && state !== 'rejected');

/** How many intents of a brand have not ended, by state. Reads one range of an index of open intents. */
export async function countWaitingIntents(pool: Pool, brandId: number): Promise<StateCount[]> {
  const { rows } = await pool.query<StateCount>(
    `select s.state, w.count::int as count, w.oldest_at
       from unnest($2::text[]) with ordinality as s (state, place)
      cross join lateral (
        select count(*) as count, min(state_since) as oldest_at from (
          select state_since from bonus_intent i
           where i.brand_id = $1 and i.state = s.state and i.state not in ('credited', 'rejected')
           order by state_since limit $3) counted
      ) w order by s.place`,
    [brandId, waitingStates, mostIntentsCounted],
  );
  return rows;
}
