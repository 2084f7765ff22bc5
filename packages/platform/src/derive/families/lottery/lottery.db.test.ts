import { dayOf } from '@croupier/contracts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import type { PlainMoment } from '../../../../testing/derive/families/lottery/plain.ts';
import {
  type PurchaseBody,
  plainPurchases,
  purchaseHistory,
} from '../../../../testing/derive/families/lottery/plain-purchases.ts';
import {
  plainTickets,
  type TicketBody,
  ticketHistory,
} from '../../../../testing/derive/families/lottery/plain-tickets.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { plainFavorite } from '../../../../testing/derive/totals/plain-favorite.ts';
import { readLedgerEvent } from '../../read.ts';
import { differencesOf } from '../../rebuild/compare.ts';
import { Shadow } from '../../rebuild/shadow.ts';
import { stateHashes } from '../../state-hash.ts';
import { readFavorites } from '../../totals/index.ts';
import { listTickets, lotteryTotals } from './index.ts';

const stage = await setupStage({ brand: { time_zone: 'Europe/Malta' } });
const { pool, clock, ledger } = stage;
// All histories fall in the 24 hours before this time.
clock.set(Date.UTC(2026, 3, 30, 8) * 1000);
const shadow = await Shadow.open(pool, 1);
afterAll(() => shadow.close());

const isTicket = (body: PurchaseBody | TicketBody): body is TicketBody => 'draw_id' in body;

test('P3: in the database, any order and batching gives the totals of the plain implementation, and the state hashes of a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .tuple(purchaseHistory, ticketHistory)
        .map(([purchases, tickets]) => [...purchases, ...tickets])
        .chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      async ([bodies, batches]) => {
        const { brand } = await createBrand(pool, { time_zone: 'Europe/Malta' });
        for (const batch of batches) {
          const kindOf = (body: PurchaseBody | TicketBody) => (isTicket(body) ? 'lottery' : 'lottery_purchase');
          await stage.publish(...batch.map((body) => ({ kind: kindOf(body), body: { ...body }, brand }) as const));
          await stage.derive();
        }
        const purchases = plainPurchases(
          brand.brand_id,
          bodies.filter((body): body is PurchaseBody => !isTicket(body)),
        );
        const tickets = plainTickets(brand.brand_id, bodies.filter(isTicket));
        const ids: number[] = [];
        for (const user of new Set(bodies.map(({ user_id }) => user_id))) {
          const player_id = await stage.playerId(user, brand);
          ids.push(player_id);
          await expectTotals(player_id, [
            ...(purchases.get(user)?.moments ?? []),
            ...(tickets.get(user)?.moments ?? []),
          ]);
        }
        for await (const page of ledger.history({ brand_id: brand.brand_id })) {
          const events = page.flatMap((event) => {
            const reading = readLedgerEvent(event, brand);
            return reading.ok ? [reading.readable] : [];
          });
          expect(await shadow.apply(events, clock.now())).toEqual([]);
        }
        const live = await stateHashes(pool, ids, clock.now());
        expect(differencesOf(ids, live, await stateHashes(pool, ids, clock.now(), shadow.schema))).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

/** Compares lifetime and one day of each lottery, including extremes. */
async function expectTotals(player_id: number, moments: readonly PlainMoment[]): Promise<void> {
  const day = '2026-04-30';
  const ofDay = moments.filter(({ at }) => dayOf('Europe/Malta', at) === day);
  const total = await pool.query('select * from live.lottery_total where player_id = $1', [player_id]);
  const byDay = await pool.query('select * from live.lottery_day where player_id = $1 and day = $2', [player_id, day]);
  expect(present(total.rows)).toEqual(expected(moments, true));
  expect(present(byDay.rows)).toEqual(expected(ofDay, false));
  expect(await favorites(player_id)).toEqual([plainFavorite(moments.map(stakeOf)), plainFavorite(ofDay.map(stakeOf))]);
}

/** The favorite lottery, for the lifetime and for today. */
async function favorites(player_id: number): Promise<(string | undefined)[]> {
  const ties = ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum'];
  const ranking = { name: 'lottery', group: ['lottery_id'], most: 'bet_count', ties };
  const player = { player_id, time_zone: 'Europe/Malta' };
  const today = { unit: 'days', count: 1 } as const;
  const groups = await readFavorites(pool, lotteryTotals.spec, [ranking], player, clock.now(), [today]);
  return ['lottery lifetime', 'lottery today'].map((key) => groups.get(key)?.lottery_id);
}

function stakeOf({ lottery_id: group, counts, sums }: PlainMoment) {
  const { real_bet_sum = 0n, bonus_bet_sum = 0n } = sums;
  return { group, bets: counts.bet_count ?? 0, stake: real_bet_sum + bonus_bet_sum };
}

function present(rows: Record<string, unknown>[]) {
  return Object.fromEntries(
    rows.map(({ player_id: _, day: __, lottery_id, ...columns }) => [
      String(lottery_id),
      Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, String(value)])),
    ]),
  );
}

function expected(moments: readonly PlainMoment[], lifetime: boolean) {
  const says = moments.filter(
    ({ counts, sums }) => Object.values(counts).some((n) => n !== 0) || Object.values(sums).some((n) => n !== 0n),
  );
  return Object.fromEntries(
    [...Map.groupBy(says, ({ lottery_id }) => lottery_id)].map(([id, own]) => [id, totalOf(own, lifetime)]),
  );
}

function totalOf(moments: readonly PlainMoment[], lifetime: boolean): Record<string, string> {
  const sum = (of: (moment: PlainMoment) => bigint) => moments.reduce((total, moment) => total + of(moment), 0n);
  const counts = ['bet_count', 'win_count', 'ticket_count', 'line_count', 'winning_line_count'];
  const sums = ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum', 'real_win_sum', 'bonus_win_sum', 'locked_win_sum'];
  const columns: [string, string][] = [
    ...counts.map((name): [string, string] => [name, String(sum((m) => BigInt(m.counts[name] ?? 0)))]),
    ...[...sums, 'discount_sum'].map((name): [string, string] => [name, decimal(sum((m) => m.sums[name] ?? 0n))]),
  ];
  for (const what of ['bet', 'win']) {
    const own = moments.filter(({ biggest }) => biggest[what] !== undefined);
    const [biggest] = own.map((m) => m.biggest[what] ?? 0n).sort((a, b) => Number(b - a));
    columns.push([`${what}_biggest`, biggest === undefined ? 'null' : decimal(biggest)]);
    const times = own.map(({ at }) => at);
    if (!lifetime) continue;
    columns.push([`${what}_first_at`, times.length === 0 ? 'null' : String(Math.min(...times))]);
    columns.push([`${what}_last_at`, times.length === 0 ? 'null' : String(Math.max(...times))]);
  }
  return Object.fromEntries(columns);
}

/** Millionths as decimal text. */
function decimal(millionths: bigint): string {
  const text = String(millionths).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, '');
}

const ticketBody = (fields: Record<string, unknown> & { user_id: string }) => ({
  ticket_id: 't',
  lottery_id: '7',
  draw_id: 'd',
  draw_date: '2026-05-01T18:00:00Z',
  type: 'Bet',
  lines: [],
  amount: 10,
  currency: 'EUR',
  exchange_rate: 1,
  origin: 'www.example.com',
  draw_numbers: [1, 2],
  timestamp: '2026-04-30T06:00:00Z',
  ...fields,
});

const purchaseBody = (fields: Record<string, unknown> & { user_id: string }) => ({
  transaction_id: 'x',
  status: 'Approved',
  tickets: [],
  amount: 10,
  currency: 'EUR',
  exchange_rate: 1,
  origin: 'www.example.com',
  timestamp: '2026-04-30T06:00:00Z',
  ...fields,
});

const ticketEvent = (fields: Parameters<typeof ticketBody>[0]) => ({
  kind: 'lottery' as const,
  body: ticketBody(fields),
});
const purchaseEvent = (fields: Parameters<typeof purchaseBody>[0]) => {
  return { kind: 'lottery_purchase' as const, body: purchaseBody(fields) };
};

test('a biggest win that is settled again and a biggest bet that is rejected are replaced, in later batches', async () => {
  const user_id = 'big';
  const settled = (line_id: number, amount: number, second: number) =>
    ticketEvent({
      user_id,
      type: 'Settlement',
      amount,
      timestamp: `2026-04-30T06:10:0${second}Z`,
      lines: [{ line_id, is_winning_line: true }],
    });
  const lines = [{ line_id: 1 }, { line_id: 2 }];
  await stage.publish(ticketEvent({ user_id, lines }), settled(1, 50, 0), settled(2, 20, 1));
  await stage.publish(purchaseEvent({ user_id, amount: 99, tickets: [{ ticket_id: 'p', product_name: '7' }] }));
  await stage.derive();
  const player_id = await stage.playerId(user_id);
  const biggest = async () => {
    const { rows } = await pool.query(
      'select bet_biggest, win_biggest, winning_line_count from live.lottery_total where player_id = $1',
      [player_id],
    );
    return rows;
  };
  expect(await biggest()).toEqual([{ bet_biggest: '99', win_biggest: '50', winning_line_count: 2 }]);
  await stage.publish(settled(1, 0, 2), purchaseEvent({ user_id, amount: 99, status: 'Rejected' }));
  await stage.derive();
  expect(await biggest()).toEqual([{ bet_biggest: '10', win_biggest: '20', winning_line_count: 2 }]);
});

test('malformed and contradictory events do not stop a batch: what can be applied is applied', async () => {
  const user_id = 'odd';
  const many = Array.from({ length: 5_000 }, (_, i) => ({ line_id: i, numbers: [i], is_winning_line: true }));
  const tickets = Array.from({ length: 3_000 }, (_, i) => ({
    ticket_id: `v1-${i % 7}`,
    lines_count: 9e15,
    amount: 0.01,
  }));
  await stage.publish(
    ticketEvent({ user_id, ticket_id: 'alone', type: 'Settlement', lines: [{ line_id: 1 }, { line_id: 1 }] }),
    ticketEvent({ user_id, ticket_id: 'many', lines: many }),
    ticketEvent({ user_id, ticket_id: 'many', lines: many, type: 'Settlement', amount: '999999999999999999.99' }),
    ticketEvent({ user_id, ticket_id: 'many', lines: many.slice(7), type: 'Settlement', amount: 1 }),
    ticketEvent({ user_id, ticket_id: 'empty', lines: [] }),
    purchaseEvent({ user_id, transaction_id: 'none', tickets: [] }),
    purchaseEvent({ user_id, transaction_id: 'many', tickets, status: 'constructor' }),
    purchaseEvent({ user_id, transaction_id: 'many', tickets, amount: 1 }),
  );
  await stage.derive();
  expect((await pool.query('select 1 from parked_event')).rows).toEqual([]);
  const player_id = await stage.playerId(user_id);
  const states = (await listTickets(pool, player_id, {}, 10_000)).map(
    ({ ticket_id, state }) => `${ticket_id} ${state}`,
  );
  expect(states.length).toBe(3_004);
  expect(states.filter((state) => !state.startsWith('v1-')).sort()).toEqual([
    'alone orphan',
    'empty open',
    'many settled',
    'null bought',
  ]);
  const { rows } = await pool.query(
    'select sum(line_count)::int as lines from live.lottery_total where player_id = $1',
    [player_id],
  );
  expect(rows).toEqual([{ lines: 3_000 * 10_000 + 5_000 }]);
});

test('tickets of both versions are listed newest first, page by page, with filters', async () => {
  const user_id = 'list';
  const at = (hour: number) => ({ user_id, timestamp: `2026-04-30T0${hour}:00:00Z` });
  const draws = [{ timestamp: '2026-05-01T20:00:00+02:00' }];
  await stage.publish(
    purchaseEvent({
      ...at(1),
      bonus_amount: 4,
      deposit_amount: 3,
      meta: { shop: 1 },
      tickets: [
        { ticket_id: 'v1-1', product: 'Single', product_name: 'Lotto', amount: 7, lines_count: 2, draws },
        { ticket_id: 'v1-2', product_name: 'Euro', amount: 3 },
      ],
    }),
    ticketEvent({
      ...at(2),
      ticket_id: 'v2-1',
      lottery_name: 'Seven',
      lines: [{ line_id: 1, numbers: [4] }],
      discount_amount: 1,
    }),
    ticketEvent({
      ...at(3),
      ticket_id: 'v2-1',
      type: 'Settlement',
      amount: 5,
      lines: [{ line_id: 1, is_winning_line: true }],
    }),
    ticketEvent({ ...at(4), ticket_id: 'v2-2', lottery_id: '649', draw_id: 'e', type: 'Settlement' }),
    ticketEvent({ ...at(5), ticket_id: 'v2-3', amount: 1 }),
    ticketEvent({ ...at(6), ticket_id: 'v2-3', amount: 2 }),
  );
  await stage.derive();
  const player_id = await stage.playerId(user_id);
  const ids = async (filter: Parameters<typeof listTickets>[2]) =>
    (await listTickets(pool, player_id, filter, 10)).map(({ ticket_id }) => ticket_id);
  expect(await ids({})).toEqual(['v2-3', 'v2-2', 'v2-1', 'v1-1', 'v1-2']);
  expect(await ids({ version: 1 })).toEqual(['v1-1', 'v1-2']);
  expect(await ids({ lottery_id: 'Euro' })).toEqual(['v1-2']);
  expect(await ids({ draw: 'e' })).toEqual(['v2-2']);
  expect(await ids({ draw: '2026-05-01T18:00:00.000000Z' })).toEqual(['v1-1']);
  expect(await ids({ state: 'settled' })).toEqual(['v2-1']);
  expect(await ids({ orphan: true })).toEqual(['v2-2']);
  expect(await ids({ conflicting: true })).toEqual(['v2-3']);
  expect(await ids({ from: Date.UTC(2026, 3, 30, 2) * 1000, to: Date.UTC(2026, 3, 30, 4) * 1000 })).toEqual([
    'v2-2',
    'v2-1',
  ]);
  const pages: (string | null)[] = [];
  for (let before: string | undefined; ; ) {
    const [ticket] = await listTickets(pool, player_id, {}, 1, before);
    if (ticket === undefined) break;
    pages.push(ticket.ticket_id);
    before = ticket.token;
  }
  expect(pages).toEqual(['v2-3', 'v2-2', 'v2-1', 'v1-1', 'v1-2']);
  const all = await listTickets(pool, player_id, {}, 10);
  expect(all[2]).toMatchObject({
    version: 2,
    lottery_name: 'Seven',
    base_amount: '10',
    base_discount: '1',
    base_payout: '5',
    lines: [{ line_id: '1', numbers: [4], bought: true, settled: true, is_winning_line: true }],
    settlements: [{ amount: '5', in_force: true, draw_numbers: [1, 2] }],
  });
  expect(all[3]).toMatchObject({
    version: 1,
    transaction_id: 'x',
    lottery_id: 'Lotto',
    amount: '7',
    purchase_amount: '10',
    base_amount: '7',
    base_bonus: '4',
    line_count: 2,
    draws: [Date.UTC(2026, 4, 1, 18) * 1000],
    meta: { shop: 1 },
  });
  await expect(listTickets(pool, player_id, {}, 3, 'page-2')).rejects.toThrow(RangeError);
});
