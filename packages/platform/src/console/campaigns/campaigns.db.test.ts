import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { CampaignLane, CampaignStarter } from '../../campaigns/index.ts';
import { timestamptzText } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';
import { PlatformRules } from '../../segments/membership/index.ts';

const console = await setupConsole();
const { pool, brand, brands, clock, ledger, links, signals } = console;
/** This test owns every bucket. */
const owned = new Map(Array.from({ length: 64 }, (_, bucket) => [bucket, { fence: 0, cursor: ledger.beginning }]));
const lane = new CampaignLane({
  pool,
  brands,
  links,
  signals,
  clock: clock.now,
  log: testLog,
  leases: { owned: () => owned },
  rules: new PlatformRules({ pool }),
  gate: new Gate({ clock: clock.now, brands }),
});
const path = '/brands/malta/campaigns';
const send = { id: 'hello', send: { channel: 'site', template: 'hello' } };
const document = {
  code: 'calls',
  name: 'Calls',
  entry: { api: true },
  steps: [send, { id: 'pause', wait: { for: 'PT1H' } }],
};

async function reader(user_id: string) {
  const player = await insertPlayer(pool, brand.brand_id, user_id);
  const at = timestamptzText(clock.now());
  await makeKnown(pool, brand.brand_id, [player], at);
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     values ($1, 'sitenotification', 'SiteNotification', 'SiteNotification', true, 'look_up', $2)`,
    [player, at],
  );
}

test('a campaign is created, published and entered; its run lists what happened', async () => {
  await reader('ann');
  const made = await console.call('POST', path, { body: document });
  expect(made).toMatchObject({
    status: 201,
    body: { code: 'calls', state: 'draft', version: null, draft: { version: 1 } },
  });
  expect((await console.call('POST', path, { body: document })).status).toBe(409);
  const refused = await console.call('POST', `${path}/calls/publish`);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/steps/0/send/template' }] } });
  const template = {
    code: 'hello',
    name: 'Hello',
    channel: 'site',
    content: { en: { title: 'Hello {{ event.what }}' } },
  };
  expect((await console.call('POST', '/brands/malta/templates', { body: template })).status).toBe(201);
  expect((await console.call('POST', `${path}/calls/publish`)).body).toMatchObject({
    state: 'live',
    version: 1,
    draft: null,
  });
  expect((await console.call('POST', `${path}/calls/publish`)).status).toBe(409);

  const call = { user_id: 'ann', key: 'k1', data: { what: 'you' } };
  const before = console.wakeups();
  for (const _ of [1, 2]) expect((await console.call('POST', `${path}/calls/enter`, { body: call })).status).toBe(202);
  expect(console.wakeups()).toBe(before + 2);
  const audit = (await console.get('/brands/malta/audit?action=campaign.entered&limit=1')).body.items;
  expect(audit).toMatchObject([{ subject: 'campaign calls', details: { player_id: expect.any(Number) } }]);
  await lane.runOnce();
  const { items } = (await console.get(`${path}/calls/runs`)).body;
  expect(items).toMatchObject([
    {
      user_id: 'ann',
      state: 'waiting',
      step: 'pause',
      waits_for: 'time',
      version: 1,
      cause: { type: 'api', key: 'k1' },
    },
  ]);
  expect((await console.get(`/brands/malta/runs/${items[0].run_id}`)).body).toMatchObject({
    steps: [
      { id: 'hello', state: 'done', effect: { kind: 'message', channel: 'site' } },
      { id: 'pause', state: 'waiting' },
    ],
  });
  // Another key would start nothing, and the answer says why.
  const again = await console.call('POST', `${path}/calls/enter`, { body: { ...call, key: 'k2' } });
  expect(again).toMatchObject({
    status: 409,
    body: { detail: 'the player was in the campaign before and may not enter again now' },
  });
  expect((await console.call('POST', `${path}/calls/enter`, { body: call })).status).toBe(202);
  // The list of running runs is as long as the number that the campaign shows.
  expect((await console.get(`${path}/calls`)).body).toMatchObject({ entered: 1, running: 1 });
  expect((await console.get(`${path}/calls/runs?state=running`)).body.items).toHaveLength(1);
  expect((await console.get(`${path}/calls/runs?state=done`)).body.items).toEqual([]);
  expect((await console.get('/brands/malta/players/ann/runs')).body.items).toHaveLength(1);
  expect((await console.get('/brands/malta/players/ann/messages')).body.items).toMatchObject([{ title: 'Hello you' }]);
  expect((await console.get(`${path}/calls/results`)).body).toMatchObject({
    versions: [{ version: 1, entered: 1, waiting: 1 }],
    steps: [
      { step: 'hello', state: 'done', kind: 'message', count: 1 },
      { step: 'pause', state: 'waiting', count: 1 },
    ],
  });
});

test('runs with more than 10,000 steps together show the oldest 10,000, and say that steps may be missing', async () => {
  await console.call('POST', path, { body: { ...document, code: 'long' } });
  const insertSteps = (runId: number, steps: number) =>
    pool.query(
      `insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at)
       select player_id, run_id, campaign_id, version_id, 'n' || n, 'done', now() from campaign_run, generate_series(1, $2) n
        where run_id = $1`,
      [runId, steps],
    );
  const player = await insertPlayer(pool, brand.brand_id, 'lia');
  const { rows } = await pool.query<{ run_id: number }>(
    `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
     select $1, $2, campaign_id, 1, n::text, '{"type": "api", "key": "k", "at": 0}', 'done', '{"step": null, "variants": {}}', now(), now()
       from campaign, generate_series(1, 2) n where code = 'long' returning run_id`,
    [player, brand.brand_id],
  );
  const [first, second] = rows.map(({ run_id }) => run_id);
  await insertSteps(first ?? 0, 9_999);
  await insertSteps(second ?? 0, 1);
  type Run = { run_id: number; steps: unknown[]; steps_cut: boolean };
  const shown = async (address: string) => {
    const { status, body } = await console.get(`/brands/malta/${address}`);
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
    const runs: Run[] = body.items ?? [body];
    return runs.map(({ run_id, steps, steps_cut }) => [run_id, steps.length, steps_cut]);
  };
  expect(await shown('players/lia/runs')).toEqual([
    [second, 1, false],
    [first, 9_999, false],
  ]);
  await insertSteps(second ?? 0, 1);
  expect(await shown('players/lia/runs')).toEqual([
    [second, 1, true],
    [first, 9_999, true],
  ]);
  expect(await shown(`runs/${second}`)).toEqual([[second, 2, false]]);
});

test('a run that is done shows until when its goal counts, or null if its campaign has no goal', async () => {
  await reader('eva');
  const steps = [{ id: 'mark', tag: 'x' }];
  for (const [code, more] of Object.entries({ aims: { goal: { event: 'bet', within: 'P7D' } }, aimless: {} })) {
    await console.call('POST', path, { body: { ...document, code, steps, ...more } });
    expect((await console.call('POST', `${path}/${code}/publish`)).status).toBe(200);
    await console.call('POST', `${path}/${code}/enter`, { body: { user_id: 'eva', key: code } });
  }
  while ((await lane.runOnce()).more);
  const { items } = (await console.get('/brands/malta/players/eva/runs')).body;
  const until = Object.fromEntries(
    items.map((run: { campaign: string; state: string; goal_until: string | null }) => [
      run.campaign,
      [run.state, run.goal_until],
    ]),
  );
  const of = (campaign: string) => items.find((run: { campaign: string }) => run.campaign === campaign);
  const week = new Date(Date.parse(of('aims').entered_at) + 7 * 86_400_000);
  expect((await console.get(`${path}/aims/runs?state=running`)).body.items).toEqual([]);
  expect(until).toEqual({ aims: ['done', expect.any(String)], aimless: ['done', null] });
  expect(new Date(of('aims').goal_until)).toEqual(week);
  expect((await console.get(`/brands/malta/runs/${of('aims').run_id}`)).body.goal_until).toBe(of('aims').goal_until);
});

test('effects withheld by the gate are listed with their reason', async () => {
  await insertPlayer(pool, brand.brand_id, 'ben').then((player) =>
    makeKnown(pool, brand.brand_id, [player], timestamptzText(clock.now())),
  );
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select player_id, 'sitenotification', 'SiteNotification', 'SiteNotification', false, 'look_up', $1 from player where user_id = 'ben'`,
    [timestamptzText(clock.now())],
  );
  await console.call('POST', `${path}/calls/enter`, { body: { user_id: 'ben', key: 'k1' } });
  await lane.runOnce();
  expect((await console.get(`${path}/calls/withheld`)).body.items).toMatchObject([
    { user_id: 'ben', step: 'hello', reason: 'no_consent' },
  ]);
});

test('a paused campaign sends nothing, and held effects continue when it is resumed; a stopped one ends all runs', async () => {
  await reader('cora');
  const later = {
    ...document,
    steps: [
      { id: 'pause', wait: { for: 'PT1H' } },
      { ...send, id: 'again' },
    ],
  };
  expect((await console.call('PUT', `${path}/calls`, { body: later })).body.draft).toMatchObject({ version: 2 });
  await console.call('POST', `${path}/calls/publish`);
  await console.call('POST', `${path}/calls/enter`, { body: { user_id: 'cora', key: 'k1' } });
  await lane.runOnce();
  expect((await console.call('POST', `${path}/calls/pause`)).body.state).toBe('paused');
  clock.advance(3_600_000_000);
  await lane.runOnce();
  const ofCora = async () => (await console.get('/brands/malta/players/cora/runs')).body.items[0];
  expect(await ofCora()).toMatchObject({ state: 'held', reason: 'paused', version: 2 });
  expect((await console.call('POST', `${path}/calls/enter`, { body: { user_id: 'cora', key: 'k2' } })).status).toBe(
    409,
  );
  expect((await console.call('POST', `${path}/calls/resume`)).body.state).toBe('live');
  await lane.runOnce();
  expect(await ofCora()).toMatchObject({ state: 'done' });

  await console.call('PUT', `${path}/calls`, { body: { ...later, reentry: { times: 5 } } });
  await console.call('POST', `${path}/calls/publish`);
  await console.call('POST', `${path}/calls/enter`, { body: { user_id: 'cora', key: 'k3' } });
  await lane.runOnce();
  expect(await ofCora()).toMatchObject({ state: 'waiting', version: 3 });
  expect((await console.call('DELETE', `${path}/calls`)).status).toBe(409);
  expect((await console.call('POST', `${path}/calls/stop`)).body.state).toBe('stopped');
  await lane.runOnce();
  expect(await ofCora()).toMatchObject({ state: 'exited', reason: 'stopped' });
  expect((await console.call('DELETE', `${path}/calls`)).status).toBe(204);
  expect((await console.get(`${path}/calls`)).status).toBe(404);
});

test('with the share 0 no player enters, and an event that no campaign uses creates no news', async () => {
  await console.call('POST', path, { body: { ...document, code: 'none' } });
  await console.call('POST', `${path}/none/publish`);
  expect((await console.call('POST', `${path}/none/ramp`, { body: { share: 0 } })).body.share).toBe(0);
  await console.call('POST', `${path}/none/enter`, { body: { user_id: 'ann', key: 'k9' } });
  await console.publish('payment', paymentBody({ user_id: 'ann', payment_id: 'p' }));
  await console.derive();
  await lane.runOnce();
  expect((await console.get(`${path}/none/runs`)).body.items).toEqual([]);
  expect((await pool.query('select from campaign_news')).rowCount).toBe(0);
});

test('roles that may not manage campaigns can read them', async () => {
  const viewer = await console.as('viewer');
  expect((await console.get(path, viewer)).status).toBe(200);
  expect((await console.call('POST', `${path}/none/stop`, { token: viewer })).status).toBe(403);
});

test('the times of a schedule are listed with their progress, and a wrong schedule is refused', async () => {
  const of = (schedule: object) => ({ ...document, code: 'daily', entry: { schedule }, steps: [] });
  await console.call('POST', path, { body: of({ every: 'PT1H', at: '10:00' }) });
  expect(await console.call('POST', `${path}/daily/publish`)).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/entry/schedule/every' }] },
  });
  await console.call('PUT', `${path}/daily`, { body: of({ every: 'P1D', at: '14:00' }) });
  expect((await console.call('POST', `${path}/daily/publish`)).status).toBe(200);
  expect((await console.get(`${path}/daily/starts`)).body).toEqual({ items: [], next: null });
  const deps = { pool, brands, clock: clock.now, log: testLog, rules: new PlatformRules({ pool }) };
  const starter = new CampaignStarter({ ...deps, wake: () => {} });
  clock.advance(2 * 86_400_000_000);
  await starter.runOnce();
  await starter.runOnce();
  const players = (await pool.query('select from player')).rowCount;
  const { items, next } = (await console.get(`${path}/daily/starts?limit=1`)).body;
  expect(items).toMatchObject([{ state: 'done', reason: null, total: players, looked: players, entered: players }]);
  const { items: earlier } = (await console.get(`${path}/daily/starts?limit=1&cursor=${next}`)).body;
  expect(earlier).toMatchObject([{ state: 'skipped', reason: 'missed', total: null, looked: 0, started_at: null }]);
  await lane.runOnce();
  expect((await console.get(`${path}/daily/runs?limit=1`)).body.items).toMatchObject([
    { state: 'done', cause: { type: 'schedule', local: items[0].local, at: items[0].at } },
  ]);
});

test('no player enters through a call if the campaign has another entry, and the answer names that entry', async () => {
  const entries = [
    ['event', { event: 'payment' }, 'players enter this campaign by the event payment, not by API calls'],
    [
      'schedule',
      { schedule: { every: 'P1D', at: '10:00' } },
      'players enter this campaign by its schedule, not by API calls',
    ],
  ] as const;
  for (const [code, entry, detail] of entries) {
    await console.call('POST', path, { body: { ...document, code, entry, steps: [] } });
    expect(await console.call('POST', `${path}/${code}/enter`, { body: { user_id: 'ann', key: 'k' } })).toMatchObject({
      status: 409,
      body: { detail: 'the campaign is draft; players can only enter a live campaign' },
    });
    await console.call('POST', `${path}/${code}/publish`);
    expect(await console.call('POST', `${path}/${code}/enter`, { body: { user_id: 'ann', key: 'k' } })).toMatchObject({
      status: 409,
      body: { detail },
    });
  }
});

test('active runs move to a version that is published with move_runs, and the versions show how many runs each has', async () => {
  await reader('mia');
  const wait = { id: 'rest', wait: { for: 'PT1H' } };
  const of = (...steps: object[]) => ({ ...document, code: 'moving', steps });
  await console.call('POST', path, { body: of(wait) });
  await console.call('POST', `${path}/moving/publish`);
  await console.call('POST', `${path}/moving/enter`, { body: { user_id: 'mia', key: 'k' } });
  await lane.runOnce();
  await console.call('PUT', `${path}/moving`, { body: of(wait, { id: 'mark', tag: 'x' }) });
  const versions = async () => (await console.get(`${path}/moving/versions`)).body.items;
  expect((await console.call('POST', `${path}/moving/publish`, { body: { move_runs: true } })).status).toBe(200);
  expect(await versions()).toMatchObject([
    { version: 2, running: 0, moves_runs: true },
    { version: 1, running: 1, moves_runs: false },
  ]);
  await lane.runOnce();
  expect(await versions()).toMatchObject([
    { version: 2, running: 1 },
    { version: 1, running: 0 },
  ]);
  const { items } = (await console.get('/brands/malta/players/mia/runs')).body;
  expect(items).toMatchObject([{ version: 2, steps: [{ id: 'rest' }, { state: 'moved', reason: 'from version 1' }] }]);
});

test('a segment with which a campaign starts, or that it uses, cannot be deleted', async () => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
  for (const code of ['begun_with', 'asked_for', 'scheduled', 'free'])
    await console.call('POST', '/brands/malta/segments', { body: { code, name: code, rule } });
  const member = { combinator: 'and', rules: [{ field: 'segment.asked_for', operator: '=', value: true }] };
  const user = { ...document, code: 'user', entry: { segment: 'begun_with', on: 'entered' }, audience: member };
  expect((await console.call('POST', path, { body: user })).status).toBe(201);
  const entry = { schedule: { every: 'P1D', at: '10:00' }, to: 'scheduled' };
  await console.call('POST', path, { body: { ...document, code: 'user_too', entry } });
  const { items } = (await console.get('/brands/malta/segments')).body as {
    items: { code: string; campaigns: string[] }[];
  };
  expect(Object.fromEntries(items.map(({ code, campaigns }) => [code, campaigns]))).toMatchObject({
    asked_for: ['user'],
    begun_with: ['user'],
    scheduled: ['user_too'],
    free: [],
  });
  expect((await console.get('/brands/malta/segments/scheduled')).body.campaigns).toEqual(['user_too']);
  for (const code of ['begun_with', 'asked_for', 'scheduled']) {
    const { status, body } = await console.call('DELETE', `/brands/malta/segments/${code}`);
    expect([status, body.detail]).toEqual([409, expect.stringContaining('user')]);
  }
  expect((await console.call('DELETE', '/brands/malta/segments/free')).status).toBe(204);
});

test('a document with NUL is refused when it is saved, so that it does not affect templates and segments of the brand', async () => {
  const body = { ...document, code: 'nul', steps: [{ id: 'end', exit: { reason: 'a\u0000b' } }] };
  const { status, body: answer } = await console.call('POST', path, { body });
  expect([status, answer.errors]).toMatchObject([400, [{ path: '/steps/0/exit/reason' }]]);
  expect((await console.call('GET', '/brands/malta/templates/hello')).status).toBe(200);
});

test('a draft with errors has results, without its splits', async () => {
  const body = { ...document, code: 'broken', steps: [{ id: 'a', split: [null] }] };
  expect((await console.call('POST', path, { body })).status).toBe(201);
  expect(await console.call('GET', `${path}/broken/results`)).toMatchObject({ status: 200, body: { splits: [] } });
  expect((await console.call('POST', `${path}/broken/publish`)).status).toBe(400);
});
