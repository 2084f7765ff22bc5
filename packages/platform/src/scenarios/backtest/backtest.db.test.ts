import { setTimeout as delay } from 'node:timers/promises';
import { armOf, type Campaign, isHeldOut, type Step } from '@croupier/campaigns';
import type { EventKind, Micros } from '@croupier/contracts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { setupScratch } from '../../../testing/scenarios/scratch.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { setPlayer } from '../player.ts';
import { scratchUrl } from '../scratch-database.ts';
import type { TimelineEntry } from '../timeline.ts';
import { TimelineReader } from '../timeline-reader.ts';
import { listBacktestEntries, progressOf, readBacktestDays, shareTried } from './reading.ts';
import { BacktestRunner } from './runner.ts';
import { endBacktest, insertBacktest, readBacktests } from './store.ts';

/*
 * Three days of seeded random events with an active campaign: a later backtest over the same events must report what the
 * campaign did.
 */
const heldOutPercent = 15;
const live = await setupCampaigns({
  brand: {
    quiet_hours: { from: '22:00', to: '08:00' },
    frequency_caps: [{ channel: 'site', times: 2, within: 'P1D' }],
    holdout: { percent: heldOutPercent },
  },
});
const { pool, brand, brands, ledger, clock, rules } = live;
const scenarios = setupScratch(live.url);
// Replays days of many players, one by one.
vi.setConfig({ testTimeout: 300_000 });
const hour = 3_600_000_000;
const from = clock.now();
const until = from + 72 * hour;
const players = 16;
/**
 * The brand's code decides which players are in its control group, and the code is random. A player's name decides the
 * player's arm of the test. So the names are chosen such that two players are in the control group of the brand, and four in
 * that of the test.
 */
const heldOut = new Set([2, 11]);
const inControl = new Set([1, 6, 9, 12]);
const arms: Extract<Step, { split: unknown }>['split'] = [
  { name: 'control', share: 30, control: true },
  { name: 'a', share: 70, steps: [{ id: 'again', send: { channel: 'site', template: 'hello' } }] },
];
const names = Array.from({ length: players }, (_, n) => {
  for (let attempt = 0; ; attempt++) {
    const name = `p${n}-${attempt}`;
    const isControl = armOf(arms, `again ${name} test`)?.name === 'control';
    if (isHeldOut(`${brand.code} ${name}`, heldOutPercent) === heldOut.has(n) && isControl === inControl.has(n))
      return name;
  }
});
const nameOf = (n: number) => names[n] ?? '';
const campaign: Campaign = {
  code: 'again',
  name: 'Again',
  entry: {
    event: 'payment',
    where: {
      combinator: 'and',
      rules: [
        { field: 'status', operator: '=', value: 'Approved' },
        { field: 'amount', operator: '>=', value: '20' },
      ],
    },
  },
  audience: { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 2 }] },
  reentry: { after: 'PT12H' },
  goal: {
    event: 'payment',
    where: { combinator: 'and', rules: [{ field: 'amount', operator: '>=', value: '190' }] },
  },
  steps: [
    { id: 'hello', send: { channel: 'site', template: 'hello' } },
    { id: 'pause', wait: { for: 'PT2H' } },
    {
      id: 'who',
      branch: [
        {
          when: { combinator: 'and', rules: [{ field: 'trait.deposit_sum_24h', operator: '>=', value: '150' }] },
          steps: [{ id: 'gift', credit_funds: { bonus_code: 'GIFT', amount: '10.50', currency: 'EUR' } }],
        },
        { otherwise: [{ id: 'small', tag: 'small' }] },
      ],
    },
    { id: 'login', wait: { event: 'login', timeout: 'PT9H' } },
    {
      id: 'test',
      split: arms,
    },
  ],
};

/** A small generator, so that the events are the same each time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Happening {
  at: Micros;
  kind: EventKind;
  body: Record<string, unknown> & { user_id: string };
}

function happenings(): Happening[] {
  const next = random(12);
  const all: Happening[] = [];
  for (let count = 0; count < 140; count++) {
    // Some events happened before the campaign was published.
    const at = from + Math.floor(next() * 96 - 24) * hour;
    const user_id = nameOf(Math.floor(next() * players));
    const timestamp = timestamptzText(at).replace(' ', 'T');
    const of = next();
    const status = of < 0.1 ? 'Rejected' : 'Approved';
    const body = { user_id, timestamp, payment_id: `n${count}`, amount: Math.ceil(next() * 200), status };
    if (of < 0.7) all.push({ at, kind: 'payment', body: paymentBody(body) as Happening['body'] });
    else all.push({ at, kind: 'login', body: { user_id, timestamp } });
    // Some payments are rolled back an hour later.
    if (of > 0.1 && of < 0.2)
      all.push({
        at: at + hour,
        kind: 'payment',
        body: paymentBody({ ...body, status: 'Rollback' }) as Happening['body'],
      });
  }
  return all.toSorted((a, b) => a.at - b.at);
}

const ids = new Map<string, number>();
const did = new Map<string, TimelineEntry[]>();

beforeAll(async () => {
  await live.siteTemplate('hello', 'Hello {{ event.amount }}');
  for (const name of names) ids.set(name, await live.reader(name));
  const idOf = (name: string) => ids.get(name) ?? 0;
  for (const name of [nameOf(3), nameOf(4)])
    await setPlayer(pool, brand, idOf(name), { consents: { SiteNotification: false } }, from);
  await setPlayer(pool, brand, idOf(nameOf(5)), { excluded: true }, from);
  const events = happenings();
  let place = 0;
  for (let at = from - 24 * hour; at <= until; at += hour) {
    clock.set(at);
    if (at === from) await live.campaign(campaign);
    for (; (events[place]?.at ?? Number.POSITIVE_INFINITY) <= at; place++) {
      const { kind, body } = events[place] as Happening;
      await live.publish({ kind, body });
    }
    await pool.query('update player_sync set done = requested, as_of = $1, due_at = null', [timestamptzText(at)]);
    await live.derive();
    await live.follow();
  }
  for (const [name, playerId] of ids)
    did.set(name, await new TimelineReader({ pool, playerId }).next(until, brand.brand_id));
}, 300_000);

const runner = () => new BacktestRunner({ pool, ledger, brands, rules, scenarios, clock: clock.now, log: testLog });

async function ask(most_players = 1_000): Promise<number> {
  const { rows } = await pool.query<{ campaign_id: number }>('select campaign_id from campaign');
  const campaign_id = rows[0]?.campaign_id ?? 0;
  const { brand_id } = brand;
  const asked = { campaign_id, brand_id, version: 1, document: campaign, from_at: from, until_at: until, most_players };
  return transaction(pool, (tx) => insertBacktest(tx, asked, { at: clock.now(), actor: 'a test' }));
}

async function find(backtest_id: number) {
  const { rows } = await pool.query<{ campaign_id: number }>('select campaign_id from campaign');
  const [found] = await readBacktests(pool, { campaign_id: rows[0]?.campaign_id ?? 0, backtest_id });
  if (found === undefined) throw new Error('the backtest is gone');
  return found;
}

/** The backtest that the first test creates. */
let first = 0;
const all = { outcome: undefined, zone: brand.settings.time_zone };
const range = { after: { player_id: 0, number: 0 }, limit: 10_000 };

/** Removes fields that only one of the two has, and sorts. */
function comparable(entries: readonly Partial<TimelineEntry>[]) {
  const rows = entries.map(({ at, step, what, outcome, reason, variant, channel, bonus_code }) =>
    JSON.stringify({ at, step, what, outcome, reason, variant, channel, bonus_code }),
  );
  return rows.toSorted();
}

test('a backtest reports for each player what the live campaign did: entries, steps, messages, credits, and what was withheld', async () => {
  first = await ask();
  await runner().runOnce();
  const backtest = await find(first);
  expect(backtest).toMatchObject({ state: 'done', reason: null, skipped: 0 });
  expect([shareTried(backtest), progressOf(backtest)]).toEqual([1, 1]);
  const entries = Map.groupBy(await listBacktestEntries(pool, backtest, all, range), ({ user_id }) => user_id ?? '');
  const outcomes = new Set<string>();
  for (const [name, entered] of did) {
    expect(comparable((entries.get(name) ?? []) as Partial<TimelineEntry>[]), name).toEqual(comparable(entered));
    for (const { outcome, reason } of entered) outcomes.add(`${outcome} ${reason ?? ''}`.trim());
  }
  // The seeded events produce all of these outcomes.
  expect([...outcomes]).toEqual(
    expect.arrayContaining([
      'entered',
      'sent',
      'credited',
      'tagged',
      'control',
      'goal_reached',
      'went_on timeout',
      'held quiet_hours',
      'withheld frequency_cap',
      'withheld no_consent',
      'withheld holdout',
      'exited cause_withdrawn',
    ]),
  );
});

test('the days add up, with sums and reasons', async () => {
  const { days, total } = await readBacktestDays(pool, await find(first), brand.settings.time_zone, {
    base_currency: 'EUR',
    values: new Map(),
  });
  expect(days.map(({ day }) => day)).toEqual(['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04']);
  const entered = [...did.values()].flat();
  const count = (...outcomes: string[]) => entered.filter(({ outcome }) => outcomes.includes(outcome)).length;
  expect(total.counts).toMatchObject({
    entered: count('entered'),
    sent: count('sent'),
    credited: count('credited'),
    withheld: count('withheld'),
    control: count('control'),
  });
  expect(total.credited_sums).toEqual({ EUR: (count('credited') * 10.5).toFixed(2) });
  expect(Number(total.cost)).toBe(count('credited') * 10.5);
  expect(total.unknown_cost).toBe(0);
  // In another base currency, the same funds have no known cost.
  const other = { base_currency: 'GBP', values: new Map() };
  const { total: elsewhere } = await readBacktestDays(pool, await find(first), brand.settings.time_zone, other);
  expect(elsewhere).toMatchObject({ cost: '0', unknown_cost: count('credited') });
  expect(days.reduce((sum, { counts }) => sum + counts.entered, 0)).toBe(total.counts.entered);
  const reasons = Object.values(total.withheld).reduce((sum, one) => sum + one, 0);
  expect(reasons).toBe(total.counts.withheld);
});

test('another process continues where one was killed, and no player is counted twice', async () => {
  const id = await ask();
  await runner().runOnce({ most: 4 });
  expect(await find(id)).toMatchObject({ state: 'running', tried: 4 });
  await runner().runOnce();
  const done = await find(id);
  expect(done.state).toBe('done');
  const rowsOf = async (one: typeof done) =>
    (await listBacktestEntries(pool, one, all, range)).map(({ player_id, number, outcome }) => [
      player_id,
      number,
      outcome,
    ]);
  expect(await rowsOf(done)).toEqual(await rowsOf(await find(first)));
});

test('a cancelled backtest ends after the current player; one limited to few players tries a share of them', async () => {
  const cancelled = await ask();
  await runner().runOnce({ most: 2 });
  expect(await endBacktest(pool, cancelled, 'cancelled', { at: clock.now() })).toBe(true);
  expect(await runner().runOnce()).toEqual({ tried: 0, finished: 0 });
  expect(await find(cancelled)).toMatchObject({ state: 'cancelled', tried: 2 });

  const few = await ask(5);
  await runner().runOnce();
  const sampled = await find(few);
  expect(sampled).toMatchObject({ state: 'done', tried: 5 });
  expect(shareTried(sampled)).toBeGreaterThan(0);
  expect(shareTried(sampled)).toBeLessThan(1);
});

test('a stop does not wait for the current player, who is tried again', async () => {
  const id = await ask();
  const stopping = runner();
  // The replay of the first player waits for this lock, so it takes as long as the replay of a player with thousands of
  // events.
  const other = new pg.Client({ connectionString: scratchUrl(live.url).href });
  await other.connect();
  try {
    await other.query('begin; lock table player');
    await stopping.start();
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'relation'";
    await expect.poll(async () => (await other.query(waiting)).rowCount, { timeout: 30_000 }).toBe(1);
    const stopped = stopping.stop().then(() => 'stopped');
    expect(await Promise.race([stopped, delay(3_000, 'still stopping', { ref: false })])).toBe('stopped');
    expect(await find(id)).toMatchObject({ tried: 0, skipped: 0 });
  } finally {
    await other.end();
    await stopping.stop();
  }
  await runner().runOnce();
  expect(await find(id)).toMatchObject({ state: 'done', tried: (await find(first)).tried });
});

test('one process works on a backtest at a time, and a failure is logged', async () => {
  const id = await ask();
  const [one, other] = await Promise.all([runner().runOnce({ most: 3 }), runner().runOnce({ most: 3 })]);
  expect(one.tried + other.tried).toBe(3);
  const failing = new BacktestRunner({
    pool,
    ledger,
    brands,
    rules,
    scenarios: { replay: () => Promise.reject(new Error('broken')) },
    clock: clock.now,
    log: testLog,
  });
  await failing.runOnce();
  expect(await find(id)).toMatchObject({ state: 'failed', reason: 'broken' });
});

afterAll(async () => {
  const { rows } = await pool.query('select count(*)::int as runs from campaign_run');
  expect(rows[0].runs).toBe([...did.values()].flat().filter(({ outcome }) => outcome === 'entered').length);
});
