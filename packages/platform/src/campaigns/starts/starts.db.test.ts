import type { Campaign, Schedule } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import type { RuleReading } from '../../segments/membership/index.ts';
import { Versions } from '../documents/active-store.ts';
import { pause, ramp, readCampaigns, resume, stop } from '../index.ts';
import { workStart } from './portion.ts';
import { CampaignStarter } from './starter.ts';
import { listRunning, listStarts } from './store.ts';

/* Campaigns that start by a schedule, in the live stage. */
const setup = await setupCampaigns({
  brand: { time_zone: 'Europe/Malta', country_time_zones: { JP: 'Asia/Tokyo' } },
});
const { pool, brand, clock, runs, follow, starter } = setup;
const moment = (text: string) => Date.parse(text) * 1000;
const hour = 3_600_000_000;
await setup.siteTemplate('hello', 'Hello');

const mark: Campaign['steps'] = [{ id: 'mark', tag: 'x' }];
async function scheduled(code: string, schedule: Schedule, more: Partial<Campaign> & { to?: string } = {}) {
  const { to, ...own } = more;
  const entry = { schedule, ...(to !== undefined && { to }) };
  await setup.campaign({ code, name: code, entry, reentry: { times: 'unlimited' }, steps: mark, ...own });
}
async function campaignOf(code: string) {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
  if (campaign === undefined) throw new Error(`the campaign ${code} does not exist`);
  return campaign;
}
const startsOf = async (code: string) => listStarts(pool, (await campaignOf(code)).campaign_id, { limit: 100 });
const stopped = async (code: string) => {
  const campaign = await campaignOf(code);
  await transaction(pool, (tx) => stop(tx, campaign, setup.by()));
};
const usersOf = async (code: string) => (await runs(code)).map(({ user_id }) => user_id).sort();
/** A player whose details have a country or a zone. */
async function player(user_id: string, fields: { country?: string; time_zone?: string } = {}): Promise<number> {
  const id = await setup.reader(user_id);
  await pool.query(`update player_profile set country = $2, extra = $3 where player_id = $1`, [
    id,
    fields.country ?? null,
    JSON.stringify(fields.time_zone === undefined ? {} : { time_zone: fields.time_zone }),
  ]);
  return id;
}
/** Ends the campaigns, erases the players and sets the clock, so that the next test creates its own. */
async function emptyBrandAt(at: string): Promise<void> {
  for (const { code } of await readCampaigns(pool, brand.brand_id)) await stopped(code).catch(() => {});
  await follow();
  await pool.query(`update player set erased_at = $1, user_id = user_id || ' ' || player_id where erased_at is null`, [
    timestamptzText(clock.now()),
  ]);
  clock.set(moment(at));
}
const inCountry = (country: string) => ({
  combinator: 'and' as const,
  rules: [{ field: 'profile.country', operator: '=' as const, value: country }],
});

test('at the scheduled time of the brand, each player of the audience gets one run', async () => {
  await emptyBrandAt('2026-06-01T15:00:00Z');
  await player('ann', { country: 'MT' });
  await player('bob', { country: 'SE' });
  const blocked = await player('cid', { country: 'MT' });
  await pool.query(
    'insert into player_protection (player_id, brand_id, blocked, excluded) values ($1, $2, true, false)',
    [blocked, brand.brand_id],
  );
  await scheduled('once', { at: '2026-06-01T18:00' }, { audience: inCountry('MT') });
  clock.set(moment('2026-06-01T16:00:00Z') - 1);
  await follow();
  expect([await startsOf('once'), await runs('once')]).toEqual([[], []]);
  clock.advance(1);
  await follow();
  await follow();
  expect(await runs('once')).toMatchObject([
    { user_id: 'ann', state: 'done', records: [{ step: 'mark', state: 'done' }] },
  ]);
  expect(await startsOf('once')).toMatchObject([
    { local: '2026-06-01T18:00', due_at: clock.now(), state: 'done', reason: null, total: 3, looked: 3, entered: 1 },
  ]);
  const { rows } = await pool.query('select cause_key, cause from campaign_run where state = $1', ['done']);
  expect(rows).toEqual([
    {
      cause_key: 'schedule 2026-06-01T18:00',
      cause: { type: 'schedule', local: '2026-06-01T18:00', at: clock.now() },
    },
  ]);
});

test('members of a segment enter; while the segment is not up to date, the start waits', async () => {
  await emptyBrandAt('2026-06-02T15:00:00Z');
  await player('ann', { country: 'MT' });
  await player('bob', { country: 'SE' });
  await setup.segment('swedes', inCountry('SE'));
  await scheduled('members', { at: '2026-06-02T18:00' }, { to: 'swedes' });
  await pool.query(`update segment_active set phase = 'kept' where code = 'swedes'`);
  clock.set(moment('2026-06-02T16:00:00Z'));
  await follow();
  expect(await startsOf('members')).toMatchObject([{ state: 'running', reason: 'segment', entered: 0 }]);
  await pool.query(`update segment_active set phase = 'in_force' where code = 'swedes'`);
  await follow();
  expect(await usersOf('members')).toEqual(['bob']);
  expect(await startsOf('members')).toMatchObject([{ state: 'done', total: 1, entered: 1 }]);
});

test.each([
  ['forward', '2026-03-28T12:00:00Z', ['2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z']],
  ['back', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z']],
] as const)('a daily start at half past two happens once a day when the clocks go %s', async (way, from, times) => {
  await emptyBrandAt(from);
  await player('ann');
  await scheduled(`clocks_${way}`, { every: 'P1D', at: '02:30' });
  for (let count = 0; count < 40; count++) {
    clock.advance(hour);
    await follow();
  }
  expect((await startsOf(`clocks_${way}`)).map(({ due_at }) => due_at).sort()).toEqual(times.map(moment));
  expect(await usersOf(`clocks_${way}`)).toEqual(['ann', 'ann']);
});

test('a yearly start on the leap day happens in the next leap year', async () => {
  await emptyBrandAt('2028-02-28T12:00:00Z');
  await player('ann');
  await scheduled('leap', { every: 'P1Y', at: '10:00', from: '2024-02-29' });
  clock.set(moment('2028-02-29T09:00:00Z'));
  await follow();
  expect((await startsOf('leap')).map(({ local }) => local)).toEqual(['2028-02-29T10:00']);
  expect(await usersOf('leap')).toEqual(['ann']);
});

test("with the players' time zones, each player enters at their own time, and only once, even after a move to another zone", async () => {
  await emptyBrandAt('2026-06-01T00:00:00Z');
  await player('malta');
  await player('tokyo', { country: 'jp' });
  const mover = await player('mover', { time_zone: 'Asia/Tokyo' });
  await player('york', { time_zone: 'US/Eastern' });
  await scheduled('local', { at: '2026-06-01T18:00', zone: 'player' });
  clock.set(moment('2026-06-01T09:00:00Z'));
  await follow();
  expect(await usersOf('local')).toEqual(['mover', 'tokyo']);
  await pool.query(`update player_profile set extra = '{"time_zone":"America/New_York"}' where player_id = $1`, [
    mover,
  ]);
  clock.set(moment('2026-06-01T16:00:00Z'));
  await follow();
  expect(await usersOf('local')).toEqual(['malta', 'mover', 'tokyo']);
  clock.set(moment('2026-06-01T22:00:00Z'));
  await follow();
  expect(await usersOf('local')).toEqual(['malta', 'mover', 'tokyo', 'york']);
  const of = (at: string) => ({ local: '2026-06-01T18:00', due_at: moment(at), state: 'done', looked: 4 });
  expect(await startsOf('local')).toEqual(
    expect.arrayContaining(
      ['2026-06-01T09:00:00Z', '2026-06-01T16:00:00Z', '2026-06-01T22:00:00Z'].map((at) =>
        expect.objectContaining(of(at)),
      ),
    ),
  );
});

test('a start that was missed because no worker ran is made up for within three hours; after that, it is listed as skipped', async () => {
  await emptyBrandAt('2026-06-03T07:00:00Z');
  await player('ann');
  await scheduled('missed', { every: 'P1D', at: '10:00' });
  clock.set(moment('2026-06-03T11:00:00Z'));
  await follow();
  expect(await startsOf('missed')).toMatchObject([{ local: '2026-06-03T10:00', state: 'done', entered: 1 }]);
  clock.set(moment('2026-06-05T11:00:01Z'));
  await follow();
  clock.set(moment('2026-06-06T08:00:00Z'));
  await follow();
  const told = (await startsOf('missed')).map(({ local, state, reason }) => [local, state, reason]);
  expect(told).toEqual([
    ['2026-06-06T10:00', 'done', null],
    ['2026-06-05T10:00', 'skipped', 'missed'],
    ['2026-06-04T10:00', 'skipped', 'missed'],
    ['2026-06-03T10:00', 'done', null],
  ]);
  expect(await usersOf('missed')).toEqual(['ann', 'ann']);
});

test('a start due during a pause is listed as skipped; a running start waits, and continues', async () => {
  await emptyBrandAt('2026-06-07T07:00:00Z');
  for (let n = 0; n < 60; n++) await insertPlayer(pool, brand.brand_id, `p${n}`);
  await scheduled('paused', { every: 'P1D', at: '10:00' });
  clock.set(moment('2026-06-07T08:00:00Z'));
  await starter.runOnce();
  const change = async (work: typeof resume) => {
    const campaign = await campaignOf('paused');
    await transaction(pool, (tx) => work(tx, campaign, setup.by()));
  };
  await change(pause);
  await follow();
  expect(await startsOf('paused')).toMatchObject([{ state: 'running', reason: 'paused', looked: 50 }]);
  clock.set(moment('2026-06-08T08:00:00Z'));
  await follow();
  await change(resume);
  await follow();
  expect(await startsOf('paused')).toMatchObject([
    { local: '2026-06-08T10:00', state: 'skipped', reason: 'paused', entered: 0 },
    { local: '2026-06-07T10:00', state: 'done', reason: null, entered: 60 },
  ]);
  expect(await runs('paused')).toHaveLength(60);
});

test('a start whose connection is cut in a portion continues after the last complete portion, and no player enters twice', async () => {
  await emptyBrandAt('2026-06-09T07:00:00Z');
  for (let n = 0; n < 120; n++) await insertPlayer(pool, brand.brand_id, `q${n}`);
  const everybody = { combinator: 'or' as const, rules: [{ field: 'profile.country', operator: 'null' as const }] };
  await scheduled('cut', { at: '2026-06-09T10:00' }, { audience: everybody });
  clock.set(moment('2026-06-09T08:00:00Z'));
  let portions = 0;
  const rules: RuleReading = {
    kindsOf: (needs) => setup.rules.kindsOf(needs),
    readsRecords: (needs) => setup.rules.readsRecords(needs),
    of: async (of, fields) => {
      if (++portions === 2)
        await pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
        );
      return setup.rules.of(of, fields);
    },
  };
  const cut = new CampaignStarter({
    pool,
    brands: setup.brands,
    rules,
    clock: clock.now,
    log: testLog,
    wake: () => {},
    portionPlayers: 50,
  });
  await cut.runOnce();
  await expect(cut.runOnce()).rejects.toThrow();
  expect(await runs('cut')).toHaveLength(50);
  expect(await startsOf('cut')).toMatchObject([{ state: 'running', looked: 50, total: 120, entered: 50 }]);
  await follow();
  const users = await usersOf('cut');
  expect([users.length, new Set(users).size]).toEqual([120, 120]);
  expect(await startsOf('cut')).toMatchObject([{ state: 'done', looked: 120, entered: 120 }]);
});

test('two starts of one campaign on two workers respect the rule of re-entry', async () => {
  await emptyBrandAt('2026-06-09T15:00:00Z');
  await player('ann');
  await scheduled('twice', { every: 'P1D', at: '10:00' }, { reentry: { times: 1 } });
  clock.set(moment('2026-06-09T17:30:00Z'));
  const { campaign_id } = await campaignOf('twice');
  // Both starts are due, and none is processed.
  await pool.query('update campaign_active set phase = $2 where campaign_id = $1', [campaign_id, 'paused']);
  await pool.query(
    `insert into campaign_start (campaign_id, brand_id, local, due_at, state)
     select $1, $2, '2026-06-09T' || hour || ':00', ('2026-06-09T' || hour || ':00+02')::timestamptz, 'running' from unnest(array['18', '19']) hour`,
    [campaign_id, brand.brand_id],
  );
  await pool.query('update campaign_active set phase = $2 where campaign_id = $1', [campaign_id, 'live']);
  const [first, second] = await listRunning(pool);
  if (first === undefined || second === undefined) throw new Error('two starts must be running');
  const deps = { brands: setup.brands, rules: setup.rules, versions: new Versions({ pool }), isSlowed: false };
  const portion = (start: typeof first) => transaction(pool, (tx) => workStart(tx, deps, start, clock.now()));
  await transaction(pool, async (tx) => {
    expect(await workStart(tx, deps, first, clock.now())).toBe('ended');
    expect(await portion(second)).toBe('taken');
  });
  expect(await portion(second)).toBe('ended');
  await follow();
  expect(await runs('twice')).toMatchObject([{ user_id: 'ann', state: 'done' }]);
  expect((await startsOf('twice')).filter(({ entered }) => entered > 0)).toHaveLength(1);
});

test('workers take few first steps in a round, and a stop ends the start and every run: nothing more is sent', async () => {
  await emptyBrandAt('2026-06-10T07:00:00Z');
  for (let n = 0; n < 120; n++) await setup.reader(`r${n}`);
  await scheduled(
    'stop',
    { at: '2026-06-10T10:00' },
    { steps: [{ id: 'hello', send: { channel: 'site', template: 'hello' } }] },
  );
  clock.set(moment('2026-06-10T08:00:00Z'));
  await starter.runOnce();
  // A new lane begins 20 runs in its first round.
  expect(await setup.createLane().runOnce()).toMatchObject({ moved: 20, more: true });
  expect(await setup.messages()).toHaveLength(20);
  await stopped('stop');
  await follow();
  expect(await setup.messages()).toHaveLength(20);
  expect(await startsOf('stop')).toMatchObject([{ state: 'stopped', reason: 'stopped', looked: 50 }]);
  const ended = Map.groupBy(await runs('stop'), ({ state, reason }) => `${state} ${reason}`);
  expect([...ended].map(([how, all]) => [how, all.length])).toEqual([
    ['done null', 20],
    ['exited stopped', 30],
  ]);
});

test('an event during a start begins its campaign in the next round', async () => {
  await emptyBrandAt('2026-06-12T07:00:00Z');
  for (let n = 0; n < 60; n++) await setup.reader(`s${n}`);
  await scheduled('mass', { at: '2026-06-12T10:00' });
  await setup.campaign({ code: 'event', name: 'event', entry: { event: 'payment' }, steps: mark });
  clock.set(moment('2026-06-12T08:00:00Z'));
  await starter.runOnce();
  const timestamp = timestamptzText(clock.now());
  await setup.publish({ kind: 'payment', body: paymentBody({ user_id: 's59', payment_id: 'p1', timestamp }) });
  await setup.derive();
  expect(await setup.createLane().runOnce()).toMatchObject({ entered: 1, more: true });
  expect(await runs('event')).toMatchObject([{ user_id: 's59', state: 'done' }]);
  expect((await runs('mass')).filter(({ state }) => state === 'active')).toHaveLength(30);
});

test('while a start with many players runs, the runs of another start begin in the next round', async () => {
  await emptyBrandAt('2026-06-16T07:00:00Z');
  for (let n = 0; n < 50; n++) await setup.reader(`h${n}`);
  await scheduled('huge', { at: '2026-06-16T10:00' });
  await player('mia', { country: 'MT' });
  await scheduled('small', { at: '2026-06-16T10:00' }, { audience: inCountry('MT') });
  clock.set(moment('2026-06-16T08:00:00Z'));
  for (let n = 0; n < 2; n++) await starter.runOnce();
  expect(await setup.createLane().runOnce()).toMatchObject({ begun: 20, more: true });
  expect(await runs('small')).toMatchObject([{ user_id: 'mia', state: 'done' }]);
  expect((await runs('huge')).filter(({ state }) => state === 'done')).toHaveLength(19);
});

test('a start rests while the feed needs the capacity, and its progress shows that; events continue', async () => {
  await emptyBrandAt('2026-06-14T07:00:00Z');
  for (let n = 0; n < 60; n++) await setup.reader(`u${n}`);
  await scheduled('rests', { at: '2026-06-14T10:00' });
  await setup.campaign({ code: 'feeds', name: 'feeds', entry: { event: 'payment' }, steps: mark });
  clock.set(moment('2026-06-14T08:00:00Z'));
  const feed = { isSlowed: true, restMs: () => 600_000 };
  await setup.createStarter(feed).runOnce();
  expect(await startsOf('rests')).toMatchObject([{ state: 'running', reason: 'feed', looked: 50, entered: 50 }]);
  const lane = setup.createLane(feed);
  expect(await lane.runOnce()).toMatchObject({ begun: 20 });
  const timestamp = timestamptzText(clock.now());
  await setup.publish({ kind: 'payment', body: paymentBody({ user_id: 'u59', payment_id: 'p2', timestamp }) });
  await setup.derive();
  expect(await lane.runOnce()).toMatchObject({ begun: 0, entered: 1, more: false });
  expect(await runs('feeds')).toMatchObject([{ user_id: 'u59', state: 'done' }]);
  await follow();
  expect(await startsOf('rests')).toMatchObject([{ state: 'done', reason: null, looked: 60, entered: 60 }]);
});

test('a larger share applies to players who are checked from then on', async () => {
  await emptyBrandAt('2026-06-13T07:00:00Z');
  for (let n = 0; n < 80; n++) await insertPlayer(pool, brand.brand_id, `t${n}`);
  await scheduled('grows', { at: '2026-06-13T10:00' });
  const campaign = await campaignOf('grows');
  const share = (percent: number) => transaction(pool, (tx) => ramp(tx, campaign, percent, setup.by()));
  await share(0);
  clock.set(moment('2026-06-13T08:00:00Z'));
  await starter.runOnce();
  await share(100);
  await follow();
  expect(await startsOf('grows')).toMatchObject([{ state: 'done', looked: 80, entered: 30 }]);
});

test('if an audience cannot be read, only its own start fails', async () => {
  await emptyBrandAt('2026-06-11T07:00:00Z');
  await player('ann', { country: 'MT' });
  await scheduled('broken', { at: '2026-06-11T10:00' }, { audience: inCountry('MT') });
  await scheduled('whole', { at: '2026-06-11T10:00' });
  await pool.query(
    `update campaign_version set document = replace(document::text, 'profile.country', 'profile.gone')::json
      where campaign_id = (select campaign_id from campaign where code = 'broken')`,
  );
  clock.set(moment('2026-06-11T08:00:00Z'));
  await follow();
  expect(await startsOf('broken')).toMatchObject([{ state: 'failed', reason: expect.stringContaining('gone') }]);
  expect(await usersOf('whole')).toEqual(['ann']);
});

test('a player whose run is refused is skipped with a failed run; all others, and the other starts, continue', async () => {
  await emptyBrandAt('2026-06-01T15:00:00Z');
  const ids: number[] = [];
  for (let n = 0; n < 20; n++) ids.push(await player(`refused ${n}`));
  await scheduled('refused', { at: '2026-06-01T18:00' });
  await scheduled('beside', { at: '2026-06-01T18:00' });
  clock.set(moment('2026-06-01T16:00:00Z'));
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$
       begin if new.player_id = ${ids[13]} and new.campaign_id = (select campaign_id from campaign where code = 'refused')
                and new.cause_key not like 'digest %'
             then raise exception 'refused' using errcode = '22003'; end if; return new; end $$;
     create trigger refuse before insert on campaign_run for each row execute function refuse()`,
  );
  try {
    await follow();
  } finally {
    await pool.query('drop trigger refuse on campaign_run; drop function refuse()');
  }
  expect((await runs('beside')).map(({ state }) => state)).toEqual(ids.map(() => 'done'));
  const refused = (await runs('refused')).filter(({ state }) => state !== 'done');
  expect(refused.map(({ user_id, state, reason }) => [user_id, state, reason])).toEqual([
    ['refused 13', 'failed', 'cannot be processed: a number is out of range (SQLSTATE 22003)'],
  ]);
  expect(await usersOf('refused')).toHaveLength(20);
  const [start] = await startsOf('refused');
  expect(start).toMatchObject({ state: 'done', looked: 20, entered: 19 });
});
