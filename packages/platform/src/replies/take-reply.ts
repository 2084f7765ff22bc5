import type { Brand } from '../brands/index.ts';
import { findLastSms, isReportStored, playersOfNumber } from '../channels/index.ts';
import type { SmsReply } from './report.ts';
import { userIdOf } from './sender.ts';
import { meansStop } from './stop-words.ts';
import { type ReportDeps, reportKey, type TakenReport, type TakenReports, takeReportOf } from './take-reports.ts';
import { withdrawConsent } from './withdraw.ts';

interface ReplySource {
  brand: Brand;
  provider: string;
}

/*
 * A reply to an SMS. It becomes an event of each player who has the number, about the last SMS to that player: `replied`, and for
 * STOP also `unsubscribed`. The text of the reply is not stored.
 */
export async function takeReply(deps: ReportDeps, source: ReplySource, reply: SmsReply): Promise<TakenReports> {
  const { pool, log } = deps;
  const { brand, provider } = source;
  const { id, from, text, isOptOut } = reply;
  const isStop = isOptOut || meansStop(text);
  const players = await playersOfNumber(pool, brand.brand_id, from);
  const outcomes: TakenReport[] = [];
  for (const player_id of players) {
    // The withdrawal comes first, so that it counts even if the event fails. A repeated call must not withdraw a consent
    // that the player has given since then.
    if (isStop && !(await isKnown(deps, source, player_id, id)))
      await withdrawConsent(deps, brand.brand_id, player_id, 'SMS', 'replied STOP by SMS');
    if (id !== null) outcomes.push(...(await tell(deps, source, player_id, { id, isStop })));
  }
  log.info({ brand: brand.code, provider, stop: isStop, players: players.length }, 'a reply to an SMS arrived');
  const count = (outcome: TakenReport) => outcomes.filter((one) => one === outcome).length;
  return {
    taken: count('taken'),
    repeated: count('repeated'),
    unknown_message: players.length === 0 ? 1 : 0,
    ignored: 0,
    away: outcomes.includes('away'),
  };
}

const keyOf = (id: string, playerId: number) => `${id}:${playerId}`;

/** Whether this reply has withdrawn the consent of the player before. */
async function isKnown({ pool }: ReportDeps, { provider }: ReplySource, playerId: number, id: string | null) {
  if (id === null) return false;
  return isReportStored(pool, playerId, reportKey(provider, { key: keyOf(id, playerId), what: 'unsubscribed' }));
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
