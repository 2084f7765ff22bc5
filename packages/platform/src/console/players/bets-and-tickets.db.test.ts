import { beforeAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const ann = '/brands/malta/players/ann';
const money = { user_id: 'ann', currency: 'EUR', exchange_rate: 1, origin: 'x' };

beforeAll(async () => {
  const selection = { event_name: 'A - B', odds: 2.5, match_start: '2026-05-01T20:00:00+02:00', is_live: true };
  const bet = { ...money, type: 'Bet', bet_type: 'Combo', bets: [], amount: 10 };
  await console.publish('sports', {
    ...bet,
    activity_id: 'b1',
    timestamp: '2026-05-01T10:00:00Z',
    meta: { slip: 'x' },
    bets: [selection, { ...selection, odds: 2, match_start: 'tomorrow', is_live: false }],
  });
  await console.publish('sports', {
    ...bet,
    activity_id: 's1',
    activity_id_reference: 'b1',
    type: 'Settlement',
    amount: 50,
    timestamp: '2026-05-01T10:30:00Z',
  });
  await console.publish('sports', { ...bet, activity_id: 'b2', timestamp: '2026-05-01T11:00:00Z' });
  const ticket = { ...money, ticket_id: 't', lottery_id: '7', draw_id: 'd', draw_date: '2026-05-02T18:00:00Z' };
  await console.publish('lottery', {
    ...ticket,
    type: 'Bet',
    amount: 2,
    lines: [{ line_id: 1, numbers: [3, 4] }],
    timestamp: '2026-05-01T10:00:00Z',
    meta: { week: 18 },
  });
  await console.publish('lottery', {
    ...ticket,
    type: 'Settlement',
    amount: 9,
    timestamp: '2026-05-01T11:00:00Z',
    draw_numbers: [3, 5],
    lines: [{ line_id: 1, matched_numbers: [3], is_winning_line: true }],
  });
  await console.publish('lottery_purchase', {
    ...money,
    transaction_id: 'x',
    status: 'Approved',
    amount: 4,
    timestamp: '2026-05-01T09:00:00Z',
    tickets: [
      { ticket_id: 'v1', product_name: 'Lotto', lines_count: 2, draws: [{ timestamp: '2026-05-03T18:00:00Z' }] },
    ],
  });
  await console.derive();
});

test('bets are shown with selections, money and settlements; an unreadable match_start is shown as text', async () => {
  const { status, body } = await console.get(`${ann}/bets`);
  expect(status).toBe(200);
  expect(body.items.map((item: { bet_id: string }) => item.bet_id)).toEqual(['b2', 'b1']);
  expect(body.items[1]).toMatchObject({
    status: 'settled',
    timestamp: '2026-05-01T10:00:00.000000Z',
    settled_at: '2026-05-01T10:30:00.000000Z',
    bet_type: 'Combo',
    odds: '5',
    live: true,
    free: false,
    real: '10',
    bonus: '0',
    meta: { slip: 'x' },
    base_amount: '10',
    base_payout: '50',
    base_result: '40',
    settlement_count: 1,
    conflicts: 0,
    orphans: 0,
    selections: [
      { event_name: 'A - B', odds: '2.5', match_start: '2026-05-01T18:00:00.000000Z', match_start_text: null },
      { odds: '2', match_start: null, match_start_text: 'tomorrow' },
    ],
    activities: [
      { activity_id: 'b1', type: 'Bet', in_force: true, timestamp: '2026-05-01T10:00:00.000000Z' },
      { activity_id: 's1', type: 'Settlement', amount: '50' },
    ],
  });
});

test('bets are filtered and paged', async () => {
  const ids = async (query: string) =>
    (await console.get(`${ann}/bets?${query}`)).body.items.map((item: { bet_id: string }) => item.bet_id);
  expect(await ids('status=open')).toEqual(['b2']);
  expect(await ids('live=true')).toEqual(['b1']);
  expect(await ids('orphan=true')).toEqual([]);
  expect(await ids('from=2026-05-01T10:30:00Z')).toEqual(['b2']);
  const first = (await console.get(`${ann}/bets?limit=1`)).body;
  const second = (await console.get(`${ann}/bets?limit=1&cursor=${first.next}`)).body;
  expect([first.items[0].bet_id, second.items[0].bet_id, second.next]).toEqual(['b2', 'b1', null]);
  expect((await console.get(`${ann}/bets?status=won`)).status).toBe(400);
});

test('tickets of both versions are in one list, with lines and draws', async () => {
  const { status, body } = await console.get(`${ann}/tickets`);
  expect(status).toBe(200);
  expect(body.items).toMatchObject([
    {
      version: 2,
      status: 'settled',
      ticket_id: 't',
      lottery_id: '7',
      draw_id: 'd',
      base_payout: '9',
      draws: ['2026-05-02T18:00:00.000000Z'],
      meta: { week: 18 },
      winning_line_count: 1,
      lines: [
        { line_id: '1', numbers: [3, 4], matched_numbers: [3], is_winning_line: true, bought: true, settled: true },
      ],
      settlements: [{ amount: '9', draw_numbers: [3, 5], in_force: true, timestamp: '2026-05-01T11:00:00.000000Z' }],
    },
    {
      version: 1,
      status: 'bought',
      ticket_id: 'v1',
      transaction_id: 'x',
      lottery_id: 'Lotto',
      line_count: 2,
      purchase_amount: '4',
    },
  ]);
  const ids = async (query: string) =>
    (await console.get(`${ann}/tickets?${query}`)).body.items.map((item: { ticket_id: string }) => item.ticket_id);
  expect(await ids('version=1')).toEqual(['v1']);
  expect(await ids('lottery=7&draw=d&status=settled')).toEqual(['t']);
  expect(await ids('to=2026-05-01T09:30:00Z')).toEqual(['v1']);
  const first = (await console.get(`${ann}/tickets?limit=1`)).body;
  const second = (await console.get(`${ann}/tickets?limit=1&cursor=${first.next}`)).body;
  expect([first.items[0].ticket_id, second.items[0].ticket_id, second.next]).toEqual(['t', 'v1', null]);
});

test('the draws of a brand are listed', async () => {
  const { status, body } = await console.get('/brands/malta/draws');
  expect(status).toBe(200);
  expect(body.items).toMatchObject([
    { version: 1, lottery_id: 'Lotto', draw_id: '2026-05-03T18:00:00.000000Z', numbers: null },
    { version: 2, lottery_id: '7', draw_id: 'd', draw_date: '2026-05-02T18:00:00.000000Z', numbers: [3, 5] },
  ]);
  const draws = async (query: string) => (await console.get(`/brands/malta/draws?${query}`)).body;
  expect((await draws('lottery=7')).items).toHaveLength(1);
  expect((await draws('version=1&from=2026-05-04T00:00:00Z')).items).toEqual([]);
  const first = await draws('limit=1');
  const second = await draws(`limit=1&cursor=${first.next}`);
  expect([first.items[0].lottery_id, second.items[0].lottery_id, second.next]).toEqual(['Lotto', '7', null]);
});

test('free objects are masked, because they may contain personal data', async () => {
  const viewer = await console.as('viewer');
  const [, bet] = (await console.get(`${ann}/bets`, viewer)).body.items;
  const [ticket] = (await console.get(`${ann}/tickets`, viewer)).body.items;
  expect([bet.meta, ticket.meta]).toEqual([{ slip: '***' }, { week: '***' }]);
});
