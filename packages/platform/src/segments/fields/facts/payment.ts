import { factReading } from './fact.ts';

export const payment = (baseCurrency: string) =>
  factReading({
    name: 'payment',
    title: 'payments',
    meaning:
      'Deposits (type Credit) and withdrawals (Debit) in any status. Payments that were rolled back do not count, nor do payments of which only a Rollback, Rejected or Cancelled event is known. To count only successful payments, add a condition on the status.',
    from: 'payment',
    inForce: `not orphan and status <> 'Rollback'`,
    at: 'at',
    columns: {
      payment_id: ['text', 'the payment id'],
      type: ['text', 'the type'],
      status: ['text', 'the status'],
      amount: ['number', 'the amount in its own currency'],
      currency: ['text', 'the currency'],
      base_amount: ['amount', 'the amount'],
      exchange_rate: ['number', 'the exchange rate'],
      timestamp: ['moment', 'its time', 'at'],
      counted: ['flag', 'counted'],
      reapproved: ['flag', 'approved again'],
      vendor_id: ['text', 'the payment vendor'],
      vendor_name: ['text', 'the name of the payment vendor'],
      origin: ['text', 'the origin'],
      bonus_code: ['text', 'the bonus code'],
      note: ['text', 'the note'],
      base_fee: ['amount', 'the fee'],
    },
    baseCurrency,
  });
