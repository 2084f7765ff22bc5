import type { PlayerTruth } from '@croupier/sandbox';
import { expect, test } from 'vitest';
import { noFacts } from './facts.test-data.ts';
import { compare, type PlayerSeen } from './player-truth.ts';

const none = { count: 0, sum: '0', first_at: null, last_at: null };
const money = { amount: '500', currency: 'SEK', exchange_rate: '0.09', base_amount: '45', timestamp: 20 };

/** A player with one deposit in force, one that was rolled back, and one without an id. */
function told(): PlayerTruth {
  const deposit = { type: 'Credit', status: 'Approved', in_force: { ...money, fee_amount: null } } as const;
  return {
    ...noFacts(),
    user_id: 'u',
    registered_at: 1,
    logins: { count: 2, first_at: 2, last_at: 3, impersonated: 1, logouts: 1 },
    deposits: { count: 2, sum: '90', first_at: 20, last_at: 20 },
    withdrawals: none,
    payments: [
      { ...deposit, payment_id: '1' },
      { payment_id: '2', type: 'Credit', status: 'Rollback', in_force: null },
      { ...deposit, payment_id: null },
    ],
    sent: {},
  };
}

/**
 * The same player as the platform would show it, with other notations of amounts, and an orphan that is not part of the truth.
 */
function seen(): PlayerSeen {
  const { registered_at, logins, deposits, withdrawals } = told();
  const shown = { ...money, type: 'Credit', orphan: false } as const;
  return {
    registered_at,
    logins,
    withdrawals,
    facts: noFacts(),
    deposits: { ...deposits, sum: '90.00' },
    payments: [
      { ...shown, payment_id: '1', status: 'Approved', counted: true, base_amount: '45.0' },
      { ...shown, payment_id: '2', status: 'Rollback', counted: false },
      { ...shown, payment_id: null, status: 'Approved', counted: true },
      { ...shown, payment_id: null, status: 'Requested', counted: false },
      { ...shown, payment_id: '99', status: 'Rollback', counted: false, orphan: true },
    ],
  };
}

test('equal values in another notation are no difference', () => {
  expect(compare(told(), seen()).differences).toEqual([]);
});

test('without a registration event, the date of the details is expected', () => {
  const untold = { ...told(), registered_at: null };
  const shown = { ...seen(), registration_date: 2 };
  expect(compare(untold, { ...shown, registered_at: 2 }).differences).toEqual([]);
  expect(compare(untold, { ...shown, registered_at: null }).differences).toHaveLength(1);
});

const withPayment = (index: number, change: Partial<PlayerSeen['payments'][number]>) => (player: PlayerSeen) => ({
  ...player,
  payments: player.payments.map((payment, i) => (i === index ? { ...payment, ...change } : payment)),
});

test.each<[string, (player: PlayerSeen) => PlayerSeen, string]>([
  ['another registration', (p) => ({ ...p, registered_at: 2 }), 'registered_at'],
  [
    "the date of the details instead of the event's date",
    (p) => ({ ...p, registration_date: 2, registered_at: 2 }),
    'registered_at',
  ],
  ['one extra login', (p) => ({ ...p, logins: { ...p.logins, count: 3 } }), 'logins.count'],
  ['one missing logout', (p) => ({ ...p, logins: { ...p.logins, logouts: 0 } }), 'logins.logouts'],
  ['another sum', (p) => ({ ...p, deposits: { ...p.deposits, sum: '90.01' } }), 'deposits.sum'],
  ['another last deposit', (p) => ({ ...p, deposits: { ...p.deposits, last_at: 21 } }), 'deposits.last_at'],
  ['another status', withPayment(1, { status: 'Approved' }), 'payment Credit 2 status'],
  ['a payment that counts after its rollback', withPayment(1, { counted: true }), 'payment Credit 2 in force'],
  ['other money', withPayment(0, { amount: '500.01' }), 'payment Credit 1 in force'],
  ['another date', withPayment(0, { timestamp: 21 }), 'payment Credit 1 in force'],
  ['a payment that was never made', withPayment(4, { orphan: false }), 'payment Credit 99'],
  ['an orphan that counts', withPayment(4, { counted: true }), 'payment Credit 99 counted'],
  ['other money without an id', withPayment(2, { amount: '1' }), 'payments without an id'],
  ['a request without an id that counts', withPayment(3, { counted: true }), 'payments without an id'],
])('finds %s', (_what, spoil, words) => {
  const { differences } = compare(told(), spoil(seen()));
  expect(differences.map(({ what }) => what)).toEqual([expect.stringContaining(words)]);
});

test('a missing payment is found', () => {
  const { payments, ...rest } = seen();
  const { differences } = compare(told(), { ...rest, payments: payments.slice(1) });
  expect(differences).toContainEqual({ what: 'payment Credit 1 status', truth: 'Approved', platform: undefined });
});
