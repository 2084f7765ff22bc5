import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import { Queue, type RunnerPlace } from '../../outgoing/index.ts';
import { type MessageHold, messageHold } from '../message-hold.ts';
import { type AboutProducts, keepsQuietHours, productsOf } from '../products.ts';
import type { CallChannel, CallState, NewCall } from './message.ts';

/** SQL statements on called_message that create and send messages. Lists are in listing.ts. */
export interface CallPlace extends RunnerPlace {
  brand_id: number;
  channel: CallChannel;
  target: string;
}

export interface CallClaim extends Pick<CallPlace, 'brand_id' | 'channel' | 'target'> {
  message_id: number;
  claim: number;
}

export interface WaitingCall extends Pick<CallPlace, 'brand_id' | 'channel' | 'target'>, AboutProducts {
  message_id: number;
  player_id: number;
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  content: Record<string, string>;
  parts: number | null;
  expires_at: Micros;
  /** Why it waits. */
  reason: string | null;
  /** Consecutive calls that failed in the same way (Ladder.triesAfter). */
  tries: number;
  /** Why an earlier call may have arrived. Null if no earlier call can have arrived. */
  unclear: string | null;
  /** The time at which the row was locked, on the database's clock. */
  locked_at: Micros;
  /** Set if its campaign was paused or stopped, or its bulk action cancelled. */
  hold: MessageHold | null;
  keepsQuietHours: boolean;
}

export const callQueue = new Queue<CallPlace, CallClaim, WaitingCall>({
  table: 'called_message',
  key: { message_id: 'bigint' },
  place: { brand_id: 'int', channel: 'text', target: 'text' },
  waits: `q.state = 'waiting'`,
  reads: `q.message_id, q.brand_id, q.player_id, q.channel, q.target, q.purpose, q.campaign_id, q.content, q.parts, q.expires_at,
          q.reason, q.tries, q.unclear, now() as locked_at, ${messageHold}, ${productsOf()},
          ${keepsQuietHours}`,
});

/**
 * SQL that ends a waiting message that is not sent: its state and reason. If an earlier call may have arrived, the message is unknown.
 *
 * @param message names the row of called_message
 * @param reason SQL of the reason why it is not sent
 */
export function droppedCall(message: string, reason: string): string {
  return `state = case when ${message}.unclear is null then 'dropped' else 'unknown' end, reason = coalesce(${message}.unclear, ${reason})`;
}

/** The count of due rows stops at this number. */
const countedDue = 101;
const mostTargets = 1_000;

/** Targets with due messages, with counts up to a hundred. It needs one index probe per target, for any number of messages. */
export async function dueTargets(
  pool: Pool,
): Promise<(Pick<CallPlace, 'brand_id' | 'channel' | 'target'> & { due: number })[]> {
  const { rows } = await pool.query({
    name: 'due_call_targets',
    text: `with recursive place as (
             (select brand_id, channel, target from called_message where state = 'waiting'
               order by brand_id, channel, target limit 1)
             union all
             select next.* from place p cross join lateral (
               select q.brand_id, q.channel, q.target from called_message q
                where q.state = 'waiting' and (q.brand_id, q.channel, q.target) > (p.brand_id, p.channel, p.target)
                order by q.brand_id, q.channel, q.target limit 1) next
           )
           select p.brand_id, p.channel, p.target, d.due from (select * from place limit ${mostTargets}) p
            cross join lateral (select count(*)::int as due from (
              select from called_message q where q.state = 'waiting' and q.brand_id = p.brand_id and q.channel = p.channel
                 and q.target = p.target and q.due_at <= $1 limit ${countedDue}) counted) d
            where d.due > 0`,
    values: [timestamptzText(await databaseTime(pool))],
  });
  return rows;
}

export interface DecidedCall {
  message_id: number;
  asked: NewCall;
  channel: CallChannel;
  target: string;
  parts: number | null;
  request_digest: string | null;
  expires_at: Micros;
  state: 'waiting' | 'withheld';
  reason: string | null;
  decision_id: number;
  /** For a waiting message: milliseconds until it is due. */
  in_ms: number;
}

/** @returns the message_ids that were inserted; another request with the same key may have been first */
export async function insertCalls(tx: ClientBase, calls: readonly DecidedCall[], at: Micros): Promise<Set<number>> {
  if (calls.length === 0) return new Set();
  const { rows } = await tx.query<{ message_id: number }>({
    name: 'insert_called_messages',
    text: `insert into called_message (message_id, brand_id, player_id, channel, target, purpose, campaign_id, template_code,
                  version_of_template, language, content, parts, created_at, created_by, request_key, request_digest, expires_at,
                  state, reason, decision_id, due_at, ended_at)
           select message_id, brand_id, player_id, channel, target, purpose, campaign_id, template_code, version_of_template, language,
                  content, parts, $2, created_by, request_key, request_digest, expires_at, state, reason, decision_id,
                  case when state = 'waiting' then $3::timestamptz + in_ms * interval '1 millisecond' end,
                  case when state <> 'waiting' then $2::timestamptz end
             from jsonb_to_recordset($1::jsonb) as r (message_id bigint, brand_id int, player_id bigint, channel text, target text,
                    purpose text, campaign_id text, template_code text, version_of_template int, language text, content jsonb,
                    parts int, created_by text, request_key text, request_digest text, expires_at timestamptz, state text,
                    reason text, decision_id bigint, in_ms bigint)
            order by message_id
           on conflict do nothing returning message_id`,
    values: [JSON.stringify(calls.map(asRecord)), timestamptzText(at), timestamptzText(await databaseTime(tx))],
  });
  return new Set(rows.map(({ message_id }) => message_id));
}

function asRecord({ asked, expires_at, ...decided }: DecidedCall) {
  const { brand_id, player_id, purpose, campaign_id, request_key, created_by, template } = asked;
  return {
    ...decided,
    brand_id,
    player_id,
    purpose,
    campaign_id,
    request_key,
    created_by,
    content: contentOf(asked),
    expires_at: timestamptzText(expires_at),
    template_code: template?.code ?? null,
    version_of_template: template?.version ?? null,
    language: template?.language ?? null,
  };
}

/** The fields of the channel, without those that every message has. */
function contentOf(asked: NewCall): Record<string, string> {
  const { text, title, data, url, body } = asked as unknown as Partial<Record<string, string>>;
  return JSON.parse(JSON.stringify({ text, title, data, url, body })) as Record<string, string>;
}

export interface KnownCall {
  player_id: number;
  request_key: string;
  request_digest: string;
  message_id: number;
  state: CallState;
  reason: string | null;
  decision_id: number | null;
}

export async function readRequestedCalls(
  tx: ClientBase,
  channel: CallChannel,
  keys: readonly { player_id: number; request_key: string }[],
): Promise<KnownCall[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<KnownCall>({
    name: 'read_requested_calls',
    text: `select c.player_id, c.request_key, c.request_digest, c.message_id, c.state, c.reason, c.decision_id
             from unnest($1::bigint[], $2::text[]) as k (player_id, request_key)
             join called_message c on c.player_id = k.player_id and c.request_key = k.request_key and c.channel = $3`,
    values: [keys.map(({ player_id }) => player_id), keys.map(({ request_key }) => request_key), channel],
  });
  return rows;
}

/** How players can be reached, from the operator's current details. */
export interface Reachable {
  player_id: number;
  user_id: string;
  mobile: string | null;
  mobile_prefix: string | null;
  market: string | null;
  country: string | null;
}

export async function readReachable(db: ClientBase, playerIds: readonly number[]): Promise<Map<number, Reachable>> {
  const { rows } = await db.query<Reachable>({
    name: 'read_reachable_players',
    text: `select p.player_id, p.user_id, f.mobile, f.mobile_prefix, f.market, f.country from player p left join player_profile f using (player_id)
            where p.player_id = any($1::bigint[])`,
    values: [playerIds],
  });
  return new Map(rows.map((row) => [row.player_id, row]));
}

/**
 * Marks that a call begins, and stores the number of SMS parts of the text that is sent. If no outcome is written, the call counts as
 * lost after `lostAfterMs`.
 */
export async function beginCall(
  tx: ClientBase,
  { message_id, parts, locked_at }: Pick<WaitingCall, 'message_id' | 'parts' | 'locked_at'>,
  { lostAfterMs, repeatable, address_key }: { lostAfterMs: number; repeatable: boolean; address_key: Buffer | null },
  at: Micros,
): Promise<void> {
  await tx.query({
    name: 'begin_called_message',
    text: `update called_message set state = 'sending', reason = null, attempts = attempts + 1, sent_at = $3, due_at = $2, repeatable = $4,
                  address_key = $5, parts = $6
            where message_id = $1`,
    values: [
      message_id,
      timestamptzText(locked_at + lostAfterMs * 1_000),
      timestamptzText(at),
      repeatable,
      address_key,
      parts,
    ],
  });
}

/** The next state of a message: a retry later, or an end. */
export interface CallStep {
  state: CallState;
  reason: string | null;
  status?: number | null;
  detail?: string | null;
  provider_id?: string | null;
  /** For a waiting message: milliseconds until it is due. */
  in_ms?: number | null;
  /** After a failed call: how many consecutive calls failed in the same way. */
  tries?: number;
  /** Why the call may have arrived, if it is repeated. */
  unclear?: string | null;
  /** The gate's decision, if it decided. */
  decision_id?: number;
}

/**
 * Writes the outcome of a claimed message. An answer that arrives after its call has counted as lost is still written, unless it would
 * cause another call. @returns false if another worker has already changed the row
 */
export async function stepCall(tx: ClientBase, claimed: CallClaim, step: CallStep, at: Micros): Promise<boolean> {
  const ends = step.state !== 'waiting';
  const due_at = ends ? null : timestamptzText((await databaseTime(tx)) + (step.in_ms ?? 0) * 1_000);
  const { rowCount } = await tx.query({
    name: 'step_called_message',
    text: `update called_message
              set state = case when $3 = 'dropped' and unclear is not null then 'unknown' else $3 end,
                  reason = case when $3 = 'dropped' then coalesce(unclear, $4) else $4 end,
                  unclear = coalesce(unclear, $13), status = coalesce($5, status), detail = coalesce($6, detail),
                  decision_id = coalesce($10, decision_id), provider_id = coalesce($11, provider_id), tries = coalesce($12, tries),
                  claim = case when $7 then claim end, due_at = $8, ended_at = case when $7 then $9::timestamptz end
            where message_id = $1 and claim = $2 and (state in ('waiting', 'sending') or (state = 'unknown' and $7))`,
    values: [
      claimed.message_id,
      claimed.claim,
      step.state,
      step.reason,
      step.status ?? null,
      step.detail ?? null,
      ends,
      due_at,
      timestamptzText(at),
      step.decision_id ?? null,
      step.provider_id ?? null,
      step.tries ?? null,
      step.unclear ?? null,
    ],
  });
  return (rowCount ?? 0) > 0;
}

/**
 * Ends calls whose worker never reported an outcome. The message is sent again if the receiver recognizes it by its id; otherwise it
 * becomes unknown. The claim of an unknown message stays, so that a late answer is still written.
 */
export async function giveUpLostCalls(pool: Pool, limit: number, at: Micros): Promise<number> {
  const now = timestamptzText(await databaseTime(pool));
  const { rowCount } = await pool.query({
    name: 'give_up_lost_calls',
    text: `update called_message c
              set state = case when c.repeatable then 'waiting' else 'unknown' end, reason = 'lost',
                  unclear = case when c.repeatable then coalesce(c.unclear, 'lost') end,
                  due_at = case when c.repeatable then $3::timestamptz end, ended_at = case when c.repeatable then null else $2::timestamptz end,
                  claim = case when c.repeatable then null else c.claim end
             from (select message_id from called_message where state = 'sending' and due_at <= $3
                    order by due_at limit $1 for update skip locked) lost
            where c.message_id = lost.message_id`,
    values: [limit, timestamptzText(at), now],
  });
  return rowCount ?? 0;
}

/**
 * Ends messages that waited too long: for the rate of their provider, or because the provider was never set up or was switched
 * off. `expiryReason` gives the reason.
 */
export async function expireWaitingCalls(
  pool: Pool,
  limit: number,
  shortages: readonly (Pick<CallPlace, 'brand_id' | 'channel' | 'target'> & { since: Micros })[],
  at: Micros,
): Promise<number> {
  const expired = `case when c.reason = 'rate_limited' or c.reason is null and exists (
                            select from jsonb_to_recordset($3::jsonb) as s (brand_id int, channel text, target text, since timestamptz)
                             where s.brand_id = c.brand_id and s.channel = c.channel and s.target = c.target and s.since <= c.expires_at)
                          then 'provider_rate' else 'expired' end`;
  const { rowCount } = await pool.query({
    name: 'expire_waiting_calls',
    text: `update called_message c set due_at = null, ended_at = $2, ${droppedCall('c', expired)}
             from (select message_id from called_message where state = 'waiting' and expires_at <= $2 and claim is null
                    order by expires_at limit $1 for update skip locked) late
            where c.message_id = late.message_id`,
    values: [
      limit,
      timestamptzText(at),
      JSON.stringify(shortages.map((one) => ({ ...one, since: timestamptzText(one.since) }))),
    ],
  });
  return rowCount ?? 0;
}

/** Makes waiting messages of these players due now. */
export async function makeCallsDue(
  tx: ClientBase,
  channel: CallChannel,
  playerIds: readonly number[],
): Promise<number> {
  if (playerIds.length === 0) return 0;
  const { rowCount } = await tx.query({
    name: 'make_called_messages_due',
    text: `update called_message c set due_at = $2
             from (select message_id from called_message where player_id = any($1::bigint[]) and channel = $3 and state = 'waiting'
                      and claim is null order by message_id for update) w
            where c.message_id = w.message_id`,
    values: [playerIds, timestamptzText(await databaseTime(tx)), channel],
  });
  return rowCount ?? 0;
}

/**
 * Ends waiting messages, as unknown if an earlier call may have arrived. Messages that are being sent do not change, because they
 * cannot be recalled.
 */
export async function dropWaitingCalls(
  tx: ClientBase,
  channel: CallChannel,
  which: { message_ids: readonly number[] } | { player_ids: readonly number[] },
  { reason, by }: { reason: string; by: string | null },
  at: Micros,
): Promise<{ message_id: number; state: CallState }[]> {
  const [column, ids] = 'message_ids' in which ? ['message_id', which.message_ids] : ['player_id', which.player_ids];
  const { rows } = await tx.query<{ message_id: number; state: CallState }>({
    name: `drop_waiting_calls_by_${column}`,
    text: `update called_message c set ${droppedCall('c', '$2')}, ended_by = $3, due_at = null, ended_at = $4
             from (select message_id from called_message where ${column} = any($1::bigint[]) and channel = $5 and state = 'waiting'
                    order by message_id for update) w
            where c.message_id = w.message_id
           returning c.message_id, c.state`,
    values: [ids, reason, by, timestamptzText(at), channel],
  });
  return rows;
}

export async function readCallState(
  tx: ClientBase,
  channel: CallChannel,
  brandId: number,
  messageId: number,
): Promise<CallState | null> {
  const { rows } = await tx.query<{ state: CallState }>(
    'select state from called_message where message_id = $1 and brand_id = $2 and channel = $3 for update',
    [messageId, brandId, channel],
  );
  return rows[0]?.state ?? null;
}

/** Deletes rows, including texts, of messages that ended before the given time. @returns how many, at most `limit` */
export async function deleteEndedCalls(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from called_message where message_id in (
       select message_id from called_message where ended_at < $1 order by ended_at limit $2 for update skip locked)`,
    [timestamptzText(before), limit],
  );
  return rowCount ?? 0;
}
