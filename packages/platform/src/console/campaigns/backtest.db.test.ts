import { afterAll, beforeAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { dropScratch } from '../../../testing/scenarios/scratch.ts';
import { CampaignLane } from '../../campaigns/index.ts';
import { timestamptzText } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';
import { BacktestRunner } from '../../scenarios/index.ts';
import { PlatformRules } from '../../segments/membership/index.ts';

const console = await setupConsole();
const { pool, brand, brands, clock, ledger, links, signals } = console;
afterAll(() => dropScratch(console.url));
const owned = new Map(Array.from({ length: 64 }, (_, bucket) => [bucket, { fence: 0, cursor: ledger.beginning }]));
const rules = new PlatformRules({ pool });
const stages = { pool, brands, rules, clock: clock.now, log: testLog };
const gate = new Gate({ clock: clock.now, brands });
const lane = new CampaignLane({ ...stages, links, signals, gate, leases: { owned: () => owned } });
const backtests = new BacktestRunner({ ...stages, ledger, scenarios: console.scenarios });
const path = '/brands/malta/campaigns';
const day = 86_400_000_000;
const campaign = {
  code: 'paid',
  name: 'Paid',
  entry: { event: 'payment' },
  reentry: { times: 'unlimited' },
  steps: [
    { id: 'hello', send: { channel: 'site', template: 'hello' } },
    { id: 'gift', credit_funds: { bonus_code: 'GIFT', amount: '2.25', currency: 'EUR' } },
  ],
};
const days = 16;
/** How many players pay on a day: three on every seventh day, otherwise one. */
const paying = (number: number) => (number % 7 === 0 ? 3 : 1);
const names = ['ann', 'bob', 'cat'];

beforeAll(async () => {
  const template = { code: 'hello', name: 'Hello', channel: 'site', content: { en: { title: 'Hello' } } };
  await console.call('POST', '/brands/malta/templates', { body: template });
  const ids = await Promise.all(names.map((name) => insertPlayer(pool, brand.brand_id, name)));
  await makeKnown(pool, brand.brand_id, ids, timestamptzText(clock.now()));
  // Cat does not permit messages.
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select id, 'sitenotification', 'SiteNotification', 'SiteNotification', id <> $2, 'look_up', $3 from unnest($1::bigint[]) id`,
    [ids, ids[2], timestamptzText(clock.now())],
  );
  expect((await console.call('POST', path, { body: campaign })).status).toBe(201);
  expect((await console.call('POST', `${path}/paid/publish`)).status).toBe(200);
  for (let number = 0; number < days; number++, clock.advance(day)) {
    const timestamp = timestamptzText(clock.now()).replace(' ', 'T');
    await pool.query('update player_sync set done = requested, as_of = $1, due_at = null', [timestamp]);
    for (const user_id of names.slice(0, paying(number)))
      await console.publish(
        'payment',
        paymentBody({ user_id, payment_id: `${user_id} ${number}`, timestamp }) as never,
      );
    await console.derive();
    while ((await lane.runOnce()).more);
  }
});

let id = 0;

test('a backtest is requested, carried out and listed, and reports by day what the live campaign did', async () => {
  const asked = await console.call('POST', `${path}/paid/backtest`, { body: { days: 15 } });
  expect([asked.status, asked.body.state, asked.body.progress, asked.body.candidates]).toEqual([
    202,
    'queued',
    0,
    null,
  ]);
  id = asked.body.backtest_id;
  await backtests.runOnce();
  const { body } = await console.get(`${path}/paid/backtests/${id}`);
  expect(body).toMatchObject({ state: 'done', progress: 1, share: 1, candidates: 3, tried: 3, skipped: 0, version: 1 });
  expect(body.days[0].day).toBe('2026-05-02');
  const live = await console.get(`${path}/paid/results/days?from=2026-05-02&to=2026-05-17`);
  const byDay = new Map(live.body.days.map((one: { day: string }) => [one.day, one]));
  for (const { day: of, counts } of body.days) {
    const { entered = 0, withheld = 0, sent = 0 } = (byDay.get(of) ?? {}) as Record<string, number>;
    expect({ of, entered: counts.entered, withheld: counts.withheld, sent: counts.sent }).toEqual({
      of,
      entered,
      withheld,
      sent,
    });
  }
  expect(body.totals).toMatchObject({ entered: 19, sent: 17, withheld: 2, credited: 19 });
  expect(body.withheld).toEqual({ no_consent: 2 });
  expect(body.credited_sums).toEqual({ EUR: '42.75' });
  expect(body).toMatchObject({ cost: '42.75', unknown_cost: 0 });
  expect(body.steps).toContainEqual({
    step: 'hello',
    what: 'send',
    outcome: 'withheld',
    reason: 'no_consent',
    variant: null,
    count: 2,
  });
  const { days: _days, steps: _steps, ...listed } = body;
  expect((await console.get(`${path}/paid/backtests`)).body).toEqual({ items: [listed], next: null });
});

test('the rows behind the counts of a backtest are listed page by page', async () => {
  const rows = `${path}/paid/backtests/${id}/players`;
  const { body } = await console.get(`${rows}?outcome=withheld&limit=1`);
  expect(body.items).toMatchObject([{ user_id: 'cat', step: 'hello', what: 'send', reason: 'no_consent' }]);
  const second = await console.get(`${rows}?outcome=withheld&limit=1&cursor=${body.next}`);
  expect(second.body).toMatchObject({ items: [{ user_id: 'cat' }], next: null });
  const credited = await console.get(`${rows}?outcome=credited&day=2026-05-03`);
  expect(credited.body.items).toMatchObject([{ user_id: 'ann', step: 'gift', amount: '2.25', currency: 'EUR' }]);
});

test('a forecast uses the runs of a campaign that was live for two weeks', async () => {
  const { status, body } = await console.call('POST', `${path}/paid/forecast`, { body: { days: 7 } });
  expect(status).toBe(200);
  expect(body).toMatchObject({ source: 'runs', backtest_id: null, from: '2026-05-02', until: '2026-05-16' });
  expect(body.days).toHaveLength(7);
  expect(body.days[0]).toMatchObject({ day: '2026-05-18', weekday: 1 });
  const { entered, sent, credited } = body.total;
  expect(entered.low).toBeLessThanOrEqual(entered.expected);
  expect(entered.high).toBeGreaterThanOrEqual(entered.expected);
  // There are nine entries in a week, and eight messages.
  expect(entered.expected).toBeCloseTo(9, 0);
  expect(sent.expected).toBeCloseTo(8, 0);
  // No bonus was credited in this test, because operator calls are not made here.
  expect(credited.expected).toBe(0);
});

const proposed = async (document: object, propose_limits = true) =>
  (await console.call('POST', `${path}/check`, { body: { campaign: document, propose_limits } })).body.proposed_limits;

test('a check proposes a limit of entries from the runs, also if only the limits of the document changed', async () => {
  const limits = { entered_per_day: 50, source: 'runs', from: '2026-05-02', until: '2026-05-16' };
  expect(await proposed(campaign)).toMatchObject(limits);
  expect(await proposed({ ...campaign, halt: { entered_per_day: 7 } })).toMatchObject(limits);
  expect(await proposed(campaign, false)).toBeNull();
  expect(await proposed({ ...campaign, steps: campaign.steps.slice(0, 1) })).toBeNull();
  expect(await proposed({ ...campaign, code: 'not_stored' })).toBeNull();
  expect(await proposed({ ...campaign, steps: [] })).toBeNull();
  // Past runs of a part of the players would give a limit that halts the campaign when all may enter.
  const ramp = (share: number) => console.call('POST', `${path}/paid/ramp`, { body: { share } });
  expect((await ramp(50)).status).toBe(200);
  expect(await proposed(campaign)).toBeNull();
  await ramp(100);
});

test('a forecast for a draft uses a backtest of that draft, and is refused if there is none', async () => {
  const draft = { ...campaign, steps: campaign.steps.slice(0, 1) };
  expect((await console.call('PUT', `${path}/paid`, { body: draft })).status).toBe(200);
  const none = await console.call('POST', `${path}/paid/forecast`, { body: {} });
  expect([none.status, none.body.detail]).toEqual([409, expect.stringContaining('run one first')]);
  const asked = await console.call('POST', `${path}/paid/backtest`, { body: { days: 15 } });
  await backtests.runOnce();
  const { body } = await console.call('POST', `${path}/paid/forecast`, { body: {} });
  expect(body).toMatchObject({
    source: 'backtest',
    backtest_id: asked.body.backtest_id,
    total: { credited: { expected: 0 } },
  });
  expect(body.method).toContain('15 days');
  expect(await proposed(draft)).toMatchObject({ entered_per_day: 50, source: 'backtest' });
  // A limit does not change the runs, so the backtest still applies after it is set.
  const limited = { ...draft, halt: { entered_per_day: 50 } };
  expect((await console.call('PUT', `${path}/paid`, { body: limited })).status).toBe(200);
  expect((await console.call('POST', `${path}/paid/forecast`, { body: {} })).status).toBe(200);
});

test('past days do not predict a date on which all players enter: the forecast is refused, with the date and the players', async () => {
  const once = { ...campaign, code: 'once', entry: { schedule: { at: '2026-05-20T18:00' } } };
  expect((await console.call('POST', path, { body: once })).status).toBe(201);
  const refused = { status: 409, body: { errors: [{ path: '/entry/schedule' }] } };
  const before = await console.call('POST', `${path}/once/forecast`, { body: {} });
  expect(before).toMatchObject(refused);
  await console.call('POST', `${path}/once/backtest`, { body: { days: 9 } });
  await backtests.runOnce();
  const after = await console.call('POST', `${path}/once/forecast`, { body: {} });
  expect(after).toMatchObject(refused);
  expect(after.body.detail).toContain('It starts on 2026-05-20, each time with at most the 3 players of the brand');
  // The days of the forecast end before the date.
  const earlier = await console.call('POST', `${path}/once/forecast`, { body: { days: 2 } });
  expect([earlier.status, earlier.body.total?.entered.expected]).toEqual([200, 0]);
  expect(await proposed(once)).toBeNull();
});

test('a waiting backtest can be cancelled; at most three are open; a campaign that players enter by calls is refused', async () => {
  const asked = [];
  for (let number = 0; number < 3; number++)
    asked.push(await console.call('POST', `${path}/paid/backtest`, { body: {} }));
  expect((await console.call('POST', `${path}/paid/backtest`, { body: {} })).status).toBe(409);
  for (const { body } of asked) {
    const cancelled = await console.call('POST', `${path}/paid/backtests/${body.backtest_id}/cancel`);
    expect([cancelled.status, cancelled.body.state]).toEqual([200, 'cancelled']);
  }
  expect((await console.call('POST', `${path}/paid/backtests/${asked[0]?.body.backtest_id}/cancel`)).status).toBe(409);
  expect((await console.get(`${path}/paid/backtests/999`)).status).toBe(404);
  await console.call('POST', path, { body: { ...campaign, code: 'calls', entry: { api: true } } });
  expect((await console.call('POST', `${path}/calls/backtest`, { body: {} })).status).toBe(409);
});
