import { type EventKind, messages } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();

type Body = Record<string, unknown>;

/** The first sample of a kind, for a player and a time, with other fields. */
function body(kind: EventKind, user_id: string, fields: Body): Body & { user_id: string } {
  const sample = Object.values<Body>(messages[kind].samples)[0];
  return { ...sample, timestamp: '2026-05-01T11:00:00Z', ...fields, user_id };
}

interface Version {
  amount: string | null;
  summary: string;
  in_force: boolean;
}

/** The only entry of the list for a player. Each test creates just one. */
async function listed(list: 'conflicts' | 'orphans', kind: EventKind, user_id: string) {
  const { body } = await console.get(`/brands/malta/${list}?kind=${kind}`);
  const items = body.items.filter((item: { user_id: string }) => item.user_id === user_id);
  expect(items).toHaveLength(1);
  return items[0].fact as { type: string; key: Body; status: string; orphan: boolean; versions: Version[] };
}

interface Case {
  kind: EventKind;
  first: Body;
  second: Body;
  met: { type: string; key: Body; status: string };
  /** Amounts of the versions, with the one in force marked. */
  versions: string[];
}

const base = { vendor_id: '35', game_id: '8801', round_id: '55512' };
const cases: Case[] = [
  {
    kind: 'casino',
    first: { amount: 2 },
    second: { amount: 3, wager_amount: 3, bonus_wager_amount: 0, timestamp: '2026-05-01T11:00:05Z', round_id: '99' },
    met: { type: 'round', key: { ...base, activity_id: '987001', type: 'Bet' }, status: 'open' },
    versions: ['2 in force', '3'],
  },
  {
    kind: 'sports',
    first: { amount: 10, wager_amount: 10 },
    second: { amount: 11, wager_amount: 11, timestamp: '2026-05-01T10:59:00Z' },
    met: { type: 'bet', key: { bet_id: 'b-1001' }, status: 'open' },
    versions: ['11 in force', '10'],
  },
  {
    kind: 'lottery_purchase',
    first: { amount: 4 },
    second: { amount: 5, timestamp: '2026-05-01T11:01:00Z' },
    met: { type: 'purchase', key: { transaction_id: 't-90001' }, status: 'bought' },
    versions: ['4 in force', '5'],
  },
  {
    kind: 'lottery',
    first: { amount: 2.5 },
    second: { amount: 3.5, timestamp: '2026-05-01T11:01:00Z' },
    met: { type: 'ticket', key: { ticket_id: 'tk-2', lottery_id: '7', draw_id: '2026-18' }, status: 'open' },
    versions: ['2.5 in force', '3.5'],
  },
  {
    kind: 'cart',
    first: { amount: 4 },
    second: { amount: 6 },
    met: { type: 'cart', key: { cart_id: '33001', type: 'Checkout' }, status: 'Successful' },
    versions: [],
  },
  {
    kind: 'bonus',
    first: { amount: 100 },
    second: { amount: 120, status: 'forfeited' },
    met: { type: 'bonus', key: { user_bonus_id: '4451' }, status: 'Forfeited' },
    versions: [],
  },
];

test.each(cases)('a conflict of $kind shows both versions', async ({ kind, first, second, met, versions }) => {
  await console.publish(kind, body(kind, `by-${kind}`, first));
  await console.publish(kind, body(kind, `by-${kind}`, second));
  await console.derive();
  const fact = await listed('conflicts', kind, `by-${kind}`);
  expect(fact).toMatchObject({ ...met, orphan: false });
  expect(fact.versions.filter(({ in_force }) => in_force)).toHaveLength(1);
  expect(fact.versions).toHaveLength(2);
  // If the times are equal, the fingerprints decide the order. Such cases have no expected versions here.
  const told = fact.versions.map(({ amount, in_force }) => `${amount}${in_force ? ' in force' : ''}`);
  if (versions.length > 0) expect(told).toEqual(versions);
});

test('a conflict of game round messages: their amounts are in their summaries', async () => {
  await console.publish('gameround', body('gameround', 'rita', {}));
  await console.publish('gameround', body('gameround', 'rita', { real_win_user: 8, real_win_base: 8 }));
  await console.derive();
  const fact = await listed('conflicts', 'gameround', 'rita');
  expect(fact).toMatchObject({ type: 'round', key: base, status: 'closed' });
  expect(
    fact.versions.map(({ amount, summary }) => [amount, summary.includes('won 7.2') || summary.includes('won 8')]),
  ).toEqual([
    [null, true],
    [null, true],
  ]);
  expect(fact.versions.filter(({ in_force }) => in_force)).toHaveLength(1);
});

test('a conflict of balances shows the messages with the same time', async () => {
  const balance = (amount: number) => ({
    balances: [{ key: 'real_money', amount, currency: 'EUR', exchange_rate: 1 }],
  });
  await console.publish('balances', body('balances', 'bert', balance(5)));
  await console.publish('balances', body('balances', 'bert', balance(6)));
  await console.publish('balances', body('balances', 'bert', { ...balance(7), timestamp: '2026-05-01T10:00:00Z' }));
  await console.derive();
  const fact = await listed('conflicts', 'balances', 'bert');
  expect(fact).toMatchObject({ type: 'balance', key: { key: 'real_money' }, status: 'current' });
  expect(fact.versions.map(({ summary }) => summary).toSorted()).toEqual(['Real money 5 EUR', 'Real money 6 EUR']);
});

test.each<{ kind: EventKind; orphan: Body; counterpart: Body }>([
  { kind: 'casino', orphan: { status: 'Rollback', round_id: 'elsewhere' }, counterpart: {} },
  {
    kind: 'sports',
    orphan: { type: 'Settlement', activity_id: 'b-2', activity_id_reference: 'b-1001', bets: [] },
    counterpart: {},
  },
  { kind: 'lottery', orphan: { type: 'Settlement', draw_numbers: [1, 2] }, counterpart: {} },
])(
  'an orphan of $kind shows whether its counterpart has arrived since, and which it is',
  async ({ kind, orphan, counterpart }) => {
    await console.publish(kind, body(kind, `late-${kind}`, orphan));
    await console.derive();
    const before = await listed('orphans', kind, `late-${kind}`);
    expect(before).toMatchObject({ orphan: true, versions: [{ in_force: false }] });
    await console.publish(kind, body(kind, `late-${kind}`, { ...counterpart, timestamp: '2026-05-01T10:00:00Z' }));
    await console.derive();
    const after = await listed('orphans', kind, `late-${kind}`);
    expect(after.orphan).toBe(false);
    expect(after.versions).toHaveLength(2);
  },
);

test('if the same body is sent three times, only the first counts', async () => {
  const bet = body('casino', 'thrice', {});
  for (const each of [bet, bet, { ...bet, amount: 9, wager_amount: 9, bonus_wager_amount: 0 }, bet]) {
    await console.publish('casino', each);
  }
  await console.derive();
  const fact = await listed('conflicts', 'casino', 'thrice');
  expect(fact.versions).toHaveLength(4);
  expect(fact.versions.filter(({ in_force }) => in_force)).toHaveLength(1);
});

test("if a Rollback removes its round, its counterparts are the round's activities of its type", async () => {
  const byRound = await setupConsole({ rollback_by_round: true });
  await byRound.publish('casino', body('casino', 'ruth', { status: 'Rollback', activity_id: 'own-id' }));
  await byRound.derive();
  await byRound.publish('casino', body('casino', 'ruth', { timestamp: '2026-05-01T10:59:00Z' }));
  await byRound.derive();
  const { body: answer } = await byRound.get('/brands/malta/orphans');
  expect(answer.items[0].fact).toMatchObject({ type: 'round', status: 'void', orphan: false });
  expect(answer.items[0].fact.versions.map(({ summary }: Version) => summary.split(' ')[0])).toEqual([
    'Bet',
    'Rollback:',
  ]);
});

test('a payment without an id belongs to no fact that could be shown', async () => {
  await console.publish('payment', body('payment', 'nora', { payment_id: '', status: 'Rollback' }));
  await console.derive();
  const { body: answer } = await console.get('/brands/malta/orphans?kind=payment');
  expect(answer.items).toMatchObject([{ user_id: 'nora', verdict: 'orphan', fact: null }]);
});
