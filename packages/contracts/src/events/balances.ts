import { currency } from '../fields/currency.ts';
import { amount, exchangeRate } from '../fields/money.ts';
import { list, record } from '../fields/record.ts';
import { openSet } from '../fields/set.ts';
import { origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';
import { normalizeRate } from './money-rules.ts';

const balanceEntry = record('One balance of the player.', {
  key: openSet(['real_money', 'bonus_money'], 'Which balance.'),
  amount: amount('The balance in `currency`.'),
  currency: currency('Currency of the balance.'),
  exchange_rate: exchangeRate('Rate at the timestamp that converts the balance to the base currency.'),
});

export const balances = message({
  kind: 'balances',
  fields: { user_id: userId, timestamp, origin, balances: list('Balances of the player.', balanceEntry) },
  across(event, reading) {
    for (const entry of event.balances) normalizeRate(entry, reading);
  },
  samples: {
    balances: {
      user_id: '7865312321',
      timestamp: '2026-03-02T08:41:00Z',
      origin: 'www.example.com',
      balances: [
        { key: 'real_money', amount: 55.95, currency: 'EUR', exchange_rate: 1 },
        { key: 'bonus_money', amount: 10, currency: 'EUR', exchange_rate: 1 },
      ],
    },
  },
});
