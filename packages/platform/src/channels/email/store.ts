import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText, transaction } from '../../database/index.ts';
import { forgetContacts } from '../../gate/index.ts';
import { Queue, type RunnerPlace } from '../../outgoing/index.ts';
import { type MessageHold, messageHold } from '../message-hold.ts';
import { type AboutProducts, keepsQuietHours, productsOf } from '../products.ts';
import type { EmailState, NewEmail } from './message.ts';

/* SQL statements on email_message that create and send e-mails. Lists are in listing.ts. */

export interface EmailPlace extends RunnerPlace {
  brand_id: number;
}

export interface EmailClaim {
  message_id: number;
  claim: number;
  brand_id: number;
}

export interface WaitingEmail extends AboutProducts {
  message_id: number;
  brand_id: number;
  player_id: number;
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  language: string | null;
  subject: string;
  html: string;
  plain: string;
  created_at: Micros;
  expires_at: Micros;
  /** Why it waits. */
  reason: string | null;
  /** Consecutive calls that failed in the same way (Ladder.triesAfter). */
  tries: number;
  /** The time at which the row was locked, on the database's clock. */
  locked_at: Micros;
  /** Set if its campaign was paused or stopped, or its bulk action cancelled. */
  hold: MessageHold | null;
  keepsQuietHours: boolean;
}

export const emailQueue = new Queue<EmailPlace, EmailClaim, WaitingEmail>({
  table: 'email_message',
  key: { message_id: 'bigint' },
  place: { brand_id: 'int' },
  waits: `q.state = 'waiting'`,
  reads: `q.message_id, q.brand_id, q.player_id, q.purpose, q.campaign_id, q.language, q.subject, q.html, q.plain, q.created_at,
          q.expires_at, q.reason, q.tries, now() as locked_at, ${messageHold}, ${productsOf()},
          ${keepsQuietHours}`,
});

export interface DecidedEmail {
  message_id: number;
  asked: NewEmail;
  request_digest: string | null;
  expires_at: Micros;
  state: 'waiting' | 'withheld';
  reason: string | null;
  decision_id: number;
  /** For a waiting e-mail: milliseconds until it is due. */
  in_ms: number;
}

/** @returns the message_ids that were inserted; another request with the same key may have been first */
export async function insertEmails(tx: ClientBase, emails: readonly DecidedEmail[], at: Micros): Promise<Set<number>> {
  if (emails.length === 0) return new Set();
  const { rows } = await tx.query<{ message_id: number }>({
    name: 'insert_emails',
    text: `insert into email_message (message_id, brand_id, player_id, purpose, campaign_id, template_code, version_of_template, language,
                  subject, html, plain, created_at, created_by, request_key, request_digest, expires_at, state, reason, decision_id,
                  due_at, ended_at)
           select message_id, brand_id, player_id, purpose, campaign_id, template_code, version_of_template, language, subject, html, plain,
                  $2, created_by, request_key, request_digest, expires_at, state, reason, decision_id,
                  case when state = 'waiting' then $3::timestamptz + in_ms * interval '1 millisecond' end,
                  case when state <> 'waiting' then $2::timestamptz end
             from jsonb_to_recordset($1::jsonb) as r (message_id bigint, brand_id int, player_id bigint, purpose text, campaign_id text,
                    template_code text, version_of_template int, language text, subject text, html text, plain text, created_by text,
                    request_key text, request_digest text, expires_at timestamptz, state text, reason text, decision_id bigint,
                    in_ms bigint)
            order by message_id
           on conflict do nothing returning message_id`,
    values: [JSON.stringify(emails.map(asRecord)), timestamptzText(at), timestamptzText(await databaseTime(tx))],
  });
  return new Set(rows.map(({ message_id }) => message_id));
}

function asRecord({ asked, expires_at, ...decided }: DecidedEmail) {
  const { template, text, expires_at: _, ...terms } = asked;
  return {
    ...terms,
    ...decided,
    plain: text,
    expires_at: timestamptzText(expires_at),
    template_code: template?.code ?? null,
    version_of_template: template?.version ?? null,
    language: template?.language ?? null,
  };
}

export interface KnownEmail {
  player_id: number;
  request_key: string;
  request_digest: string;
  message_id: number;
  state: EmailState;
  reason: string | null;
  decision_id: number | null;
}

export async function readRequested(
  tx: ClientBase,
  keys: readonly { player_id: number; request_key: string }[],
): Promise<KnownEmail[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<KnownEmail>({
    name: 'read_requested_emails',
    text: `select e.player_id, e.request_key, e.request_digest, e.message_id, e.state, e.reason, e.decision_id
             from unnest($1::bigint[], $2::text[]) as k (player_id, request_key)
             join email_message e using (player_id, request_key)`,
    values: [keys.map(({ player_id }) => player_id), keys.map(({ request_key }) => request_key)],
  });
  return rows;
}

/** The address of a player and where the player lives, from the operator's current details. */
export interface Recipient {
  email: string | null;
  market: string | null;
  country: string | null;
}

export async function readRecipient(db: ClientBase | Pool, playerId: number): Promise<Recipient> {
  const { rows } = await db.query<Recipient>({
    name: 'read_email_recipient',
    text: 'select email, market, country from player_profile where player_id = $1',
    values: [playerId],
  });
  return rows[0] ?? { email: null, market: null, country: null };
}

/** Whether the campaign was recalled after this message was created. */
export async function isRecalled(
  db: ClientBase,
  { brand_id, campaign_id, message_id }: Pick<WaitingEmail, 'brand_id' | 'campaign_id' | 'message_id'>,
): Promise<boolean> {
  if (campaign_id === null) return false;
  const { rowCount } = await db.query({
    name: 'is_email_recalled',
    text: 'select from notification_recall where brand_id = $1 and campaign_id = $2 and up_to >= $3 limit 1',
    values: [brand_id, campaign_id, message_id],
  });
  return (rowCount ?? 0) > 0;
}

/** Marks that a call begins; it counts as lost after the given time. */
export async function beginCall(
  tx: ClientBase,
  { message_id, locked_at }: Pick<WaitingEmail, 'message_id' | 'locked_at'>,
  address_key: Buffer,
  lostAfterMs: number,
  at: Micros,
): Promise<void> {
  await tx.query({
    name: 'begin_email_call',
    text: `update email_message set state = 'sending', reason = null, attempts = attempts + 1, sent_at = $3, due_at = $2,
                  address_key = $4
            where message_id = $1`,
    values: [message_id, timestamptzText(locked_at + lostAfterMs * 1_000), timestamptzText(at), address_key],
  });
}

/** The next state of an e-mail: a retry later, or an end. */
export interface EmailStep {
  state: EmailState;
  reason: string | null;
  status: number | null;
  detail: string | null;
  /** For a waiting e-mail: milliseconds until it is due. */
  in_ms: number | null;
  /** After a failed call: how many consecutive calls failed in the same way. */
  tries?: number;
  /** The gate's decision, if it decided. */
  decision_id?: number;
}

/**
 * Writes the outcome of a claimed e-mail. An answer that arrives after its call has counted as lost is still written, unless it would cause
 * another call. @returns false if another worker has already moved the row
 */
export async function stepEmail(tx: ClientBase, claimed: EmailClaim, step: EmailStep, at: Micros): Promise<boolean> {
  const ends = step.state !== 'waiting';
  const due_at = ends ? null : timestamptzText((await databaseTime(tx)) + (step.in_ms ?? 0) * 1_000);
  const { rowCount } = await tx.query({
    name: 'step_email',
    text: `update email_message
              set state = $3, reason = $4, status = coalesce($5, status), detail = coalesce($6, detail),
                  decision_id = coalesce($10, decision_id), claim = case when $7 then claim end, due_at = $8,
                  ended_at = case when $7 then $9::timestamptz end, tries = coalesce($11, tries)
            where message_id = $1 and claim = $2 and (state in ('waiting', 'sending') or (state = 'unknown' and $7))`,
    values: [
      claimed.message_id,
      claimed.claim,
      step.state,
      step.reason,
      step.status,
      step.detail,
      ends,
      due_at,
      timestamptzText(at),
      step.decision_id ?? null,
      step.tries ?? null,
    ],
  });
  return (rowCount ?? 0) > 0;
}

/** Ends calls whose worker never reported an outcome. The claim stays, so that a late answer is still written. */
export async function giveUpLost(pool: Pool, limit: number, at: Micros): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'give_up_lost_emails',
    text: `update email_message e set state = 'unknown', reason = 'lost', due_at = null, ended_at = $2
             from (select message_id from email_message where state = 'sending' and due_at <= $3
                    order by due_at limit $1 for update skip locked) lost
            where e.message_id = lost.message_id`,
    values: [limit, timestamptzText(at), timestamptzText(await databaseTime(pool))],
  });
  return rowCount ?? 0;
}

/**
 * Ends e-mails that waited too long: for the rate of their server, or because the server was removed from the settings or does not
 * answer, so that nothing claims them. `expiryReason` gives the reason.
 */
export async function expireWaitingEmails(
  pool: Pool,
  limit: number,
  shortages: readonly { brand_id: number; since: Micros }[],
  at: Micros,
): Promise<number> {
  return transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ message_id: number }>({
      name: 'expire_waiting_emails',
      text: `update email_message e
                set due_at = null, ended_at = $2, state = 'dropped',
                    reason = case when e.reason is null and exists (
                                    select from jsonb_to_recordset($3::jsonb) as s (brand_id int, since timestamptz)
                                     where s.brand_id = e.brand_id and s.since <= e.expires_at)
                                  then 'provider_rate' else 'expired' end
               from (select message_id from email_message where state = 'waiting' and expires_at <= $2 and claim is null
                      order by expires_at limit $1 for update skip locked) late
              where e.message_id = late.message_id
             returning e.message_id`,
      values: [
        limit,
        timestamptzText(at),
        JSON.stringify(shortages.map((one) => ({ ...one, since: timestamptzText(one.since) }))),
      ],
    });
    await forgetContacts(
      tx,
      rows.map(({ message_id }) => ({ kind: 'message', id: String(message_id) })),
    );
    return rows.length;
  });
}

/** Makes waiting e-mails of these players due now, except those that a worker has claimed. */
export async function makeEmailsDue(tx: ClientBase, playerIds: readonly number[]): Promise<number> {
  if (playerIds.length === 0) return 0;
  const { rowCount } = await tx.query({
    name: 'make_emails_due',
    text: `update email_message e set due_at = $2
             from (select message_id from email_message where player_id = any($1::bigint[]) and state = 'waiting' and claim is null
                    order by message_id for update) w
            where e.message_id = w.message_id`,
    values: [playerIds, timestamptzText(await databaseTime(tx))],
  });
  return rowCount ?? 0;
}

export type EndedEmail = Pick<WaitingEmail, 'message_id'>;

/** Ends waiting e-mails. E-mails that are being sent do not change, because they cannot be recalled. */
export async function dropWaiting(
  tx: ClientBase,
  which: { message_ids: readonly number[] } | { player_ids: readonly number[] },
  { reason, by }: { reason: string; by: string | null },
  at: Micros,
): Promise<EndedEmail[]> {
  const [column, ids] = 'message_ids' in which ? ['message_id', which.message_ids] : ['player_id', which.player_ids];
  const { rows } = await tx.query<EndedEmail>({
    name: `drop_waiting_emails_by_${column}`,
    text: `update email_message e set state = 'dropped', reason = $2, ended_by = $3, due_at = null, ended_at = $4
             from (select message_id from email_message where ${column} = any($1::bigint[]) and state = 'waiting'
                    order by message_id for update) w
            where e.message_id = w.message_id
           returning e.message_id`,
    values: [ids, reason, by, timestamptzText(at)],
  });
  return rows;
}

export async function readState(tx: ClientBase, brandId: number, messageId: number): Promise<EmailState | null> {
  const { rows } = await tx.query<{ state: EmailState }>(
    'select state from email_message where message_id = $1 and brand_id = $2 for update',
    [messageId, brandId],
  );
  return rows[0]?.state ?? null;
}

/** Deletes rows, including texts, of e-mails that ended before the given time. @returns how many, at most `limit` */
export async function deleteEnded(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from email_message where message_id in (
       select message_id from email_message where ended_at < $1 order by ended_at limit $2 for update skip locked)`,
    [timestamptzText(before), limit],
  );
  return rowCount ?? 0;
}
