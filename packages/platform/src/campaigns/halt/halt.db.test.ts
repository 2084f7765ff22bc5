import type { Campaign } from '@croupier/campaigns';
import type { Pool } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { testLog } from '../../../testing/log.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import {
  CampaignWatch,
  enterPlayer,
  pause,
  ramp,
  readCampaignConcerns,
  readCampaigns,
  refuseUnenterable,
  resume,
} from '../index.ts';
import { readHaltCounts, type WatchedCampaign } from './store.ts';

/* A campaign that exceeds its limits halts: no player enters and nothing is sent until a person resumes it. */
const setup = await setupCampaigns();
const { pool, brand, clock, runs } = setup;
const { brand_id } = brand;
const minute = 60_000_000;
const watch = new CampaignWatch({ pool, clock: clock.now, log: testLog });
await setup.siteTemplate('hello', 'Hello');

const document = (code: string, more: Partial<Campaign>): Campaign => ({
  code,
  name: code,
  entry: { api: true },
  steps: [{ id: 'hello', send: { channel: 'site', template: 'hello' } }],
  ...more,
});
const campaignOf = async (code: string) => {
  const [campaign] = await readCampaigns(pool, brand_id, { code });
  if (campaign === undefined) throw new Error(`the campaign ${code} does not exist`);
  return campaign;
};
let keys = 0;
async function enter(code: string, ...users: string[]): Promise<void> {
  const campaign = await campaignOf(code);
  for (const user of users) {
    const player_id = await setup.playerId(user);
    await transaction(pool, async (tx) => {
      await refuseUnenterable(tx, campaign);
      await enterPlayer(tx, campaign, { player_id, key: `k${++keys}`, data: {}, at: clock.now() });
    });
  }
  await setup.follow();
}
const readers = async (name: string, count: number) => {
  const users = Array.from({ length: count }, (_, n) => `${name} ${n}`);
  for (const user of users) await setup.reader(user);
  return users;
};
const spoil = (code: string) =>
  pool.query(
    `update campaign_version set document = replace(document::text, '"template":"hello"', '"template":"gone"')::json
      where campaign_id = (select campaign_id from campaign where code = $1)`,
    [code],
  );

// Runs that a test inserted have no version, so the lane of a later test would try again and again to begin them.
afterEach(() =>
  pool.query(
    `with runs as (delete from campaign_run where version_id = 0) delete from campaign_run_step where version_id = 0`,
  ),
);

test('failed runs halt a campaign; it is listed in the alarms, no player enters, and a person resumes it', async () => {
  const users = await readers('ramped', 60);
  await setup.campaign(document('ramped', { halt: { failed: 10, after: 5 } }));
  await spoil('ramped');
  await transaction(pool, async (tx) => ramp(tx, await campaignOf('ramped'), 50, setup.by()));
  await enter('ramped', ...users.slice(0, 30));
  const failed = (await runs('ramped')).length;
  expect(failed).toBeGreaterThanOrEqual(5);
  expect(await watch.runOnce()).toEqual({ halted: 1 });
  expect(await watch.runOnce()).toEqual({ halted: 0 });
  const reason = `${failed} of ${failed} runs failed; the limit is 10 percent`;
  expect(await campaignOf('ramped')).toMatchObject({ state: 'paused', reason, halted_at: clock.now() });
  expect(await readCampaignConcerns(pool, brand_id)).toEqual({
    stopped: [{ code: 'ramped', state: 'paused', reason, since: clock.now() }],
    unchecked: [],
  });
  await expect(enter('ramped', ...users.slice(30))).rejects.toThrow('the campaign is paused');
  expect(await runs('ramped')).toHaveLength(failed);

  clock.advance(minute);
  await transaction(pool, async (tx) => resume(tx, await campaignOf('ramped'), setup.by()));
  expect(await campaignOf('ramped')).toMatchObject({ state: 'live', reason: null, halted_at: null });
  expect(await watch.runOnce()).toEqual({ halted: 0 });
  expect(await readCampaignConcerns(pool, brand_id)).toEqual({ stopped: [], unchecked: [] });
});

test('failed runs halt a campaign without limits if its share is below 100 percent, but not if its share is 100 percent', async () => {
  const users = await readers('plain', 120);
  await setup.campaign(document('plain', {}));
  await spoil('plain');
  await enter('plain', ...users.slice(0, 60));
  expect(await watch.runOnce()).toEqual({ halted: 0 });
  clock.advance(minute);
  await transaction(pool, async (tx) => ramp(tx, await campaignOf('plain'), 99, setup.by()));
  expect(await watch.runOnce()).toEqual({ halted: 0 });
  await enter('plain', ...users.slice(60));
  expect(await watch.runOnce()).toEqual({ halted: 1 });
});

test('withheld effects halt a campaign without limits if its share is below 100 percent and nearly all are withheld', async () => {
  for (const [code, consents, halted] of [
    ['wrong_channel', 0, 1],
    ['half_consent', 30, 0],
  ] as const) {
    const users = await readers(code, 100);
    await pool.query(
      'update player_consent set opted_in = false where player_id in (select player_id from player where user_id = any($1))',
      [users.filter((_, n) => n % 60 >= consents)],
    );
    await setup.campaign(document(code, {}));
    await transaction(pool, async (tx) => ramp(tx, await campaignOf(code), 99, setup.by()));
    await enter(code, ...users);
    expect(await watch.runOnce(), code).toEqual({ halted });
  }
  expect((await campaignOf('wrong_channel')).reason).toContain('had an effect withheld; the limit is 90 percent');
});

test('withheld effects, too many entries, and players who unsubscribe also halt a campaign', async () => {
  const limits: [string, NonNullable<Campaign['halt']>][] = [
    ['withheld', { withheld: 50, after: 2 }],
    ['many', { entered_per_day: 2 }],
    ['leaving', { unsubscribed: 20, after: 3 }],
  ];
  for (const [code, halt] of limits) {
    const users = await readers(code, 3);
    await setup.campaign(document(code, { halt }));
    if (code === 'withheld')
      await pool.query(
        'update player_consent set opted_in = false where player_id in (select player_id from player where user_id = any($1))',
        [users.slice(0, 2)],
      );
    await enter(code, ...users);
    if (code === 'leaving')
      await pool.query(
        `update player_consent set opted_in = false, source = 'unsubscribe', as_of = as_of + interval '1 second'
          where player_id = $1`,
        [await setup.playerId(users[0] as string)],
      );
    expect(await watch.runOnce(), code).toEqual({ halted: 1 });
  }
  expect((await campaignOf('withheld')).reason).toBe('2 of 3 runs had an effect withheld; the limit is 50 percent');
  expect((await campaignOf('many')).reason).toBe('more than 2 runs entered within a day; this is the limit');
  expect((await campaignOf('leaving')).reason).toBe('1 of 3 players withdrew a consent; the limit is 20 percent');
});

describe('the limit of entries within a day', () => {
  const limit = { halt: { entered_per_day: 3 } };
  const isHalted = async () => (await watch.runOnce()).halted === 1;

  test('does not halt a resumed campaign because of the entries before the resume, but after as many new ones', async () => {
    const users = await readers('resumed', 8);
    await setup.campaign(document('resumed', limit));
    await enter('resumed', ...users.slice(0, 4));
    expect(await isHalted()).toBe(true);
    clock.advance(minute);
    await transaction(pool, async (tx) => resume(tx, await campaignOf('resumed'), setup.by()));
    expect(await isHalted()).toBe(false);
    await enter('resumed', ...users.slice(4, 7));
    expect(await isHalted()).toBe(false);
    await enter('resumed', ...users.slice(7));
    expect(await isHalted()).toBe(true);
  });

  test('counts only the entries of the last day', async () => {
    const users = await readers('slow day', 6);
    await setup.campaign(document('days', limit));
    await enter('days', ...users.slice(0, 3));
    clock.advance(24 * 60 * minute + 1);
    await enter('days', ...users.slice(3));
    expect(await isHalted()).toBe(false);
  });

  test('is not evaded by new versions or changes of the share', async () => {
    const share = async (code: string, percent: number) =>
      transaction(pool, async (tx) => ramp(tx, await campaignOf(code), percent, setup.by()));
    const changes: [string, () => Promise<unknown>][] = [
      ['versions', () => setup.republish(document('versions', { ...limit, name: 'another' }))],
      ['shares', () => share('shares', 50).then(() => share('shares', 100))],
    ];
    for (const [code, change] of changes) {
      const users = await readers(code, 4);
      await setup.campaign(document(code, limit));
      await enter(code, ...users.slice(0, 3));
      clock.advance(minute);
      await change();
      expect(await isHalted(), code).toBe(false);
      await enter(code, ...users.slice(3));
      expect(await isHalted(), code).toBe(true);
    }
  });
});

test('effects that were withheld after they were ordered, such as credits without budget, also halt a campaign', async () => {
  const users = await readers('budget', 4);
  const steps = [{ id: 'gift', credit: { bonus_code: 'GIFT' } }];
  await setup.campaign(document('budget', { steps, halt: { withheld: 50, after: 4 } }));
  await enter('budget', ...users);
  expect(await watch.runOnce()).toEqual({ halted: 0 });
  const reject = (count: number, how: string, reason: string) =>
    pool.query(
      `update bonus_intent set state = 'rejected', due_at = null, due_for = null, resolved_by = $2, reason = $3
        where intent_id in (select intent_id from bonus_intent where activity_id = 'budget' order by intent_id limit $1)`,
      [count, how, reason],
    );
  // A call that the operator refused counts as failed, not as withheld.
  await reject(3, 'answer', 'refused');
  expect(await watch.runOnce()).toEqual({ halted: 0 });
  await reject(3, 'budget', 'budget_used_up');
  expect(await watch.runOnce()).toEqual({ halted: 1 });
  expect((await campaignOf('budget')).reason).toBe('3 of 4 runs had an effect withheld; the limit is 50 percent');
});

test('complaints halt a campaign', async () => {
  const users = await readers('complaining', 4);
  await setup.campaign(document('complaining', { halt: { complained: 10, after: 3 } }));
  await enter('complaining', ...users);
  expect(await watch.runOnce()).toEqual({ halted: 0 });
  await pool.query(
    `insert into message_outcome (player_id, message_id, channel, campaign_id, complained_at)
     select player_id, message_id::text, 'site', 'complaining', live_at from notification where player_id = $1`,
    [await setup.playerId(users[0] as string)],
  );
  expect(await watch.runOnce()).toEqual({ halted: 1 });
  expect((await campaignOf('complaining')).reason).toBe(
    '1 of 4 players reported a message as spam; the limit is 10 percent',
  );
});

test('when the share grows, players who could enter before still can', async () => {
  const users = await readers('share', 60);
  await setup.campaign(
    document('share', { reentry: { times: 'unlimited', while_running: true }, halt: { failed: 100 } }),
  );
  const entered: string[][] = [];
  for (const share of [20, 60, 100]) {
    await transaction(pool, async (tx) => ramp(tx, await campaignOf('share'), share, setup.by()));
    const before = new Set((await runs('share')).map(({ run_id }) => run_id));
    await enter('share', ...users);
    entered.push((await runs('share')).filter(({ run_id }) => !before.has(run_id)).map(({ user_id }) => user_id));
  }
  const [few = [], more = [], all = []] = entered;
  expect(more).toEqual(expect.arrayContaining(few));
  expect(few.length).toBeGreaterThan(2);
  expect(more.length).toBeGreaterThan(few.length);
  expect(all).toHaveLength(60);
});

test('a campaign whose limits cannot be checked does not keep others from halting', async () => {
  const users = await readers('beside', 20);
  // The broken campaign is checked before the other one. Its limit could not be published, so the test writes it into the stored version.
  await setup.campaign(document('broken', { halt: { failed: 10 } }));
  await pool.query(
    `update campaign_version set document = (document::jsonb || '{"halt": {"entered_per_day": 1e30}}')::json
      where campaign_id = (select campaign_id from campaign where code = 'broken')`,
  );
  await setup.campaign(document('beside', { halt: { failed: 10, after: 5 } }));
  await spoil('beside');
  await enter('beside', ...users);
  // Uses a new watch, because a new watch has no version in memory.
  const fresh = new CampaignWatch({ pool, clock: clock.now, log: testLog });
  expect(await fresh.runOnce()).toEqual({ halted: 1 });
  expect(await campaignOf('beside')).toMatchObject({ state: 'paused' });
  expect(await campaignOf('broken')).toMatchObject({ state: 'live' });
});

test('a campaign whose limits cannot be checked is listed with its reason and since when, until a check succeeds', async () => {
  await setup.campaign(document('unsure', { halt: { failed: 10 } }));
  const limit = (entered_per_day: number) =>
    pool.query(
      `update campaign_version set document = (document::jsonb || jsonb_build_object('halt', jsonb_build_object('entered_per_day', $1::float8)))::json
        where campaign_id = (select campaign_id from campaign where code = 'unsure')`,
      [entered_per_day],
    );
  // Uses a new watch each time, because a new watch has no version in memory.
  const check = () => new CampaignWatch({ pool, clock: clock.now, log: testLog }).runOnce();
  const unchecked = async () =>
    (await readCampaignConcerns(pool, brand_id)).unchecked.filter(({ code }) => code === 'unsure');
  expect(await unchecked()).toEqual([]);
  await limit(1e30);
  await check();
  const since = clock.now();
  clock.advance(minute);
  await check();
  const reason = expect.stringContaining('1e+30');
  expect(await unchecked()).toEqual([{ code: 'unsure', reason, since }]);
  expect(await campaignOf('unsure')).toMatchObject({ state: 'live', unchecked_since: since, unchecked_reason: reason });
  await limit(1_000);
  await check();
  expect(await unchecked()).toEqual([]);
  // Only a live campaign is checked.
  await limit(1e30);
  await check();
  expect(await unchecked()).toHaveLength(1);
  await transaction(pool, async (tx) => pause(tx, await campaignOf('unsure')));
  expect(await campaignOf('unsure')).toMatchObject({ state: 'paused', unchecked_since: null, unchecked_reason: null });
  expect(await unchecked()).toEqual([]);
});

test('if no campaign can be checked, each live one is listed with the reason, until a check succeeds', async () => {
  await setup.campaign(document('one', { halt: { failed: 10 } }));
  await setup.campaign(document('two', { halt: { failed: 10 } }));
  const watch = new CampaignWatch({ pool, clock: clock.now, log: testLog });
  const unchecked = async () =>
    (await readCampaignConcerns(pool, brand_id)).unchecked.filter(({ code }) => ['one', 'two'].includes(code));
  await pool.query('alter table campaign_active rename column share to portion');
  await expect(watch.runOnce()).rejects.toThrow('share');
  const since = clock.now();
  const reason = expect.stringContaining('share');
  expect(await unchecked()).toEqual([
    { code: 'one', reason, since },
    { code: 'two', reason, since },
  ]);
  await pool.query('alter table campaign_active rename column portion to share');
  await watch.runOnce();
  expect(await unchecked()).toEqual([]);
});

test('a check that exceeds the statement timeout is listed, and does not keep others from halting', async () => {
  const users = await readers('quick', 20);
  await setup.campaign(document('slow', { halt: { failed: 10 } }));
  await setup.campaign(document('quick', { halt: { failed: 10, after: 5 } }));
  await spoil('quick');
  await enter('quick', ...users);
  const { campaign_id: slow } = await campaignOf('slow');
  const timedOut = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  const cut = new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return (query: { name?: string; values?: unknown[] }, ...more: never[]) =>
        query.name === 'read_campaign_halt_counts' && query.values?.[0] === slow
          ? Promise.reject(timedOut)
          : target.query(query as never, ...more);
    },
  });
  const watch = new CampaignWatch({ pool: cut, clock: clock.now, log: testLog });
  expect(await watch.runOnce()).toEqual({ halted: 1 });
  expect(await campaignOf('quick')).toMatchObject({ state: 'paused' });
  expect(await campaignOf('slow')).toMatchObject({ state: 'live', unchecked_reason: timedOut.message });
});

describe('runs that act long after they entered', () => {
  const hour = 60 * minute;
  const waits = (code: string, halt: Campaign['halt'], template = 'hello'): Campaign =>
    document(code, {
      halt,
      steps: [
        { id: 'later', wait: { for: 'PT1H' } },
        { id: 'hello', send: { channel: 'site', template } },
      ],
    });
  /** Runs that entered after all others, as after a scheduled start or an import. */
  async function enterNewer(code: string, state: 'waiting' | 'active', count = 5_000): Promise<void> {
    const { campaign_id } = await campaignOf(code);
    const player_id = await setup.reader(`newer ${code}`);
    await pool.query(
      `with entered as (
         insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
         select $1, $2, $3, 0, 'newer ' || n, '{}', $4, '{}', $5, $5 from generate_series(1, $6::int) n returning *)
       insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at)
       select player_id, run_id, campaign_id, version_id, 'later', 'waiting', entered_at from entered where state = 'waiting'`,
      [player_id, brand_id, campaign_id, state, timestamptzText(clock.now()), count],
    );
  }

  test.each(['waiting', 'active'] as const)(
    'fail, and halt the campaign, although 5,000 newer runs are %s',
    async (state) => {
      const code = `hidden-${state}`;
      const users = await readers(code, 60);
      await setup.campaign(waits(code, { failed: 10 }));
      await spoil(code);
      await enter(code, ...users);
      expect(await watch.runOnce()).toEqual({ halted: 0 });
      clock.advance(hour);
      await setup.follow();
      await enterNewer(code, state);
      expect(await watch.runOnce()).toEqual({ halted: 1 });
      expect((await campaignOf(code)).reason).toBe('60 of 60 runs failed; the limit is 10 percent');
    },
  );

  test('reach players who complain or unsubscribe, although 5,000 newer runs wait', async () => {
    for (const [code, halt] of [
      ['spam', { complained: 10, after: 3 }],
      ['goodbye', { unsubscribed: 10, after: 3 }],
    ] as const) {
      const users = await readers(code, 4);
      await setup.campaign(waits(code, halt));
      await enter(code, ...users);
      clock.advance(hour);
      await setup.follow();
      await enterNewer(code, 'waiting');
      expect(await watch.runOnce()).toEqual({ halted: 0 });
      const player_id = await setup.playerId(users[0] as string);
      if (code === 'spam')
        await pool.query(
          `insert into message_outcome (player_id, message_id, channel, campaign_id, complained_at)
           select player_id, message_id::text, 'site', 'spam', live_at from notification where player_id = $1`,
          [player_id],
        );
      else
        await pool.query(
          `update player_consent set opted_in = false, source = 'unsubscribe', as_of = $2 where player_id = $1`,
          [player_id, timestamptzText(clock.now())],
        );
      expect(await watch.runOnce(), code).toEqual({ halted: 1 });
    }
  });

  test('count after a resume and a change of the share, if they act after it', async () => {
    const users = await readers('patient', 60);
    await setup.campaign(waits('patient', { failed: 10 }));
    await spoil('patient');
    await enter('patient', ...users);
    clock.advance(minute);
    await transaction(pool, async (tx) => pause(tx, await campaignOf('patient')));
    await transaction(pool, async (tx) => resume(tx, await campaignOf('patient'), setup.by()));
    await transaction(pool, async (tx) => ramp(tx, await campaignOf('patient'), 50, setup.by()));
    clock.advance(hour);
    await setup.follow();
    expect(await watch.runOnce()).toEqual({ halted: 1 });
    expect((await campaignOf('patient')).reason).toBe('60 of 60 runs failed; the limit is 10 percent');
    // What happened before the resume does not count.
    clock.advance(minute);
    await transaction(pool, async (tx) => resume(tx, await campaignOf('patient'), setup.by()));
    expect(await watch.runOnce()).toEqual({ halted: 0 });
  });
});

test('a check reads only the newest effects and ends of runs, however many the campaign has', async () => {
  const [player_id] = await Promise.all((await readers('old', 1)).map((user) => setup.playerId(user)));
  await setup.campaign(document('large', { halt: { failed: 10, entered_per_day: 100 } }));
  const { campaign_id } = await campaignOf('large');
  const old = clock.now() - 2 * 24 * 60 * minute;
  await pool.query(
    `with entered as (
       insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
       select $1, $2, $3, 0, n::text, '{}', case n % 3 when 0 then 'waiting' else 'done' end, '{}', $4, $4::timestamptz + n * interval '1 ms'
         from generate_series(1, 20000) n returning *)
     insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at, effect)
     select player_id, run_id, campaign_id, version_id, 'hello', case state when 'done' then 'done' else 'waiting' end, moved_at,
            case state when 'done' then '{"kind": "tag"}'::jsonb end
       from entered`,
    [player_id, brand_id, campaign_id, timestamptzText(old)],
  );
  await pool.query('analyze campaign_run, campaign_run_step');
  await enter('large', ...(await readers('new', 3)));

  let plan = '';
  const explaining = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await pool.query(`explain (analyze, timing off, format json) ${text}`, values);
      plan = JSON.stringify(rows[0]['QUERY PLAN']);
      return pool.query(text, values);
    },
  };
  const count = (watched_since: number) =>
    readHaltCounts(
      explaining as unknown as Pool,
      { campaign_id, watched_since, day_counted_since: null } as WatchedCampaign,
      { at: clock.now(), mostPerDay: 100, countsLater: true },
    );
  const mostRead = () =>
    Math.max(
      ...[...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)].map(([, rows]) => Number(rows)),
    );
  expect(await count(clock.now() - minute)).toMatchObject({ ran: 3, asked: 3, entered_in_a_day: 3 });
  expect(mostRead()).toBeLessThanOrEqual(5_000);
  expect(await count(old)).toMatchObject({ ran: 5_000, asked: 5_000, entered_in_a_day: 3 });
  // The union of the two lists has at most twice as many rows.
  expect(mostRead()).toBeLessThanOrEqual(10_000);
});

test('if many runs end without an effect, failures are counted in the same part of the time', async () => {
  const [player_id] = await Promise.all((await readers('ends', 1)).map((user) => setup.playerId(user)));
  await setup.campaign(document('cut', { halt: { failed: 10 } }));
  const { campaign_id } = await campaignOf('cut');
  const since = clock.now();
  clock.advance(60 * minute);
  // Ten failures in each minute, and one effect, beside 100 runs that exit.
  await pool.query(
    `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
     select $1, $2, $3, 0, n::text, '{}', case when n % 10 = 0 then 'failed' else 'exited' end, '{}', $4, $4::timestamptz + n * interval '600 ms'
       from generate_series(1, 6000) n`,
    [player_id, brand_id, campaign_id, timestamptzText(since)],
  );
  await pool.query(
    `insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at, effect)
     select $1, -n, $2, 0, 'hello', 'done', $3::timestamptz + n * interval '1 minute', '{"kind": "tag"}' from generate_series(1, 60) n`,
    [player_id, campaign_id, timestamptzText(since)],
  );
  const counts = await readHaltCounts(
    pool,
    { campaign_id, watched_since: since, day_counted_since: null } as WatchedCampaign,
    { at: clock.now(), mostPerDay: 0, countsLater: false },
  );
  // The newest 5,000 runs that ended cover 50 of the 60 minutes.
  expect(counts).toMatchObject({ failed: 500, ran: 5_000 + 50, asked: 60 });
});
