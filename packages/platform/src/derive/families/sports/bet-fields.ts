import type { EventOf } from '@croupier/contracts';
import { inBase } from '../../money.ts';
import { versionOf } from './activity.ts';
import { isCashout, stakeOf } from './bet.ts';
import { sportOf } from './sport.ts';

/**
 * What one event says about its bet, under the names of did.bet. A Bet states its stake and selections, a Settlement
 * states its payout.
 */
export function betFieldsOf(event: EventOf<'sports'>) {
  const version = versionOf(event, '');
  const { bet_id } = version;
  if (event.status !== 'Approved') return { bet_id, status: 'rolled_back' };
  if (event.type === 'Settlement')
    return {
      bet_id,
      status: isCashout(version) ? 'cashed_out' : 'settled',
      base_payout: inBase(event.amount, event.exchange_rate),
    };
  const { live, free, risk_free, odds } = stakeOf(version);
  return { bet_id, status: 'open', live, free, risk_free, odds, sports_name: sportOf(event.bets) };
}
