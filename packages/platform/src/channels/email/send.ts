import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand, EmailSettings, Vault } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { type ContactRequest, forgetContacts, type Gate } from '../../gate/index.ts';
import { done, lost, type Outcome, type SendCheck, type Started } from '../../outgoing/index.ts';
import { endsMessage } from '../message-hold.ts';
import type { MessageTokens } from '../message-tokens.ts';
import { aboutOf } from '../products.ts';
import { expiryReason } from '../rate-shortage.ts';
import { storeReport } from '../reports/store-report.ts';
import { findSuppression, suppress } from '../suppression-store.ts';
import { isOwnLink, mayTrack, type Tracking, tracked } from '../tracking/index.ts';
import { type EmailOutcome, emailLadder, judgeReply, type SmtpResult } from './judge-reply.ts';
import type { EmailDropReason } from './message.ts';
import { buildMail } from './mime.ts';
import { envelopeSender, reportHeaders } from './report-headers.ts';
import {
  beginCall,
  type EmailClaim,
  type EmailStep,
  emailQueue,
  isRecalled,
  type Recipient,
  readRecipient,
  stepEmail,
  type WaitingEmail,
} from './store.ts';
import type { EmailTransport } from './transport.ts';

/*
 * One e-mail, in the three parts of a call (outgoing/call.ts). Begin reads the address, checks the suppression list, and asks
 * the gate. Right before the call, both are checked again. If the process dies between begin and finish, the call
 * counts as lost when its time is over, and the e-mail is unknown: it is not sent again (message.ts).
 */

/**
 * A call counts as lost this long after its own timeout. Until then, its outcome can still be written, even if the process was
 * frozen for a moment.
 */
const lostAfterMs = 15_000;

export interface SendEmailDeps {
  pool: Pool;
  vault: Pick<Vault, 'addressKey'>;
  gate: Pick<Gate, 'mayContact' | 'stillAllows'>;
  transport: EmailTransport;
  clock: Clock;
  random: () => number;
  /**
   * The time since which the server gets as many e-mails as its rate allows, so that others may wait. Null if it gets
   * fewer.
   */
  shortSince(brandId: number, at: Micros): Micros | null;
  /** Creates the tokens by which reports identify an e-mail. */
  tokens: Pick<MessageTokens, 'write'>;
  /** The public address of the installation, without a trailing slash: tracked links begin with it. */
  publicUrl: string;
  /** Header fields for unsubscribing from the channel (RFC 2369, RFC 8058). */
  unsubscribeHeaders(brandId: number, playerId: number): Record<string, string>;
}

export interface OpenEmail {
  claim: EmailClaim;
  message: WaitingEmail;
  contact: ContactRequest;
  brand: Brand;
  email: EmailSettings;
  recipient: Recipient;
  to: string;
  address_key: Buffer;
}

export async function beginEmail(
  claim: EmailClaim,
  brand: Brand,
  email: EmailSettings,
  deps: SendEmailDeps,
): Promise<Started<OpenEmail> | Outcome> {
  return transaction(deps.pool, async (tx): Promise<Started<OpenEmail> | Outcome> => {
    const message = await emailQueue.lock(tx, claim);
    if (message === null) return lost;
    const at = deps.clock();
    const step = async (next: EmailStep) => {
      await stepEmail(tx, claim, next, at);
      return outcomeOf(next, 'snooze');
    };
    const give = async (reason: EmailDropReason) => {
      await forgetContacts(tx, [causeOf(message)]);
      return step(ended('dropped', reason));
    };

    if (message.expires_at <= at) return give(expiryReason(message, deps.shortSince(message.brand_id, at)));
    if (endsMessage(message.hold)) return give(message.hold);
    if (await isRecalled(tx, message)) return give('campaign_recalled');
    const recipient = await readRecipient(tx, message.player_id);
    const to = recipient.email;
    if (to === null || to.trim() === '') return give('no_address');
    if (!isAddress(to.trim())) return give('bad_address');
    const address_key = deps.vault.addressKey(message.brand_id, to);
    const isSuppressed = (await findSuppression(tx, { brand_id: message.brand_id, address_key })) !== null;

    const contact = { ...contactBy(message), isSuppressed };
    const [decision] = await deps.gate.mayContact(tx, [contact]);
    if (decision === undefined) throw new Error('the gate returned no decision');
    const { decision_id } = decision;
    if (decision.outcome === 'withheld') return step({ ...ended('dropped', decision.reason), decision_id });
    if (decision.outcome === 'held')
      return step({ ...ended('waiting', decision.reason), decision_id, in_ms: decision.ask_again_ms });

    // This check follows the gate, because the gate ends e-mails to a player who is now protected, even during a pause. An e-mail
    // on hold waits until its expiry; a resume makes it due earlier.
    if (message.hold !== null)
      return step({ ...ended('waiting', message.hold), in_ms: Math.ceil((message.expires_at - at) / 1_000) });

    await beginCall(tx, message, address_key, callMsOf(email) + lostAfterMs, at);
    return {
      outcome: 'started',
      open: { claim, message, contact, brand, email, recipient, to: to.trim(), address_key },
    };
  });
}

/** Connecting and sending have this timeout each. If the session had ended, one more try follows. */
export function callMsOf({ call_timeout_ms }: EmailSettings): number {
  return 3 * call_timeout_ms;
}

/** Whether the text is one address, without any character that could form another command or recipient. */
function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\]]+$/.test(text);
}

function ended(state: EmailStep['state'], reason: string | null): EmailStep {
  return { state, reason, status: null, detail: null, in_ms: null };
}

function contactBy(message: WaitingEmail): ContactRequest {
  const { brand_id, player_id, purpose, expires_at, keepsQuietHours } = message;
  const about = aboutOf('email', message);
  return {
    brand_id,
    player_id,
    channel: 'email',
    purpose,
    cause: causeOf(message),
    expires_at,
    keepsQuietHours,
    ...about,
  };
}

function causeOf({ message_id }: Pick<WaitingEmail, 'message_id'>) {
  return { kind: 'message', id: String(message_id) } as const;
}

/**
 * The last check: the gate, and the suppression list, because another e-mail to this address may have bounced in the meantime.
 */
export async function isStillAllowed(open: OpenEmail, { pool, gate }: SendEmailDeps): Promise<boolean> {
  const { contact, message, address_key } = open;
  const suppressed = await findSuppression(pool, { brand_id: message.brand_id, address_key });
  return suppressed === null && gate.stillAllows(pool, contact);
}

/** Makes the call. Never throws for an error of the server. @returns null if it was not allowed to be sent */
export async function sendEmail(
  open: OpenEmail,
  deps: SendEmailDeps,
  sendCheck: SendCheck,
): Promise<SmtpResult | null> {
  const { message, brand, email, to } = open;
  const { message_id, player_id, purpose, subject, html, plain } = message;
  const token = deps.tokens.write('report', { brand_id: brand.brand_id, message_id });
  const leaving = purpose === 'marketing' ? deps.unsubscribeHeaders(brand.brand_id, player_id) : {};
  const headers = { ...leaving, ...reportHeaders(email, token) };
  const words = tracked({ html, plain }, trackingOf(open, deps));
  const mail = { message_id, to, subject, html: words.html, text: words.plain, headers, date: deps.clock() / 1_000 };
  const bytes = await buildMail(mail, brand, email);
  const envelope = { from: envelopeSender(email, token), to };
  return deps.transport.send(brand.brand_id, email, envelope, bytes, sendCheck);
}

function trackingOf({ brand, message, recipient }: OpenEmail, { tokens, publicUrl }: SendEmailDeps): Tracking {
  const { clicks, opens } = mayTrack(brand.settings.message_tracking, 'email', recipient);
  const named = { brand_id: brand.brand_id, message_id: message.message_id };
  const click = tokens.write('click', named);
  return {
    clickUrl: clicks ? (place) => `${publicUrl}/t/${click}-${place}` : null,
    openUrl: opens ? `${publicUrl}/o/${tokens.write('open', named)}` : null,
    isOwn: isOwnLink(publicUrl),
  };
}

/** Writes the outcome of a call. Safe to repeat. @param result null if the call was not made */
export async function finishEmail(
  open: OpenEmail,
  result: SmtpResult | null,
  { pool, clock, random }: Pick<SendEmailDeps, 'pool' | 'clock' | 'random'>,
): Promise<Outcome> {
  const { claim, message, address_key } = open;
  const judged = result === null ? null : judgeReply(result);
  const at = clock();
  const detail = result === null ? null : withoutAddress(result.detail, open.to);
  // This uses its own transaction, because the suppression list is not stored in a cell. Repeating it changes nothing.
  if (judged?.outcome === 'bounced')
    await suppress(
      pool,
      { brand_id: message.brand_id, address_key },
      { reason: 'bounced', detail, added_at: at, added_by: null },
    );
  return transaction(pool, async (tx) => {
    const status = result?.answered && result.at !== 'build' ? result.code : null;
    const step = { status, detail, ...stepAfter(judged, message, at, random()) };
    if (!(await stepEmail(tx, claim, step, at))) return lost;
    if (judged?.outcome === 'bounced') {
      const { brand_id, player_id, message_id, campaign_id } = message;
      const report = { brand_id, player_id, message_id, campaign_id, channel: 'email', provider: 'smtp', detail };
      await storeReport(tx, { ...report, what: 'bounced', reason: 'hard' }, at);
    }
    return outcomeOf(step, 'retry');
  });
}

/** Servers repeat the address in their answers. It is removed, and the rest of the text is stored. */
export function withoutAddress(detail: string, to: string): string {
  const address = new RegExp(to.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  return detail.replace(address, '(address)');
}

/** @param waits why the e-mail waits: `retry` if a call was tried, `snooze` if the gate holds the e-mail */
function outcomeOf({ state, reason, in_ms }: EmailStep, waits: 'retry' | 'snooze'): Outcome {
  if (state === 'sent') return done;
  if (state === 'waiting') return { outcome: waits, reason: reason ?? state, in_ms: in_ms ?? 0 };
  return { outcome: 'give_up', reason: reason ?? state };
}

function stepAfter(
  outcome: EmailOutcome | null,
  message: Pick<WaitingEmail, 'reason' | 'tries' | 'expires_at'>,
  at: Micros,
  random: number,
): Pick<EmailStep, 'state' | 'reason' | 'in_ms' | 'tries'> {
  if (outcome === null) return { state: 'waiting', reason: 'not_sent', in_ms: 0 };
  switch (outcome.outcome) {
    case 'sent':
      return { state: 'sent', reason: null, in_ms: null };
    case 'bounced':
      return { state: 'failed', reason: outcome.reason, in_ms: null };
    case 'failed':
    case 'unknown':
      return { state: outcome.outcome, reason: outcome.reason, in_ms: null };
    case 'retry': {
      const { reason } = outcome;
      const tries = emailLadder.triesAfter(message, reason);
      const in_ms = emailLadder.delayMs(reason, tries, { random });
      // Keep the last reply as the reason, because it is more useful than "expired".
      if (at + in_ms * 1_000 >= message.expires_at) return { state: 'failed', reason, in_ms: null };
      return { state: 'waiting', reason, in_ms, tries };
    }
    default:
      return outcome satisfies never;
  }
}
