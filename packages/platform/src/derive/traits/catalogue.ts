import { type FactTrait, ratio, type TotalsTrait, type Trait } from './trait.ts';

/*
 * Every trait of a player: the one list that code, API, console and docs read. Windows and money words are those of
 * decisions.md 3.
 */

type Direction = { prefix: 'deposit' | 'withdrawal'; word: string; type: 'Credit' | 'Debit' };

/** Deposits and withdrawals have the same traits. */
function paymentTraits({ prefix, word, type }: Direction): TotalsTrait[] {
  const payment = { from: 'payment', windows: true } as const;
  const lifetime = { from: 'payment', windows: false } as const;
  const inForce = `payments of type ${type} with an Approved in force`;
  return [
    {
      ...payment,
      name: `${prefix}_count`,
      unit: 'count',
      meaning: `Number of ${word}s.`,
      formula: `count of ${inForce}`,
      value: ({ counts }) => counts[`${prefix}_count`] ?? 0,
    },
    {
      ...payment,
      name: `${prefix}_sum`,
      unit: 'base_currency',
      meaning: `Sum of all ${word}s.`,
      formula: `sum of amount x exchange_rate of ${inForce}`,
      value: ({ sums }) => sums[`${prefix}_sum`] ?? '0',
    },
    {
      ...payment,
      name: `${prefix}_average`,
      unit: 'base_currency',
      meaning: `Average ${word}.`,
      formula: `${prefix}_sum / ${prefix}_count; none without a ${word}`,
      value: ({ sums, counts }) => ratio(sums[`${prefix}_sum`] ?? '0', counts[`${prefix}_count`] ?? 0),
    },
    {
      ...payment,
      name: `${prefix}_biggest`,
      unit: 'base_currency',
      meaning: `Biggest ${word}.`,
      formula: `largest amount x exchange_rate of ${inForce}`,
      value: ({ biggest }) => biggest[`${prefix}_biggest`] ?? null,
    },
    {
      ...payment,
      name: `${prefix}_fee_sum`,
      unit: 'base_currency',
      meaning: `Sum of the fees of all ${word}s.`,
      formula: `sum of fee_amount x exchange_rate of ${inForce}`,
      value: ({ sums }) => sums[`${prefix}_fee_sum`] ?? '0',
    },
    {
      ...lifetime,
      name: `${prefix}_first_at`,
      unit: 'timestamp',
      meaning: `Time of the first ${word}.`,
      formula: `earliest timestamp of ${inForce}`,
      value: ({ dates }) => dates[`${prefix}_first_at`] ?? null,
    },
    {
      ...lifetime,
      name: `${prefix}_last_at`,
      unit: 'timestamp',
      meaning: `Time of the latest ${word}.`,
      formula: `latest timestamp of ${inForce}`,
      value: ({ dates }) => dates[`${prefix}_last_at`] ?? null,
    },
  ];
}

function reported(name: string, field: 'deposit_count' | 'withdraw_count', word: string): FactTrait {
  return {
    from: 'facts',
    windows: false,
    name,
    unit: 'count',
    meaning: `Number of ${word}s as the operator itself counts them; it may be years older than the integration.`,
    formula: `${field} of the payment event with the latest timestamp that carries one`,
    value: ({ reports }) => {
      const report = reports.get(field);
      return report === undefined ? { value: null } : { value: report.value, as_of: report.at };
    },
  };
}

const login = { from: 'login' } as const;
const isPlayers = 'login events without is_impersonated';

const loginTraits: TotalsTrait[] = [
  {
    ...login,
    name: 'login_count',
    windows: true,
    unit: 'count',
    meaning: 'Number of logins of the player.',
    formula: `count of ${isPlayers}`,
    value: ({ counts }) => counts.login_count ?? 0,
  },
  {
    ...login,
    name: 'login_first_at',
    windows: false,
    unit: 'timestamp',
    meaning: 'Time of the first login.',
    formula: `earliest timestamp of ${isPlayers}`,
    value: ({ dates }) => dates.login_first_at ?? null,
  },
  {
    ...login,
    name: 'login_last_at',
    windows: false,
    unit: 'timestamp',
    meaning: 'Time of the latest login.',
    formula: `latest timestamp of ${isPlayers}`,
    value: ({ dates }) => dates.login_last_at ?? null,
  },
  {
    ...login,
    name: 'logout_last_at',
    windows: false,
    unit: 'timestamp',
    meaning: 'Time of the latest logout.',
    formula: 'latest timestamp of logout events',
    value: ({ dates }) => dates.logout_last_at ?? null,
  },
];

const playerTraits: FactTrait[] = [
  {
    from: 'facts',
    windows: false,
    name: 'registered_at',
    unit: 'timestamp',
    meaning: 'Time of the registration.',
    formula: 'earliest timestamp of registration events',
    value: ({ registered_at }) => ({ value: registered_at }),
  },
  {
    from: 'facts',
    windows: false,
    name: 'first_event_at',
    unit: 'timestamp',
    meaning: 'Time of the earliest event of any kind.',
    formula: 'earliest timestamp of all events',
    value: ({ first_event_at }) => ({ value: first_event_at }),
  },
  {
    from: 'facts',
    windows: false,
    name: 'last_event_at',
    unit: 'timestamp',
    meaning: 'Time of the latest event of any kind.',
    formula: 'latest timestamp of all events',
    value: ({ last_event_at }) => ({ value: last_event_at }),
  },
];

export const traitCatalogue: readonly Trait[] = [
  ...playerTraits,
  ...loginTraits,
  ...paymentTraits({ prefix: 'deposit', word: 'deposit', type: 'Credit' }),
  reported('reported_deposit_count', 'deposit_count', 'deposit'),
  ...paymentTraits({ prefix: 'withdrawal', word: 'withdrawal', type: 'Debit' }),
  reported('reported_withdrawal_count', 'withdraw_count', 'withdrawal'),
];
