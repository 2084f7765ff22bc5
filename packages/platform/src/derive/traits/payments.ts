import type { Ranking } from '../totals/index.ts';
import type { ReportName, Trait } from './trait.ts';
import { amount, count, daysSince, moment } from './wording.ts';

type Direction = { prefix: 'deposit' | 'withdrawal'; type: 'Credit' | 'Debit'; report: ReportName };

/** Deposits and withdrawals have the same traits. */
function directionTraits({ prefix, type, report }: Direction): Trait[] {
  const inForce = `payments of type ${type} whose Approved event is in force`;
  const sum = { sum: [`payment.${prefix}_sum`] } as const;
  const last = moment(
    {
      name: `${prefix}_last_at`,
      meaning: `Time of the latest ${prefix}.`,
      formula: `latest timestamp of ${inForce}`,
    },
    { last: [`payment.${prefix}_last_at`] },
  );
  return [
    count(
      { name: `${prefix}_count`, meaning: `Number of ${prefix}s.`, formula: `count of ${inForce}` },
      `payment.${prefix}_count`,
    ),
    amount(
      {
        name: `${prefix}_sum`,
        meaning: `Sum of all ${prefix}s.`,
        formula: `sum of amount x exchange_rate of ${inForce}`,
      },
      sum,
    ),
    amount(
      {
        name: `${prefix}_average`,
        meaning: `Average ${prefix}.`,
        formula: `${prefix}_sum / ${prefix}_count; null if there is no ${prefix}`,
      },
      { ratio: sum, to: { sum: [`payment.${prefix}_count`] } },
    ),
    amount(
      {
        name: `${prefix}_biggest`,
        meaning: `Biggest ${prefix}.`,
        formula: `largest amount x exchange_rate of ${inForce}`,
      },
      { biggest: [`payment.${prefix}_biggest`] },
    ),
    amount(
      {
        name: `${prefix}_fee_sum`,
        meaning: `Sum of the fees of all ${prefix}s.`,
        formula: `sum of fee_amount x exchange_rate of ${inForce}`,
      },
      { sum: [`payment.${prefix}_fee_sum`] },
    ),
    moment(
      {
        name: `${prefix}_first_at`,
        meaning: `Time of the first ${prefix}.`,
        formula: `earliest timestamp of ${inForce}`,
      },
      { first: [`payment.${prefix}_first_at`] },
    ),
    last,
    amountOf(prefix, 'first', inForce),
    amountOf(prefix, 'last', inForce),
    daysSince(`days_since_${prefix}`, last, `Days since the latest ${prefix}; 0 is today.`),
    ...vendorTraits(prefix),
    {
      name: `reported_${prefix}_count`,
      kind: 'number',
      unit: 'count',
      windows: 'lifetime',
      meaning: `Number of ${prefix}s as counted by the operator. It may include years before the integration.`,
      formula: `${report} of the latest payment event that contains it`,
      source: { from: 'report', report },
    },
  ];
}

function amountOf(prefix: Direction['prefix'], place: 'first' | 'last', inForce: string): Trait {
  return {
    name: `${prefix}_${place}_amount`,
    kind: 'amount',
    unit: 'base_currency',
    windows: 'lifetime',
    meaning: `Amount of the ${place === 'first' ? 'first' : 'latest'} ${prefix}.`,
    formula: `amount x exchange_rate of the ${place === 'first' ? 'earliest' : 'latest'} of the ${inForce}; ${ofSeveral}`,
    source: { from: 'payment', payment: `${prefix}_${place}`, show: 'base_amount' },
  };
}

const ofSeveral = 'if several have that time, a fixed rule selects one';

/** Deposits that were refused. */
function refusedTraits(word: 'rejected' | 'cancelled', status: 'Rejected' | 'Cancelled'): Trait[] {
  const name = `deposit_${word}` as const;
  const refused = `payments of type Credit whose status is ${status} and that have a Requested or Approved event`;
  const itsTime = `Each counts at its first ${status} event after which it had no other final status`;
  const last = moment(
    {
      name: `${name}_last_at`,
      meaning: `Time of the latest ${word} deposit.`,
      formula: `latest time of ${refused}. ${itsTime}`,
    },
    { last: [`refused_deposit.${name}_last_at`] },
  );
  return [
    count(
      {
        name: `${name}_count`,
        meaning: `Number of ${word} deposits.`,
        formula: `count of ${refused}. ${itsTime}`,
      },
      `refused_deposit.${name}_count`,
    ),
    amount(
      {
        name: `${name}_sum`,
        meaning: `Sum of all ${word} deposits.`,
        formula: `sum of amount x exchange_rate of ${refused}, from that ${status} event`,
      },
      { sum: [`refused_deposit.${name}_sum`] },
    ),
    last,
    daysSince(`days_since_${name}`, last, `Days since the latest ${word} deposit; 0 is today.`),
    {
      name: `${name}_last_reason`,
      kind: 'text',
      unit: 'text',
      windows: 'lifetime',
      meaning: `Why the latest ${word} deposit was ${word}, in the operator's words.`,
      formula: `note of the ${status} event at ${name}_last_at; null if it has no note; ${ofSeveral}`,
      source: { from: 'payment', payment: `${name}_last`, show: 'note' },
    },
  ];
}

function vendorTraits(prefix: Direction['prefix']): Trait[] {
  const ranking: Ranking = {
    name: prefix,
    group: ['vendor_id'],
    most: `${prefix}_count`,
    ties: [`${prefix}_sum`],
  };
  const groups = { from: 'groups', family: 'payment', group: 'vendor_id' } as const;
  return [
    {
      name: `${prefix}_count_by_vendor`,
      kind: 'breakdown',
      unit: 'count',
      windows: 'lifetime',
      meaning: `Number of ${prefix}s per payment vendor.`,
      formula: `${prefix}_count of the payments of each vendor_id`,
      source: { ...groups, column: `${prefix}_count` },
    },
    {
      name: `${prefix}_sum_by_vendor`,
      kind: 'breakdown',
      unit: 'base_currency',
      windows: 'lifetime',
      meaning: `Sum of ${prefix}s per payment vendor.`,
      formula: `${prefix}_sum of the payments of each vendor_id`,
      source: { ...groups, column: `${prefix}_sum` },
    },
    {
      name: `${prefix}_favorite_vendor`,
      kind: 'text',
      unit: 'id',
      windows: 'favorite',
      meaning: `The payment vendor with the most ${prefix}s.`,
      formula: `vendor_id with the largest ${prefix}_count; ties by ${prefix}_sum, then by the id`,
      source: { from: 'favorite', family: 'payment', ranking, show: 'vendor_id' },
    },
    {
      name: `${prefix}_last_vendor`,
      kind: 'text',
      unit: 'id',
      windows: 'lifetime',
      meaning: `The payment vendor of the latest ${prefix}.`,
      formula: `vendor_id with the latest ${prefix}_last_at; ties by the id`,
      source: { from: 'latest', family: 'payment', group: 'vendor_id', date: `${prefix}_last_at` },
    },
  ];
}

export const paymentTraits: readonly Trait[] = [
  ...directionTraits({ prefix: 'deposit', type: 'Credit', report: 'deposit_count' }),
  ...directionTraits({ prefix: 'withdrawal', type: 'Debit', report: 'withdraw_count' }),
  ...refusedTraits('rejected', 'Rejected'),
  ...refusedTraits('cancelled', 'Cancelled'),
  amount(
    { name: 'net_deposit_sum', meaning: 'Deposits minus withdrawals.', formula: 'deposit_sum - withdrawal_sum' },
    { sum: ['payment.deposit_sum'], less: ['payment.withdrawal_sum'] },
  ),
  amount(
    { name: 'fee_sum', meaning: 'Sum of the fees of all payments.', formula: 'deposit_fee_sum + withdrawal_fee_sum' },
    { sum: ['payment.deposit_fee_sum', 'payment.withdrawal_fee_sum'] },
  ),
];
