import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { MadeFrom } from '../calls/message.ts';
import type { MessageTerms } from '../channel.ts';
import { type MessageHold, messageHold } from '../message-hold.ts';
import { type AboutProducts, productsOf } from '../products.ts';
import type { EntryContent, EntryOutcome, EntryState, ListChannel } from './entry.ts';

/* SQL statements on list_entry. */

export type NewEntry = MessageTerms & EntryContent & { template: MadeFrom };

export interface DecidedEntry {
  message_id: number;
  asked: NewEntry;
  channel: ListChannel;
  request_digest: string | null;
  expires_at: Micros;
  state: 'waiting' | 'withheld';
  reason: string | null;
  decision_id: number;
}

/** @returns the message_ids that were inserted; another request with the same key may have been first */
export async function insertEntries(
  tx: ClientBase,
  entries: readonly DecidedEntry[],
  at: Micros,
): Promise<Set<number>> {
  if (entries.length === 0) return new Set();
  const { rows } = await tx.query<{ message_id: number }>({
    name: 'insert_list_entries',
    text: `insert into list_entry (message_id, brand_id, player_id, channel, list, purpose, campaign_id, template_code,
                  version_of_template, language, note, created_at, created_by, request_key, request_digest, expires_at, state, reason,
                  decision_id, ended_at)
           select message_id, brand_id, player_id, channel, list, purpose, campaign_id, template_code, version_of_template, language, note,
                  $2, created_by, request_key, request_digest, expires_at, state, reason, decision_id,
                  case when state <> 'waiting' then $2::timestamptz end
             from jsonb_to_recordset($1::jsonb) as r (message_id bigint, brand_id int, player_id bigint, channel text, list text,
                    purpose text, campaign_id text, template_code text, version_of_template int, language text, note text,
                    created_by text, request_key text, request_digest text, expires_at timestamptz, state text, reason text,
                    decision_id bigint)
            order by message_id
           on conflict do nothing returning message_id`,
    values: [JSON.stringify(entries.map(asRecord)), timestamptzText(at)],
  });
  return new Set(rows.map(({ message_id }) => message_id));
}

function asRecord({ asked, expires_at, ...decided }: DecidedEntry) {
  const { template, expires_at: _, ...terms } = asked;
  return {
    ...terms,
    ...decided,
    expires_at: timestamptzText(expires_at),
    template_code: template?.code ?? null,
    version_of_template: template?.version ?? null,
    language: template?.language ?? null,
  };
}

export interface KnownEntry {
  player_id: number;
  request_key: string;
  request_digest: string;
  message_id: number;
  state: EntryState;
  reason: string | null;
  decision_id: number | null;
}

export async function readRequestedEntries(
  tx: ClientBase,
  channel: ListChannel,
  keys: readonly { player_id: number; request_key: string }[],
): Promise<KnownEntry[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<KnownEntry>({
    name: 'read_requested_entries',
    text: `select e.player_id, e.request_key, e.request_digest, e.message_id, e.state, e.reason, e.decision_id
             from unnest($1::bigint[], $2::text[]) as k (player_id, request_key)
             join list_entry e on e.player_id = k.player_id and e.request_key = k.request_key and e.channel = $3`,
    values: [keys.map(({ player_id }) => player_id), keys.map(({ request_key }) => request_key), channel],
  });
  return rows;
}

/** An entry with the current details of its player. */
export interface OpenEntry {
  message_id: number;
  brand_id: number;
  player_id: number;
  user_id: string | null;
  channel: ListChannel;
  list: string;
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  note: string;
  created_at: Micros;
  expires_at: Micros;
  state: EntryState;
  reason: string | null;
  exported_at: Micros | null;
  ended_at: Micros | null;
  first_name: string | null;
  last_name: string | null;
  mobile: string | null;
  mobile_prefix: string | null;
  address: string | null;
  postal_code: string | null;
  city: string | null;
  country: string | null;
  language: string | null;
}

/** An entry that an export has locked. */
export interface LockedOpenEntry extends OpenEntry, AboutProducts {
  /** Set if its campaign is paused or was stopped, or its bulk action was cancelled. */
  hold: MessageHold | null;
}

const columns = `e.message_id, e.brand_id, e.player_id, p.user_id, e.channel, e.list, e.purpose, e.campaign_id, e.note, e.created_at,
  e.expires_at, e.state, e.reason, e.exported_at, e.ended_at, f.first_name, f.last_name, f.mobile, f.mobile_prefix, f.address,
  f.postal_code, f.city, f.country, f.language`;
const joined = `left join player p on p.player_id = e.player_id left join player_profile f on f.player_id = e.player_id`;

/**
 * The next entries for an export, locked: waiting, or exported without an outcome. An entry that another export has exported since this
 * one began is left out. PostgreSQL checks this again after it has waited for the lock, and fills the portion with the next entries.
 */
export async function lockOpenEntries(
  tx: ClientBase,
  of: { brand_id: number; channel: ListChannel; list: string },
  { after, begun_at, limit }: { after: number; begun_at: Micros; limit: number },
): Promise<LockedOpenEntry[]> {
  const { rows } = await tx.query<LockedOpenEntry>({
    name: 'lock_open_entries',
    text: `select ${columns}, e.products, e.hold from (
             select q.*, ${productsOf()}, ${messageHold} from list_entry q
              where brand_id = $1 and channel = $2 and list = $3 and state in ('waiting', 'exported')
                and message_id > $4 and (exported_at is null or exported_at < $6)
              order by message_id limit $5 for update) e ${joined}
            order by e.message_id`,
    values: [of.brand_id, of.channel, of.list, after, limit, timestamptzText(begun_at)],
  });
  return rows;
}

/** Stores the result of an export for each entry: exported, or dropped with its reason. */
export async function stepEntries(
  tx: ClientBase,
  steps: readonly { message_id: number; state: EntryState; reason: string | null; decision_id: number | null }[],
  { at, by }: { at: Micros; by: string },
): Promise<void> {
  if (steps.length === 0) return;
  await tx.query({
    name: 'step_entries',
    text: `update list_entry e
              set state = s.state, reason = s.reason, decision_id = coalesce(s.decision_id, e.decision_id),
                  exported_at = case when s.state = 'exported' then $2::timestamptz else e.exported_at end,
                  exported_by = case when s.state = 'exported' then $3 else e.exported_by end,
                  ended_at = case when s.state = 'dropped' then $2::timestamptz end
             from jsonb_to_recordset($1::jsonb) as s (message_id bigint, state text, reason text, decision_id bigint)
            where e.message_id = s.message_id`,
    values: [JSON.stringify(steps), timestamptzText(at), by],
  });
}

export interface LockedEntry {
  player_id: number;
  channel: ListChannel;
  campaign_id: string | null;
  state: EntryState;
  exported_at: Micros | null;
}

export async function lockEntry(tx: ClientBase, brandId: number, messageId: number): Promise<LockedEntry | null> {
  const { rows } = await tx.query<LockedEntry>(
    'select player_id, channel, campaign_id, state, exported_at from list_entry where message_id = $1 and brand_id = $2 for update',
    [messageId, brandId],
  );
  return rows[0] ?? null;
}

export async function writeOutcome(
  tx: ClientBase,
  messageId: number,
  { outcome, note, by }: { outcome: EntryOutcome; note: string | null; by: string },
  at: Micros,
): Promise<void> {
  await tx.query(
    'update list_entry set state = $2, reason = null, outcome_note = $3, ended_at = $4, ended_by = $5 where message_id = $1',
    [messageId, outcome, note, timestamptzText(at), by],
  );
}

/** Ends open entries. An exported entry may be in people's hands, but is no longer on the list. */
export async function dropEntries(
  tx: ClientBase,
  channel: ListChannel,
  which: { message_ids: readonly number[] } | { player_ids: readonly number[] } | { never_exported: readonly number[] },
  { reason, by }: { reason: string; by: string | null },
  at: Micros,
): Promise<{ message_id: number }[]> {
  const isUnexported = 'never_exported' in which;
  const column = 'player_ids' in which ? 'player_id' : 'message_id';
  const ids = 'player_ids' in which ? which.player_ids : isUnexported ? which.never_exported : which.message_ids;
  const { rows } = await tx.query<{ message_id: number }>({
    name: `drop_list_entries_by_${column}${isUnexported ? '_if_unexported' : ''}`,
    text: `update list_entry e set state = 'dropped', reason = $2, ended_by = $3, ended_at = $4
             from (select message_id from list_entry where ${column} = any($1::bigint[]) and channel = $5
                      and state in ('waiting'${isUnexported ? '' : ", 'exported'"}) order by message_id for update) w
            where e.message_id = w.message_id
           returning e.message_id`,
    values: [ids, reason, by, timestamptzText(at), channel],
  });
  return rows;
}

/** Ends entries that were not exported in time, or were exported and never got an outcome. */
export async function expireEntries(pool: Pool, limit: number, at: Micros): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'expire_list_entries',
    text: `update list_entry e set state = 'dropped', reason = 'expired', ended_at = $2
             from (select message_id from list_entry where state in ('waiting', 'exported') and expires_at <= $2
                    order by expires_at limit $1 for update skip locked) late
            where e.message_id = late.message_id`,
    values: [limit, timestamptzText(at)],
  });
  return rowCount ?? 0;
}

/** @returns how many rows of entries that ended before the given time were deleted, at most `limit` */
export async function deleteEndedEntries(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from list_entry where message_id in (
       select message_id from list_entry where ended_at < $1 order by ended_at limit $2 for update skip locked)`,
    [timestamptzText(before), limit],
  );
  return rowCount ?? 0;
}

/** The lists of a brand, each with the number of its entries by state. */
export async function listLists(
  pool: Pool,
  brandId: number,
): Promise<{ channel: ListChannel; list: string; state: EntryState; entries: number }[]> {
  const { rows } = await pool.query(
    `select channel, list, state, count(*)::int as entries from list_entry where brand_id = $1
      group by channel, list, state order by channel, list, state`,
    [brandId],
  );
  return rows;
}

/** Newest first. */
export async function listEntries(
  pool: Pool,
  of: { brand_id: number; channel: ListChannel; list: string; states?: readonly EntryState[] | undefined },
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<OpenEntry[]> {
  const { rows } = await pool.query<OpenEntry>(
    `select ${columns} from list_entry e ${joined}
      where e.brand_id = $1 and e.channel = $2 and e.list = $3 and ($4::text[] is null or e.state = any($4)) and e.message_id < $5
      order by e.message_id desc limit $6`,
    [of.brand_id, of.channel, of.list, of.states ?? null, before ?? Number.MAX_SAFE_INTEGER, limit],
  );
  return rows;
}
