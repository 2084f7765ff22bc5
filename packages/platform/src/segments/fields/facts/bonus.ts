import { factReading } from './fact.ts';

export const bonus = (baseCurrency: string) =>
  factReading({
    name: 'bonus',
    title: 'bonuses',
    meaning: 'Bonuses granted, at their first event, in any status. A reversed bonus does not count.',
    from: 'bonus',
    inForce: 'granted',
    at: 'at',
    columns: {
      user_bonus_id: ['text', 'the bonus of the player'],
      bonus_id: ['text', 'the bonus'],
      bonus_code: ['text', 'the bonus code'],
      product: ['text', 'the product'],
      type: ['text', 'the type'],
      status: ['text', 'the status'],
      status_at: ['moment', 'the time of the status'],
      granted: ['flag', 'granted'],
      granted_at: ['moment', 'its time', 'at'],
      amount: ['number', 'the amount in its own currency'],
      currency: ['text', 'the currency'],
      exchange_rate: ['number', 'the exchange rate'],
      base_amount: ['amount', 'the amount'],
      base_turned_real: ['amount', 'the amount that became real money'],
      turned_real_at: ['moment', 'the time at which it became real money'],
      base_locked_amount: ['amount', 'the locked amount'],
      base_required_wagering: ['amount', 'the required wagering'],
      origin: ['text', 'the origin'],
    },
    baseCurrency,
  });
