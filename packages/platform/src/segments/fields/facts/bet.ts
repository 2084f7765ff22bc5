import { factReading } from './fact.ts';

export const bet = (baseCurrency: string) =>
  factReading({
    name: 'bet',
    title: 'sports bets',
    meaning:
      'Sports bets, at the time of the bet. Bets that were rolled back, and settlements without a bet, do not count.',
    from: 'bet',
    inForce: `state not in ('rolled_back', 'orphan')`,
    at: 'at',
    columns: {
      bet_id: ['text', 'the bet id'],
      status: ['text', 'the status', 'state'],
      timestamp: ['moment', 'its time', 'at'],
      settled_at: ['moment', 'the time of the settlement'],
      bet_type: ['text', 'the bet type'],
      live: ['flag', 'live'],
      free: ['flag', 'a free bet'],
      risk_free: ['flag', 'a risk-free bet'],
      odds: ['number', 'the odds'],
      amount: ['number', 'the stake in its own currency'],
      currency: ['text', 'the currency'],
      exchange_rate: ['number', 'the exchange rate'],
      base_amount: ['amount', 'the stake'],
      base_payout: ['amount', 'the payout'],
      base_result: [
        'amount',
        'the result (payout - stake)',
        `case when state in ('settled', 'cashed_out') then trim_scale(base_payout - base_amount) end`,
      ],
      settlement_count: ['number', 'the number of settlements', 'settlement_count::numeric'],
      cashout_count: ['number', 'the number of cashouts', 'cashout_count::numeric'],
      sports_name: ['text', 'the sport'],
    },
    baseCurrency,
  });
