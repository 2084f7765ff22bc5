import type { Brand } from '../brands/index.ts';
import { findLastSms, playersOfNumber } from '../channels/index.ts';
import { userIdOf } from './sender.ts';
import { meansStop } from './stop-words.ts';
import { type ReportDeps, type TakenReport, takeReportOf } from './take-reports.ts';
import { withdrawConsent } from './withdraw.ts';

/*
 * A reply to an SMS, from Twilio. It becomes an event of each player who has the number, about the last SMS to that player:
 * `replied`, and for STOP also `unsubscribed`. The text of the reply is not stored.
 */
export async function takeReply(deps: ReportDeps, brand: Brand, form: URLSearchParams): Promise<{ away: boolean }> {
  const { pool, log } = deps;
  // If the account has Advanced Opt-Out, Twilio itself reports the meaning of a reply.
  const isStop = form.get('OptOutType') === 'STOP' || meansStop(form.get('Body') ?? '');
  const players = await playersOfNumber(pool, brand.brand_id, form.get('From') ?? '');
  const outcomes: TakenReport[] = [];
  for (const player_id of players) {
    // Withdraw first, whatever happens to the event.
    if (isStop) await withdrawConsent(deps, brand.brand_id, player_id, 'SMS', 'replied STOP by SMS');
    const sid = form.get('MessageSid');
    if (sid !== null) outcomes.push(...(await tell(deps, brand, player_id, { sid, isStop })));
  }
  log.info({ brand: brand.code, stop: isStop, players: players.length }, 'a reply to an SMS arrived');
  return { away: outcomes.includes('away') };
}

async function tell(
  deps: ReportDeps,
  brand: Brand,
  player_id: number,
  { sid, isStop }: { sid: string; isStop: boolean },
): Promise<TakenReport[]> {
  const user_id = await userIdOf(deps.pool, player_id);
  if (user_id === null) return [];
  const last = await findLastSms(deps.pool, brand.brand_id, player_id);
  const about = last ?? { player_id, user_id, message_id: null, campaign_id: null, address_key: null };
  const source = { brand, channel: 'sms', provider: 'twilio' } as const;
  const outcomes: TakenReport[] = [];
  for (const what of isStop ? (['replied', 'unsubscribed'] as const) : (['replied'] as const))
    outcomes.push(
      await takeReportOf(deps, source, { key: `${sid}:${player_id}`, what, at: null, about: { nothing: true } }, about),
    );
  return outcomes;
}
