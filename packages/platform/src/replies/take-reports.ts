import { createHash } from 'node:crypto';
import type { BodyOf, Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../brands/index.ts';
import {
  countReports,
  countSoftBounces,
  type FoundMessage,
  findMessage,
  type MessageTokens,
  noteStored,
  type ReportOutcome,
  rememberReport,
  suppress,
} from '../channels/index.ts';
import type { Clock } from '../clock.ts';
import { timestamptzText } from '../database/index.ts';
import { type ReceiveDeps, receiveOwn } from '../ingest/index.ts';
import type { EarlyReports } from './early-reports.ts';
import { type ProviderReport, withoutPeople } from './report.ts';
import { withdrawConsent } from './withdraw.ts';

/*
 * The processing of a report about a message:
 *
 *     report -> its message -> stored under the provider's key -> consent, suppression -> ledger -> marked as stored -> answer
 *
 * Everything before the mark is safe to repeat, so a process may die at any point: the provider gets no answer and repeats its
 * call. After the mark, a repeated report has no effect. A report about an unknown message is counted, and answered 200,
 * because the provider would otherwise repeat it for days without effect.
 */
export interface ReportDeps {
  pool: Pool;
  clock: Clock;
  log: Logger;
  tokens: MessageTokens;
  /** Recognizes reports that arrive before their message is known. Absent for providers that repeat our own id of the message. */
  early?: EarlyReports;
  /** The receiver of events. */
  ingest: Pick<ReceiveDeps, 'committer' | 'late'>;
}

export interface ReportSource {
  brand: Brand;
  channel: 'email' | 'sms' | 'telephone' | 'post_mail' | 'operator';
  provider: string;
}

export type TakenReport = Exclude<ReportOutcome, 'ignored' | 'unmatched_stop'> | 'away' | 'early';

/** How many reports of one call are processed at once: their events share commits. */
const atOnce = 8;

export interface TakenReports {
  taken: number;
  repeated: number;
  unknown_message: number;
  ignored: number;
  /** Some of the reports were not accepted: the ledger is away, or they are early. The provider has to repeat the call. */
  away: boolean;
}

export async function takeReports(
  deps: ReportDeps,
  source: ReportSource,
  { reports, ignored }: { reports: readonly ProviderReport[]; ignored: number },
): Promise<TakenReports> {
  const outcomes: TakenReport[] = [];
  for (let at = 0; at < reports.length; at += atOnce) {
    const portion = reports.slice(at, at + atOnce);
    outcomes.push(...(await Promise.all(portion.map((report) => takeReport(deps, source, report)))));
  }
  const count = (outcome: TakenReport) => outcomes.filter((one) => one === outcome).length;
  const counts = { taken: count('taken'), repeated: count('repeated'), unknown_message: count('unknown_message') };
  const { brand, channel, provider } = source;
  const given = new Map<ReportOutcome, number>([
    ...(Object.entries(counts) as [ReportOutcome, number][]),
    ['ignored', ignored],
  ]);
  await countReports(deps.pool, { brand_id: brand.brand_id, channel, provider }, given, deps.clock());
  return { ...counts, ignored, away: outcomes.includes('away') || outcomes.includes('early') };
}

async function takeReport(deps: ReportDeps, source: ReportSource, report: ProviderReport): Promise<TakenReport> {
  const message = await messageOf(deps, source, report);
  if (message !== null) return takeReportOf(deps, source, report, message);
  const { early, clock } = deps;
  const { about } = report;
  // Only an id of the provider can arrive before it is known here.
  if (early === undefined || !('provider_id' in about)) return 'unknown_message';
  const { brand, channel } = source;
  const of = { brand_id: brand.brand_id, channel, provider_id: about.provider_id };
  if (await early.mayBeEarly(of, clock())) return 'early';
  // The call may have ended after the first look-up, so that it is not under way and its message is known now.
  const late = await messageOf(deps, source, report);
  return late === null ? 'unknown_message' : takeReportOf(deps, source, report, late);
}

async function messageOf(
  { pool, tokens }: ReportDeps,
  { brand, channel }: ReportSource,
  { about }: ProviderReport,
): Promise<FoundMessage | null> {
  if ('nothing' in about) return null;
  const by = 'token' in about ? tokens.read('report', about.token) : about;
  if (by === null || ('brand_id' in by && by.brand_id !== brand.brand_id)) return null;
  return findMessage(pool, brand.brand_id, channel, by);
}

/** @param message of the same brand; without a message_id for a reply of a player whose message is unknown */
export async function takeReportOf(
  deps: ReportDeps,
  source: ReportSource,
  report: ProviderReport,
  message: Pick<FoundMessage, 'player_id' | 'user_id' | 'campaign_id' | 'address_key'> & { message_id: number | null },
): Promise<TakenReport> {
  const { pool, clock, ingest } = deps;
  const { brand, provider } = source;
  const now = clock();
  const report_key = reportKey(provider, report);
  const asked = bodyOf(source, report, message, now);
  const address_key = report.what === 'bounced' ? message.address_key : null;
  const { player_id } = message;
  const { body, stored } = await rememberReport(pool, {
    player_id,
    report_key,
    brand_id: brand.brand_id,
    body: asked,
    address_key,
    heard_at: now,
  });
  if (stored) return 'repeated';
  await followReport(deps, source, report, message);
  const verdict = await receiveOwn(
    { ...ingest, now: clock },
    brand,
    'message_event',
    Buffer.from(JSON.stringify(body)),
  );
  switch (verdict.outcome) {
    case 'accepted':
      await noteStored(pool, player_id, report_key, clock());
      return 'taken';
    case 'away':
    case 'full':
      return 'away';
    case 'refused':
      throw new Error(`a report became no event: ${verdict.errors.map((error) => error.message).join('; ')}`);
    default:
      return verdict satisfies never;
  }
}

/** The key under which a report is stored. */
export function reportKey(provider: string, { key, what }: Pick<ProviderReport, 'key' | 'what'>): Buffer {
  return createHash('sha256').update(`${provider}\n${key}\n${what}`).digest();
}

function bodyOf(
  { channel, provider }: ReportSource,
  { key, what, at, reference, bounce, link, detail }: ProviderReport,
  { user_id, message_id, campaign_id }: { user_id: string; message_id: number | null; campaign_id: string | null },
  now: Micros,
): BodyOf<'message_event'> {
  return {
    user_id,
    // A provider's clock may be ahead; a time that is years behind is invalid.
    timestamp: timestamptzText(at === null || at > now || at < now - longestBehind ? now : at),
    event_id: shortId(`${provider}:${key}:${what}`),
    what,
    channel,
    provider,
    ...(message_id !== null && { message_id: String(message_id) }),
    ...(campaign_id !== null && campaign_id.trim() !== '' && { campaign_id: shortId(campaign_id) }),
    ...(reference !== undefined && { reference: shortId(reference) }),
    ...(bounce !== undefined && { reason: bounce }),
    ...(link !== undefined && { link }),
    ...(detail !== undefined && { detail: withoutPeople(detail) }),
  };
}

const longestBehind: Micros = 400 * 86_400_000_000;
const longestId = 200;

/** Ids have a maximum length; a longer one is replaced by its hash. */
function shortId(text: string): string {
  const plain = text.replaceAll('\u0000', '').toWellFormed();
  return plain.length <= longestId
    ? plain
    : `${plain.slice(0, 100)}:${createHash('sha256').update(plain).digest('hex')}`;
}

/** Carries out what protects the player first: it must count even if the ledger is unavailable. */
async function followReport(
  deps: ReportDeps,
  { brand, channel }: ReportSource,
  { what, bounce, detail, about }: ProviderReport,
  { player_id, address_key }: Pick<FoundMessage, 'player_id' | 'address_key'>,
): Promise<void> {
  const { pool, clock } = deps;
  const { brand_id } = brand;
  const at = clock();
  const list = async (reason: 'bounced' | 'complained', words: string | null) => {
    if (address_key === null) return;
    await suppress(pool, { brand_id, address_key }, { reason, detail: words, added_at: at, added_by: null });
  };
  const said = detail === undefined ? null : withoutPeople(detail);
  if (what === 'complained') await list('complained', said);
  // A reply has withdrawn the consent already (take-reply.ts).
  // Players opt out of the operator's own channel at the operator, which reports it as a changed consent.
  const optedOut = (what === 'complained' || what === 'unsubscribed') && !('nothing' in about);
  if (optedOut && channel !== 'operator')
    await withdrawConsent(deps, brand_id, player_id, consentOf[channel], { note: notes[what] });
  if (what !== 'bounced' || address_key === null) return;
  if (bounce === 'hard') return list('bounced', said);
  if (bounce === 'policy') return;
  const { soft_bounces = 5, soft_bounce_days = 14 } = brand.email?.reports ?? {};
  const count = await countSoftBounces(pool, { player_id, address_key }, at - soft_bounce_days * 86_400_000_000);
  if (count >= soft_bounces) await list('bounced', `${count} soft bounces within ${soft_bounce_days} days`);
}

const consentOf = { email: 'Email', sms: 'SMS', telephone: 'Telephone', post_mail: 'PostMail' } as const;
const notes = {
  complained: 'reported the message as spam',
  unsubscribed: 'unsubscribed at the provider',
} as const;
