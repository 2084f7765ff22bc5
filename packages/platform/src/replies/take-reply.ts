import { createHash } from 'node:crypto';
import type { Brand, Vault } from '../brands/index.ts';
import {
  countReports,
  findLastSms,
  isReportKnown,
  playersOfNumber,
  playersOfTypedNumbers,
  playersWrittenTo,
  type ReportOutcome,
} from '../channels/index.ts';
import type { SmsReply } from './report.ts';
import { userIdOf } from './sender.ts';
import { meansStop } from './stop-words.ts';
import { type ReportDeps, reportKey, type TakenReport, type TakenReports, takeReportOf } from './take-reports.ts';
import { withdrawConsent } from './withdraw.ts';

interface ReplyingDeps extends ReportDeps {
  vault: Pick<Vault, 'addressKey'>;
}

interface ReplySource {
  brand: Brand;
  provider: string;
}

/*
 * A reply to an SMS. It becomes an event of each player who has the number, about the last SMS to that player: `replied`, and for
 * STOP also `unsubscribed`. The text of the reply is not stored.
 */
export async function takeReply(deps: ReplyingDeps, source: ReplySource, reply: SmsReply): Promise<TakenReports> {
  const { pool, log } = deps;
  const { brand, provider } = source;
  const { from, text, isOptOut } = reply;
  const id = reply.id || null;
  const isStop = isOptOut || meansStop(text);
  const players = await playersOfSender(deps, brand, from, isStop);
  const outcomes: TakenReport[] = [];
  for (const player_id of players) {
    // The withdrawal comes first, so that it counts even if the event fails. A repeated call must not withdraw a consent
    // that the player has given since then. Without an id, a repeated call cannot be distinguished from a new reply with the same
    // text. So it withdraws such a consent, too. It has no effect only if the consent is still withdrawn.
    const key = id ?? (isStop ? digestOf(text) : null);
    const isRepeated = isStop && key !== null && (await isKnown(deps, source, player_id, key));
    if (isStop && !(isRepeated && id !== null))
      await withdrawConsent(deps, brand.brand_id, player_id, 'SMS', { note: 'replied STOP by SMS', isRepeated });
    if (key !== null) outcomes.push(...(await tell(deps, source, player_id, { id: key, isStop })));
  }
  // A STOP of an unknown number needs a person: the player still gets messages.
  const isUnmatched = isStop && players.length === 0;
  const said = { brand: brand.code, provider, stop: isStop, players: players.length };
  if (isUnmatched) log.warn(said, 'a STOP reply to an SMS arrived from a number that no player has');
  else log.info(said, 'a reply to an SMS arrived');
  const count = (outcome: TakenReport) => outcomes.filter((one) => one === outcome).length;
  const counts = { taken: count('taken'), repeated: count('repeated') };
  // Without an id, a reply that is not STOP cannot become an event, because a repeated call would count twice.
  const ignored = players.length > 0 && outcomes.length === 0 ? 1 : 0;
  const unknown_message = players.length === 0 ? 1 : 0;
  const tally = new Map<ReportOutcome, number>([
    ...(Object.entries(counts) as [ReportOutcome, number][]),
    ['ignored', ignored],
    [isUnmatched ? 'unmatched_stop' : 'unknown_message', unknown_message],
  ]);
  await countReports(pool, { brand_id: brand.brand_id, channel: 'sms', provider }, tally, deps.clock());
  return { ...counts, unknown_message, ignored, away: outcomes.includes('away') };
}

/**
 * Some providers leave out the country code. Then the number is read within the country of each player. If players of different countries
 * have it, a STOP counts for all of them, because too few messages do no harm. Any other reply identifies none of them.
 */
async function playersOfSender({ pool, vault }: ReplyingDeps, { brand_id }: Brand, from: string, isStop: boolean) {
  const current = await playersOfNumber(pool, brand_id, from);
  // A player may have another number by now, but the STOP means the messages to this one.
  const number = `+${from.replace(/\D/g, '')}`;
  const written = isStop ? await playersWrittenTo(pool, brand_id, vault.addressKey(brand_id, number)) : [];
  const players = [...new Set([...current, ...written])];
  if (players.length > 0 || from.startsWith('+')) return players;
  const typed = await playersOfTypedNumbers(pool, brand_id, from);
  return isStop || new Set(typed.map(({ e164 }) => e164)).size === 1 ? typed.map(({ player_id }) => player_id) : [];
}

const keyOf = (id: string, playerId: number) => `${id}:${playerId}`;

/** Identifies a reply without an id. */
const digestOf = (text: string) => `no-id-${createHash('sha256').update(text).digest('hex')}`;

/** Whether this reply has withdrawn the consent of the player before. */
async function isKnown({ pool }: ReportDeps, { provider }: ReplySource, playerId: number, id: string) {
  return isReportKnown(pool, playerId, reportKey(provider, { key: keyOf(id, playerId), what: 'unsubscribed' }));
}

async function tell(
  deps: ReportDeps,
  { brand, provider }: ReplySource,
  player_id: number,
  { id, isStop }: { id: string; isStop: boolean },
): Promise<TakenReport[]> {
  const user_id = await userIdOf(deps.pool, player_id);
  if (user_id === null) return [];
  const last = await findLastSms(deps.pool, brand.brand_id, player_id);
  const about = last ?? { player_id, user_id, message_id: null, campaign_id: null, address_key: null };
  const source = { brand, channel: 'sms', provider } as const;
  const outcomes: TakenReport[] = [];
  for (const what of isStop ? (['replied', 'unsubscribed'] as const) : (['replied'] as const))
    outcomes.push(
      await takeReportOf(deps, source, { key: keyOf(id, player_id), what, at: null, about: { nothing: true } }, about),
    );
  return outcomes;
}
