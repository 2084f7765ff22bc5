import { beforeAll, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { lockReferences } from '../../campaigns/index.ts';
import { transaction } from '../../database/index.ts';
import {
  PlatformRules,
  readSegments,
  SegmentComputer,
  SegmentLane,
  saveContent,
  tagPlayers,
} from '../../segments/membership/index.ts';
import { failVersion } from '../../segments/membership/versions/store.ts';

const console = await setupConsole();
const { pool, brands, clock, ledger } = console;
const rules = new PlatformRules({ pool });
const deps = { pool, brands, rules, clock: clock.now, log: testLog };
/** This test owns every bucket. */
const owned = new Map(Array.from({ length: 64 }, (_, bucket) => [bucket, { fence: 0, cursor: ledger.beginning }]));
const leases = { owned: () => owned };
const lane = new SegmentLane({ ...deps, leases, onMass: () => {} });
const computer = new SegmentComputer(deps);
const path = '/brands/malta/segments';
const depositors = {
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }],
};

async function follow() {
  rules.forget();
  await computer.runOnce();
  await lane.runOnce();
}

const pay = (user_id: string) =>
  console.publish('payment', paymentBody({ user_id, payment_id: user_id, timestamp: '2026-05-01T11:59:00Z' }));

beforeAll(async () => {
  for (const user_id of ['ann', 'bob', 'c"d'])
    await console.publish('login', { user_id, timestamp: '2026-05-01T11:00:00Z' });
  await pay('ann');
  await console.derive();
});

test('a segment is created, published and computed; an event adds a player, and the API shows why', async () => {
  const made = await console.call('POST', path, { body: { code: 'depositors', name: 'Depositors', rule: depositors } });
  expect(made).toMatchObject({
    status: 201,
    body: { code: 'depositors', state: 'draft', version: 1, members: 0, draft: { version: 1 }, used_by: [] },
  });
  expect((await console.call('POST', `${path}/depositors/publish`)).body).toMatchObject({
    state: 'computing',
    progress: 0,
  });
  expect((await console.call('POST', `${path}/depositors/publish`)).status).toBe(409);
  await follow();
  expect((await console.get(`${path}/depositors`)).body).toMatchObject({
    state: 'live',
    members: 1,
    protected: 0,
    draft: null,
  });

  await pay('bob');
  await console.derive();
  await follow();
  expect(
    (await console.get(`${path}/depositors/members`)).body.items.map((one: { user_id: string }) => one.user_id),
  ).toEqual(['ann', 'bob']);
  expect((await console.get(`${path}/depositors/transitions`)).body.items).toMatchObject([
    { user_id: 'bob', transition: 'entered', silent: false, version: 1, cause: { type: 'event', kind: 'payment' } },
  ]);
  const { items: days } = (await console.get(`${path}/depositors/transitions/days`)).body;
  expect(days).toHaveLength(30);
  // The day is that of the held clock. The first member was added with the version, which creates no transition.
  expect(days.at(-1)).toEqual({ day: '2026-05-01', entered: 1, left: 0 });
  expect(days.at(0)).toEqual({ day: '2026-04-02', entered: 0, left: 0 });
  expect((await console.get(`${path}/depositors/players/bob`)).body).toMatchObject({
    member: true,
    cause: { type: 'event' },
    trace: [{ field: 'trait.deposit_count', operator: '>=', value: 1, actual: expect.anything(), holds: true }],
  });
  expect((await console.get('/brands/malta/players/bob/segments')).body.items).toMatchObject([{ code: 'depositors' }]);
});

test('campaigns start from a publication only with starts_campaigns; the version and the staff audit show it', async () => {
  const audited = async () => {
    const { items } = (await console.get('/brands/malta/audit?limit=20')).body;
    return items.find(({ action }: { action: string }) => action === 'segment.published')?.details;
  };
  await console.call('POST', path, { body: { code: 'told', name: 'Told', rule: depositors } });
  const published = () => console.get(`${path}/told/versions`);
  expect((await console.call('POST', `${path}/told/publish?starts_campaigns=yes`)).status).toBe(400);
  expect((await published()).body.items).toMatchObject([{ version: 1, state: 'draft', starts_campaigns: false }]);
  expect((await console.call('POST', `${path}/told/publish?starts_campaigns=true`)).status).toBe(200);
  expect((await published()).body.items).toMatchObject([{ version: 1, state: 'computing', starts_campaigns: true }]);
  expect(await audited()).toEqual({ version: 1, starts_campaigns: true });
  await follow();
  const { items } = (await console.get(`${path}/told/transitions`)).body;
  expect(items).toHaveLength((await console.get(`${path}/told`)).body.members);
  expect(items[0]).toMatchObject({ transition: 'entered', silent: false, cause: { type: 'rule', version: 1 } });
  await console.call('PUT', `${path}/told`, { body: { include_protected: true } });
  await console.call('POST', `${path}/told/publish`);
  await follow();
  expect((await published()).body.items[0]).toMatchObject({ version: 2, state: 'in_force', starts_campaigns: false });
  expect(await audited()).toEqual({ version: 2, starts_campaigns: false });
  expect((await console.call('DELETE', `${path}/told`)).status).toBe(204);
});

test('a published version that failed shows its reason next to a newer draft, until another version is published', async () => {
  const read = async () => (await console.get(`${path}/hidden`)).body;
  await console.call('POST', path, { body: { code: 'hidden', name: 'Hidden', rule: depositors } });
  await console.call('POST', `${path}/hidden/publish`);
  await follow();
  expect(await read()).toMatchObject({ version: 1, state: 'live', reason: null, failed_version: null, draft: null });
  await console.call('PUT', `${path}/hidden`, { body: { include_protected: true } });
  await console.call('POST', `${path}/hidden/publish`);
  await console.call('PUT', `${path}/hidden`, { body: { rule: depositors, include_protected: false } });
  const { rows } = await pool.query<{ version_id: number }>(
    `select version_id from segment_version join segment using (segment_id) where code = 'hidden' and version = 2`,
  );
  await failVersion(pool, rows[0]?.version_id ?? 0, 'the field is gone');
  const failed = { reason: 'the field is gone', failed_version: 2 };
  expect(await read()).toMatchObject({ version: 1, state: 'live', ...failed, draft: { version: 3, reason: null } });
  await console.call('POST', `${path}/hidden/publish`);
  expect(await read()).toMatchObject({ version: 1, state: 'computing', reason: null, failed_version: null });
  await follow();
  expect(await read()).toMatchObject({ version: 3, state: 'live', reason: null, failed_version: null });
});

test('no members are shown or exported before the first computation is finished, because the list would be incomplete', async () => {
  await console.call('POST', path, { body: { code: 'half', name: 'Half', rule: depositors } });
  const nothing = async () => {
    expect((await console.get(`${path}/half/members`)).body.items).toEqual([]);
    for (const file of ['members.csv', 'members.jsonl'])
      expect(await console.get(`${path}/half/${file}`)).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('has no members yet') },
      });
  };
  await nothing();
  await console.call('POST', `${path}/half/publish`);
  const { segment_id } = (await readSegments(pool, console.brand.brand_id, { code: 'half' }))[0] ?? {};
  await pool.query(
    `insert into segment_member (player_id, version_id, protected, since)
     select player_id, version_id, false, now() from player, segment_version where user_id = 'ann' and segment_id = $1`,
    [segment_id],
  );
  await nothing();
  await follow();
  expect((await console.get(`${path}/half/members`)).body.items).toHaveLength(2);
});

test('the membership of a player is explained even if the rule refers to a segment that was just created', async () => {
  const explained = (code: string) => console.get(`${path}/${code}/players/ann`);
  expect((await explained('depositors')).status).toBe(200);
  await console.call('POST', path, { body: { code: 'fresh', name: 'Fresh', rule: depositors } });
  await console.call('POST', `${path}/fresh/publish`);
  const rule = { combinator: 'and', rules: [{ field: 'segment.fresh', operator: '=', value: true }] };
  await console.call('POST', path, { body: { code: 'reads_fresh', name: 'Reads fresh', rule } });
  expect(await explained('reads_fresh')).toMatchObject({ status: 200, body: { trace: [{ field: 'segment.fresh' }] } });
});

test('members have the name and country of their details, masked as in the list of players', async () => {
  await pool.query(
    `insert into player_profile (player_id, first_name, last_name, country, email, is_blocked, roles, segmentation, changed_at)
     select player_id, 'Ann', '', 'MT', 'ann@example.com', false, '{player}', '{}', now() from player where user_id = 'ann'`,
  );
  await console.call('POST', path, { body: { code: 'other', name: 'Other', user_ids: ['ann', 'bob'] } });
  await console.call('POST', `${path}/other/publish`);
  await follow();
  const nameOf = ({ user_id, first_name, last_name, country }: Record<string, unknown>) => ({
    user_id,
    first_name,
    last_name,
    country,
  });
  const read = async (list: string, token?: string) =>
    (await console.get(`/brands/malta/${list}`, token)).body.items.map(nameOf);
  const lists = ['segments/depositors/members', 'segments/depositors/overlap?other=other'];
  const bob = { user_id: 'bob', first_name: null, last_name: null, country: null };
  for (const list of lists)
    expect(await read(list)).toEqual([{ user_id: 'ann', first_name: 'Ann', last_name: '', country: 'MT' }, bob]);
  for (const role of ['viewer', 'support', 'integrator'] as const) {
    const token = await console.as(role);
    for (const list of lists) {
      const shown = await read(list, token);
      expect(shown).toEqual([{ user_id: 'ann', first_name: '***', last_name: '', country: 'MT' }, bob]);
      const players = await read('players', token);
      expect(shown).toEqual(players.filter(({ user_id }: { user_id: string }) => ['ann', 'bob'].includes(user_id)));
    }
  }
});

test('members are exported as CSV and as JSON lines', async () => {
  const read = async (name: string) => {
    const url = `/api/console/v1${path}/depositors/${name}`;
    const answer = await console.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${adminToken}` } });
    return answer.body;
  };
  expect(await read('members.csv')).toMatch(/^user_id,since\r\nann,2026-05-01T12:00:00.000000Z\r\nbob,[^\r]+\r\n$/);
  const lines = (await read('members.jsonl')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).user_id)).toEqual(['ann', 'bob']);
});

test('a segment can use a list and a tag; a segment that is used cannot be deleted', async () => {
  const list = { code: 'chosen', name: 'Chosen', user_ids: ['ann', 'c"d', 'nobody'] };
  expect(await console.call('POST', path, { body: list })).toMatchObject({
    status: 201,
    body: { list: { given: 3, listed: 2, unknown: 1, unknown_user_ids: ['nobody'] } },
  });
  expect((await console.call('POST', `${path}/chosen/publish`)).status).toBe(200);
  await follow();
  const rule = {
    combinator: 'and',
    rules: [
      { field: 'segment.chosen', operator: '=', value: true },
      { field: 'tag.vip', operator: '=', value: true },
    ],
  };
  expect((await console.call('POST', path, { body: { code: 'both', name: 'Both', rule } })).status).toBe(201);
  expect((await console.call('POST', `${path}/both/publish`)).status).toBe(200);
  await follow();
  expect((await console.get(`${path}/both`)).body).toMatchObject({ state: 'live', members: 0 });
  const tag = { user_id: 'ann', tag: 'vip', action: 'add' };
  expect((await console.call('POST', '/brands/malta/tags', { body: tag })).body).toEqual({ changed: true });
  expect((await console.call('POST', '/brands/malta/tags', { body: tag })).body).toEqual({ changed: false });
  await follow();
  expect((await console.get(`${path}/both/transitions`)).body.items).toMatchObject([
    { user_id: 'ann', transition: 'entered', cause: { type: 'tag', tag: 'vip' } },
  ]);
  const timeline = '/brands/malta/players/ann/timeline';
  expect((await console.get(`${timeline}?kind=segment`)).body.items).toMatchObject([
    {
      type: 'segment',
      code: 'both',
      transition: 'entered',
      cause: { type: 'tag', tag: 'vip' },
      version: 1,
      silent: false,
    },
  ]);
  expect((await console.get(`${timeline}?kind=tag`)).body.items).toMatchObject([{ type: 'tag', tag: 'vip' }]);
  const removal = { ...tag, action: 'remove' };
  expect((await console.call('POST', '/brands/malta/tags', { body: removal })).body).toEqual({ changed: true });
  expect((await console.call('POST', '/brands/malta/tags', { body: removal })).body).toEqual({ changed: false });
  const { rows } = await pool.query(`select player_id, brand_id from player where user_id = 'ann'`);
  const byCampaign = { ...rows[0], tag: 'vip', action: 'add', actor: 'campaign welcome' };
  await transaction(pool, (tx) => tagPlayers(tx, [byCampaign], clock.now()));
  expect((await console.get(`${timeline}?kind=tag`)).body.items).toMatchObject([
    { type: 'tag', tag: 'vip', action: 'add', by: 'campaign welcome' },
    { type: 'tag', tag: 'vip', action: 'remove' },
    { type: 'tag', tag: 'vip', action: 'add' },
  ]);
  expect((await console.get(timeline)).body.items.map((one: { type: string }) => one.type)).toEqual(
    expect.arrayContaining(['event', 'segment', 'tag']),
  );
  expect((await console.get('/brands/malta/tags')).body.items).toEqual([{ tag: 'vip', players: 1 }]);
  expect((await console.get('/brands/malta/tags?name=VI&limit=1')).body.items).toEqual([{ tag: 'vip', players: 1 }]);
  expect((await console.get('/brands/malta/tags?name=other')).body.items).toEqual([]);
  expect((await console.get(`${path}/chosen`)).body.used_by).toEqual(['both']);
  expect((await console.call('DELETE', `${path}/chosen`)).status).toBe(409);
  expect((await console.call('DELETE', `${path}/both`)).status).toBe(204);
  expect((await console.call('DELETE', `${path}/chosen`)).status).toBe(204);
  expect((await console.get(`${path}/chosen`)).status).toBe(404);
});

test.each([
  [
    'a rule that refers to its own segment',
    { rule: { combinator: 'and', rules: [{ field: 'segment.depositors', operator: '=', value: true }] } },
  ],
  [
    'a field that does not exist',
    { rule: { combinator: 'and', rules: [{ field: 'trait.nothing', operator: '=', value: 1 }] } },
  ],
  ['a rule and a list', { rule: depositors, user_ids: ['ann'] }],
])('%s is refused', async (_, body) => {
  expect((await console.call('PUT', `${path}/depositors`, { body })).status).toBe(400);
});

test('a rule that leads back to its segment names each condition that does', async () => {
  const refers = (...codes: string[]) =>
    codes.map((code) => ({ field: `segment.${code}`, operator: '=', value: true }));
  const save = (code: string, rules: object[]) =>
    console.call('PUT', `${path}/${code}`, { body: { rule: { combinator: 'and', rules } } });
  for (const code of ['loop_a', 'loop_b', 'loop_c'])
    await console.call('POST', path, { body: { code, name: code, rule: depositors } });
  await save('loop_b', refers('loop_a'));
  await save('loop_c', refers('loop_b'));
  const inner = { combinator: 'or', rules: refers('loop_c', 'loop_a') };
  expect(await save('loop_a', [...refers('depositors', 'loop_b'), inner])).toMatchObject({
    status: 400,
    body: {
      errors: [
        { path: 'rule/rules/1/field', message: 'segment.loop_a must not depend on itself (through segment.loop_b)' },
        {
          path: 'rule/rules/2/rules/0/field',
          message: 'segment.loop_a must not depend on itself (through segment.loop_c and segment.loop_b)',
        },
        { path: 'rule/rules/2/rules/1/field', message: 'segment.loop_a must not depend on itself' },
      ],
    },
  });
});

test('a list reports how many of its user_ids are unknown and the first 100 of them; a repeated one counts once', async () => {
  const strangers = Array.from({ length: 150 }, (_, i) => `stranger-${String(i).padStart(3, '0')}`);
  const body = { code: 'mixed', name: 'Mixed', user_ids: [...strangers, 'ann', 'ann', 'bob'] };
  const { list, sentence } = (await console.call('POST', path, { body })).body;
  expect(sentence).toBe('A list of 2 players.');
  expect(list).toEqual({ given: 152, listed: 2, unknown: 150, unknown_user_ids: strangers.slice(0, 100) });
  const again = await console.call('PUT', `${path}/mixed`, { body: { user_ids: ['ann'] } });
  expect(again.body.list).toEqual({ given: 1, listed: 1, unknown: 0, unknown_user_ids: [] });
  expect(again.body.sentence).toBe('A list of 1 player.');
  expect((await console.call('PUT', `${path}/mixed`, { body: { name: 'Other' } })).body.list).toBeUndefined();
  expect((await console.call('PUT', `${path}/mixed`, { body: { user_ids: ['ann', ''] } })).status).toBe(400);
});

test('roles that may not manage segments can read them', async () => {
  const viewer = await console.as('viewer');
  expect((await console.get(path, viewer)).status).toBe(200);
  expect((await console.call('POST', `${path}/depositors/freeze`, { token: viewer })).status).toBe(403);
  expect((await console.call('POST', `${path}/depositors/freeze`)).body).toMatchObject({ draft: { kind: 'list' } });
});

test('freezing does not replace a draft unless the caller has read it', async () => {
  await console.call('POST', path, { body: { code: 'cold', name: 'Cold', rule: depositors } });
  await console.call('POST', `${path}/cold/publish`);
  await follow();
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 7 }] };
  const { revision: older } = (await console.get(`${path}/cold`)).body;
  const { revision } = (await console.call('PUT', `${path}/cold`, { body: { rule } })).body;
  const freeze = (query: string) => console.call('POST', `${path}/cold/freeze${query}`);
  expect(await freeze('')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('freezing replaces the draft (version 2)') },
  });
  expect((await freeze(`?revision=${older}`)).status).toBe(409);
  expect((await console.get(`${path}/cold`)).body.draft).toMatchObject({ kind: 'rule', rule });
  expect(await freeze(`?revision=${revision}`)).toMatchObject({
    status: 200,
    body: { draft: { kind: 'list', sentence: 'The members of version 1, frozen.' } },
  });
});

test('a segment cannot be paused before a version is in force, nor while one is computed', async () => {
  await console.call('POST', path, { body: { code: 'early', name: 'Early', rule: depositors } });
  expect((await console.call('POST', `${path}/early/pause`)).status).toBe(409);
  await console.call('POST', `${path}/early/publish`);
  expect((await console.call('POST', `${path}/early/pause`)).status).toBe(409);
  await follow();
  expect((await console.call('POST', `${path}/early/pause`)).body.state).toBe('paused');
});

test('the computation of a new version is cancelled: it is a draft again, and the previous version stays in force', async () => {
  const call = (how: string) => console.call('POST', `${path}/cancelled/${how}`);
  const twice = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 2 }] };
  await console.call('POST', path, { body: { code: 'cancelled', name: 'Cancelled', rule: depositors } });
  expect((await call('cancel')).status).toBe(409);
  await call('publish?starts_campaigns=true');
  expect(await call('cancel')).toMatchObject({
    status: 200,
    body: { state: 'draft', progress: null, draft: { version: 1, published_at: null, starts_campaigns: false } },
  });
  await call('publish');
  await follow();
  const { members } = (await console.get(`${path}/cancelled`)).body;

  await console.call('PUT', `${path}/cancelled`, { body: { rule: twice } });
  await call('publish');
  expect((await call('cancel')).body).toMatchObject({ state: 'live', version: 1, members, draft: { version: 2 } });
  await follow();
  expect((await console.get(`${path}/cancelled`)).body).toMatchObject({ state: 'live', version: 1, members });
  // A newer draft stays, and the cancelled version is past.
  await call('publish');
  await console.call('PUT', `${path}/cancelled`, { body: { rule: depositors } });
  expect((await call('cancel')).body).toMatchObject({ version: 1, draft: { version: 3 } });
  const { items } = (await console.get(`${path}/cancelled/versions`)).body;
  expect(items.map(({ state }: { state: string }) => state)).toEqual(['draft', 'past', 'in_force']);
  // A recomputation may be necessary, so it continues.
  await call('recompute');
  expect((await call('cancel')).status).toBe(409);
  await follow();
  const audit = await console.get('/brands/malta/audit?action=segment.cancelled');
  expect(audit.body.items.map(({ details }: { details: object }) => details)).toEqual([
    { version: 2 },
    { version: 2 },
    { version: 1 },
  ]);
});

test('a draft that is published while the segment is paused is computed; events change its members only after the resume', async () => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 2 }] };
  await console.call('PUT', `${path}/early`, { body: { rule } });
  await console.call('POST', `${path}/early/publish`);
  await follow();
  expect((await console.get(`${path}/early`)).body).toMatchObject({ state: 'paused', version: 2, members: 0 });
  const again = { user_id: 'ann', payment_id: 'another', timestamp: '2026-05-01T11:59:30Z' };
  await console.publish('payment', paymentBody(again));
  await console.derive();
  await follow();
  expect((await console.get(`${path}/early`)).body.members).toBe(0);
  await console.call('POST', `${path}/early/resume`);
  await follow();
  expect((await console.get(`${path}/early`)).body).toMatchObject({ state: 'live', members: 1 });
});

test('a list can change which players may be members without being sent again', async () => {
  await console.call('POST', path, { body: { code: 'some', name: 'Some', user_ids: ['ann', 'bob'] } });
  const changed = await console.call('PUT', `${path}/some`, { body: { include_protected: true } });
  expect(changed.body.draft).toMatchObject({ version: 1, include_protected: true });
  await console.call('POST', `${path}/some/publish`);
  await follow();
  expect((await console.get(`${path}/some`)).body).toMatchObject({ members: 2, include_protected: true });
  const again = await console.call('PUT', `${path}/some`, { body: { include_protected: false } });
  expect(again.body.draft).toMatchObject({ version: 2, include_protected: false });
  await console.call('POST', `${path}/some/publish`);
  await follow();
  expect((await console.get(`${path}/some`)).body).toMatchObject({ version: 2, members: 2, include_protected: false });
});

test('a list accepts 200,000 user_ids, and not one more', async () => {
  const user_ids = Array.from({ length: 200_000 }, (_, i) => `u${i}`);
  const sent = (list: string[]) =>
    console.call('POST', path, { body: { code: 'large', name: 'Large', user_ids: list } });
  expect((await sent([...user_ids, 'one more'])).body.errors).toMatchObject([{ path: 'user_ids' }]);
  expect((await sent(user_ids)).status).toBe(201);
});

test('a paused segment keeps its members for other segments that use it', async () => {
  await console.call('POST', path, { body: { code: 'asked', name: 'Asked', rule: depositors } });
  await console.call('POST', `${path}/asked/publish`);
  await follow();
  const rule = { combinator: 'and', rules: [{ field: 'segment.asked', operator: '=', value: true }] };
  await console.call('POST', path, { body: { code: 'asking', name: 'Asking', rule } });
  await console.call('POST', `${path}/asking/publish`);
  await follow();
  const { members } = (await console.get(`${path}/asking`)).body;
  expect(members).toBeGreaterThan(0);
  await console.call('POST', `${path}/asked/pause`);
  await console.call('POST', `${path}/asking/recompute`);
  await follow();
  expect((await console.get(`${path}/asking`)).body.members).toBe(members);
  // The evaluation of a single player and the preview agree, too.
  await console.call('POST', '/brands/malta/tags', { body: { user_id: 'ann', tag: 'seen', action: 'add' } });
  const both = { combinator: 'and', rules: [...rule.rules, { field: 'tag.seen', operator: '=', value: true }] };
  await console.call('POST', path, { body: { code: 'both', name: 'Both', rule: both } });
  await console.call('POST', `${path}/both/publish`);
  await follow();
  await console.call('POST', '/brands/malta/tags', { body: { user_id: 'bob', tag: 'seen', action: 'add' } });
  await follow();
  expect((await console.get(`${path}/both`)).body.members).toBe(2);
  const { body: tried } = await console.call('POST', '/brands/malta/rules/preview', { body: { rule: both } });
  expect(tried.count).toBe(2);
});

test('changes of a resumed segment reach the segments that use it', async () => {
  const before = (await console.get(`${path}/asking`)).body.members;
  await pay('c"d');
  await console.derive();
  await follow();
  expect((await console.get(`${path}/asking`)).body.members).toBe(before);
  await console.call('POST', `${path}/asked/resume`);
  for (let round = 0; round < 3; round++) await follow();
  expect((await console.get(`${path}/asked`)).body.members).toBe(before + 1);
  expect((await console.get(`${path}/asking`)).body.members).toBe(before + 1);
});

test('of two people who change the same revision of a segment, the second is refused and nothing is lost', async () => {
  const made = await console.call('POST', path, { body: { code: 'shared', name: 'Shared', rule: depositors } });
  const { revision } = made.body;
  const change = (body: object, query: string) => console.call('PUT', `${path}/shared${query}`, { body });
  const first = await change({ name: 'First' }, `?revision=${revision}`);
  expect(first.status).toBe(200);
  expect(await change({ user_ids: ['ann'] }, `?revision=${revision}`)).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('was changed after you read it') },
  });
  expect((await console.get(`${path}/shared`)).body).toMatchObject({ name: 'First', rule: depositors });
  const listed = await change({ user_ids: ['ann'] }, `?revision=${first.body.revision}`);
  clock.advance(1);
  // The players of a list are part of its revision.
  expect((await change({ user_ids: ['bob'] }, `?revision=${listed.body.revision}`)).status).toBe(200);
  expect((await change({ user_ids: ['ann'] }, `?revision=${listed.body.revision}`)).status).toBe(409);
  expect((await change({ name: 'Last' }, '')).status).toBe(200);
});

test('a draft that another person changed is not published by its old revision', async () => {
  const { body: first } = await console.call('POST', path, { body: { code: 'seen', name: 'Seen', rule: depositors } });
  const { body: second } = await console.call('PUT', `${path}/seen`, { body: { user_ids: ['ann'] } });
  const publish = (revision: string) => console.call('POST', `${path}/seen/publish?revision=${revision}`);
  expect(await publish(first.revision)).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('was changed after you read it') },
  });
  expect((await console.get(`${path}/seen`)).body).toMatchObject({ state: 'draft' });
  expect((await publish(second.revision)).status).toBe(200);
  // Publishing does not change the content, so the revision stays.
  expect((await console.get(`${path}/seen`)).body.revision).toBe(second.revision);
});

test('two rules that are saved at the same moment cannot refer to each other', async () => {
  const memberOf = (code: string) => ({
    combinator: 'and',
    rules: [{ field: `segment.${code}`, operator: '=', value: true }],
  });
  const { brand } = console;
  for (const code of ['first', 'second'])
    await console.call('POST', path, { body: { code, name: code, rule: depositors } });
  const other = await pool.connect();
  try {
    await other.query('begin');
    const [segment] = await readSegments(other, brand.brand_id, { code: 'first', lock: true });
    if (segment === undefined) throw new Error('there is no segment');
    await lockReferences(other, brand.brand_id);
    const change = { brand, rules, segment, content: { rule: memberOf('second') }, include_protected: false };
    rules.forget();
    await saveContent(other, change, { at: clock.now(), actor: 'another person' });
    const saving = console.call('PUT', `${path}/second`, { body: { rule: memberOf('first') } });
    await Promise.race([saving, expect.poll(waitingForReferences).toBe(1)]);
    await other.query('commit');
    expect(await saving).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            path: 'rule/rules/0/field',
            message: 'segment.second must not depend on itself (through segment.first)',
          },
        ],
      },
    });
  } finally {
    other.release();
  }
});

/** How many transactions wait for `lockReferences`. */
async function waitingForReferences(): Promise<number | null> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and not granted and objid = $1
        and database = (select oid from pg_database where datname = current_database())`,
    [console.brand.brand_id],
  );
  return rowCount;
}
