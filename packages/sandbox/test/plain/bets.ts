import type { EventOf } from '@croupier/contracts';
import { Big } from 'big.js';
import type { BetTruth } from '../../src/index.ts';
import { nothing, type Part, productTotals, total } from './money.ts';
import { eventsInForce, type Received } from './received.ts';

type Activity = EventOf<'sports'>;

/** Sports bets in the simplest implementation of docs/reference/decisions.md 2.9. */
export function plainBets(received: readonly Received<'sports'>[]) {
  const inForce = eventsInForce(received, (event) => [event.activity_id, event.type, event.status]);
  const name = ({ activity_id, type }: Activity) => `${type}/${activity_id}`;
  const back = new Set(inForce.filter(({ status }) => status === 'Rollback').map(name));
  const approved = inForce.filter(({ status }) => status === 'Approved');
  const payments = approved.filter((event) => event.type === 'Settlement' && !back.has(name(event)));
  const parts: Part[] = [];
  const bets = approved
    .filter(({ type }) => type === 'Bet')
    .map((bet): BetTruth => {
      const isBack = back.has(name(bet));
      const paid = isBack
        ? []
        : payments.filter((event) => (event.activity_id_reference ?? event.activity_id) === bet.activity_id);
      if (!isBack) parts.push(stakeOf(bet), ...paid.filter(({ amount }) => amount !== '0').map(winOf));
      const cashouts = paid.filter(({ is_cashout }) => is_cashout === true).length;
      return {
        activity_id: bet.activity_id,
        placed_at: bet.timestamp,
        state: isBack
          ? 'rolled_back'
          : paid.length === 0
            ? 'open'
            : cashouts === paid.length
              ? 'cashed_out'
              : 'settled',
        free: isFree(bet),
        live: bet.bets.some(({ is_live }) => is_live === true),
        stake: baseValue(bet).toFixed(),
        payout: total(paid.map(baseValue)).toFixed(),
        settlements: paid.length,
        cashouts,
      };
    });
  const betsInForce = bets.filter(({ state }) => state !== 'rolled_back');
  const totals = {
    ...productTotals(parts),
    settled_count: betsInForce.filter(({ state }) => state === 'settled').length,
    cashout_count: betsInForce.reduce((sum, { cashouts }) => sum + cashouts, 0),
    free_bet_count: betsInForce.filter(({ free }) => free).length,
    live_bet_count: betsInForce.filter(({ live }) => live).length,
  };
  return { bets, totals };
}

function isFree({ bets }: Activity): boolean {
  return bets.every(({ is_free_bet }) => is_free_bet === true);
}

function baseValue({ amount, exchange_rate }: Activity): Big {
  return new Big(amount).times(exchange_rate);
}

function stakeOf(bet: Activity): Part {
  const stake = baseValue(bet);
  const [real, bonus] = isFree(bet) ? [nothing, stake] : [stake, nothing];
  return { what: 'bet', at: bet.timestamp, real, bonus, locked: nothing, sizes: [stake] };
}

function winOf(event: Activity): Part {
  const won = baseValue(event);
  return { what: 'win', at: event.timestamp, real: won, bonus: nothing, locked: nothing, sizes: [won] };
}
