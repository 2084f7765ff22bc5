import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import type { BonusIntent } from './intent.ts';
import type { Moved } from './machine.ts';

/**
 * SQL statements on bonus_intent and bonus_intent_change. Those that claim rows are in claim-store.ts, those that list them in
 * listing.ts.
 */

export const intentColumns = columnsOf('i');

/** @param alias of bonus_intent */
export function columnsOf(alias: 'i' | 'q'): string {
  return `i.intent_id, i.brand_id, i.player_id, i.kind, i.bonus_code, i.amount, i.currency, i.extra,
  i.activity_id, i.action_id, i.action_group_id, i.trigger_hash, i.note, i.offered, i.expires_at, i.created_at,
  i.created_by, i.state, i.reason, i.resolved_by, i.state_since, i.claimed_at, i.attempts, i.open_attempt, i.doubts, i.tries,
  i.waits_since, i.first_attempt_at, i.last_attempt_at, i.due_at, i.due_for`.replaceAll('i.', `${alias}.`);
}

/** A row to insert: everything that the caller decides, and the start position from the machine. */
export interface IntentRow {
  intent: Pick<
    BonusIntent,
    | 'intent_id'
    | 'brand_id'
    | 'player_id'
    | 'kind'
    | 'bonus_code'
    | 'amount'
    | 'currency'
    | 'extra'
    | 'activity_id'
    | 'action_id'
    | 'action_group_id'
    | 'trigger_hash'
    | 'note'
    | 'offered'
    | 'expires_at'
    | 'created_at'
    | 'created_by'
  >;
  request_key: string | null;
  request_digest: string | null;
  begins: Moved;
}

/** Skips rows whose request_key the player has already used. @returns the ids of the inserted rows */
export async function insertIntents(tx: ClientBase, rows: readonly IntentRow[]): Promise<string[]> {
  const { rows: inserted } = await tx.query<{ intent_id: string }>({
    name: 'insert_bonus_intents',
    text: `insert into bonus_intent (intent_id, brand_id, player_id, kind, bonus_code, amount, currency, extra,
                  activity_id, action_id, action_group_id, trigger_hash, note, offered, expires_at, created_at, created_by,
                  request_key, request_digest, state, state_since, waits_since, due_at, due_for)
           select r.intent_id, r.brand_id, r.player_id, r.kind, r.bonus_code, r.amount, r.currency, r.extra,
                  r.activity_id, r.action_id, r.action_group_id, r.trigger_hash, r.note, r.offered, r.expires_at, r.created_at,
                  r.created_by, r.request_key, r.request_digest, r.state, r.created_at, r.waits_since,
                  now() + r.due_in_ms * interval '1 millisecond', r.due_for
             from jsonb_to_recordset($1::jsonb) as r (intent_id uuid, brand_id int, player_id bigint, kind text,
                    bonus_code text, amount numeric, currency text, extra jsonb, activity_id text,
                    action_id text, action_group_id text, trigger_hash text, note text, offered boolean,
                    expires_at timestamptz, created_at timestamptz, created_by text, request_key text, request_digest text,
                    state text, waits_since timestamptz, due_in_ms bigint, due_for text)
            order by r.intent_id
           on conflict (player_id, request_key) where request_key is not null do nothing
           returning intent_id`,
    values: [JSON.stringify(rows.map(asRecord))],
  });
  return rows.length === 0 ? [] : inserted.map(({ intent_id }) => intent_id);
}

function asRecord({ intent, begins, ...request }: IntentRow) {
  const due = begins.due === 'kept' ? null : begins.due;
  return {
    ...intent,
    ...request,
    expires_at: textOrNull(intent.expires_at),
    created_at: timestamptzText(intent.created_at),
    state: begins.to.state,
    waits_since: textOrNull(begins.to.waits_since),
    due_in_ms: due?.in_ms ?? null,
    due_for: due?.for ?? null,
  };
}

export interface RequestedIntent {
  intent_id: string;
  player_id: number;
  state: BonusIntent['state'];
  request_key: string;
  request_digest: string;
}

export async function selectRequested(
  tx: ClientBase,
  requests: readonly { player_id: number; request_key: string }[],
): Promise<RequestedIntent[]> {
  const { rows } = await tx.query<RequestedIntent>(
    `select i.intent_id, i.player_id, i.state, i.request_key, i.request_digest
       from unnest($1::bigint[], $2::text[]) as r (player_id, request_key) join bonus_intent i using (player_id, request_key)`,
    [requests.map(({ player_id }) => player_id), requests.map(({ request_key }) => request_key)],
  );
  return rows;
}

/** What a request gave the player. */
export type RequestedOffer = Pick<BonusIntent, 'intent_id' | 'bonus_code' | 'amount' | 'currency' | 'expires_at'> & {
  request_key: string;
};

/** The intents of requests; none for requests that were not made. */
export async function readIntentsByKey(
  tx: ClientBase,
  requests: readonly { player_id: number; request_key: string }[],
): Promise<RequestedOffer[]> {
  const { rows } = await tx.query<RequestedOffer>({
    name: 'read_bonus_intents_by_key',
    text: `select i.intent_id, i.bonus_code, i.amount, i.currency, i.expires_at, i.request_key
             from unnest($1::bigint[], $2::text[]) as r (player_id, request_key) join bonus_intent i using (player_id, request_key)`,
    values: [requests.map(({ player_id }) => player_id), requests.map(({ request_key }) => request_key)],
  });
  return rows;
}

/** Locks the row until the transaction ends. */
export async function lockIntent(tx: ClientBase, intentId: string): Promise<BonusIntent | null> {
  const { rows } = await tx.query<BonusIntent>({
    name: 'lock_bonus_intent',
    text: `select ${intentColumns} from bonus_intent i where i.intent_id = $1 for update`,
    values: [intentId],
  });
  return rows[0] ?? null;
}

/** Locks intents that wait for a call or for their player and have no open call. In the order of their ids, after `after`. */
export async function lockWaitingOf(
  tx: ClientBase,
  playerIds: readonly number[],
  { after, limit }: { after: string | null; limit: number },
): Promise<BonusIntent[]> {
  const { rows } = await tx.query<BonusIntent>({
    name: 'lock_waiting_bonus_intents',
    text: `select ${intentColumns} from bonus_intent i
            where i.player_id = any($1::bigint[]) and i.state in ('offered', 'pending', 'retry') and i.open_attempt is null
              and ($3::uuid is null or i.intent_id > $3)
            order by i.intent_id limit $2 for update`,
    values: [playerIds, limit, after],
  });
  return rows;
}

export async function selectIntent(db: Pool | ClientBase, intentId: string): Promise<BonusIntent | null> {
  const { rows } = await db.query<BonusIntent>(`select ${intentColumns} from bonus_intent i where i.intent_id = $1`, [
    intentId,
  ]);
  return rows[0] ?? null;
}

/** Writes the new position of a locked intent. `due` counts from now. A claim on the row ends, unless due is kept. */
export async function updatePosition(
  tx: ClientBase,
  before: BonusIntent,
  { to, due }: Moved,
  at: number,
): Promise<void> {
  const isKept = due === 'kept';
  const next = isKept ? null : due;
  await tx.query({
    name: 'move_bonus_intent',
    text: `update bonus_intent
              set state = $2, reason = $3, resolved_by = $4, claimed_at = $5, attempts = $6, open_attempt = $7, doubts = $8,
                  tries = $9, waits_since = $10, first_attempt_at = $11, last_attempt_at = $12, state_since = $13,
                  due_at = case when $14 then due_at else $15::timestamptz end,
                  due_for = case when $14 then due_for else $16 end,
                  claim = case when $14 or $16 = 'answer' then claim end
            where intent_id = $1`,
    values: [
      before.intent_id,
      to.state,
      to.reason,
      to.resolved_by,
      textOrNull(to.claimed_at),
      to.attempts,
      to.open_attempt,
      to.doubts,
      to.tries,
      textOrNull(to.waits_since),
      textOrNull(to.first_attempt_at),
      textOrNull(to.last_attempt_at),
      timestamptzText(to.state === before.state ? before.state_since : at),
      isKept,
      next === null || next.in_ms === null ? null : timestamptzText((await databaseTime(tx)) + next.in_ms * 1_000),
      next?.for ?? null,
    ],
  });
}

export interface IntentChange {
  intent_id: string;
  player_id: number;
  at: number;
  event: string;
  state: string;
  reason: string | null;
  actor: string | null;
  note: string | null;
  proof: Record<string, unknown> | null;
}

export async function insertChange(tx: ClientBase, change: IntentChange): Promise<void> {
  await tx.query({
    name: 'insert_bonus_intent_change',
    text: `insert into bonus_intent_change (intent_id, player_id, at, event, state, reason, actor, note, proof)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      change.intent_id,
      change.player_id,
      timestamptzText(change.at),
      change.event,
      change.state,
      change.reason,
      change.actor,
      change.note,
      change.proof,
    ],
  });
}

function textOrNull(at: number | null): string | null {
  return at === null ? null : timestamptzText(at);
}
