import { beforeAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { CampaignLane } from '../../campaigns/index.ts';
import { timestamptzText } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';
import { setPlayer } from '../../scenarios/player.ts';
import { TimelineReader } from '../../scenarios/timeline-reader.ts';
import { PlatformRules } from '../../segments/membership/index.ts';
import { presentEntry } from './timeline.ts';

const console = await setupConsole({
  quiet_hours: { from: '22:00', to: '08:00' },
  frequency_caps: [{ channel: 'site', times: 1, within: 'PT1H' }],
});
const { pool, brand, brands, clock, ledger, links, signals } = console;
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
const hour = 3_600_000_000;
const ids = new Map<string, number>();
const names = ['ann', 'bob', 'cat', 'dan', 'eve'];
const steps = [
  { id: 'hello', send: { channel: 'site', template: 'hello' } },
  { id: 'pause', wait: { for: 'PT6H' } },
  {
    id: 'who',
    branch: [
      {
        when: { combinator: 'and', rules: [{ field: 'trait.deposit_count_24h', operator: '>=', value: 1 }] },
        steps: [{ id: 'gift', credit: { bonus_code: 'GIFT' } }],
      },
      { otherwise: [{ id: 'new', tag: 'new' }] },
    ],
  },
  { id: 'login', wait: { event: 'login', timeout: 'P3D' } },
  { id: 'late', wait: { until: '23:00', zone: 'brand' } },
  { id: 'again', send: { channel: 'site', template: 'hello' } },
];
const api = { code: 'tried', name: 'Tried', entry: { api: true }, steps };

beforeAll(async () => {
  const template = {
    code: 'hello',
    name: 'Hello',
    channel: 'site',
    content: {
      en: { title: 'Hello {{ player.first_name | default: "you" }}, {{ event.amount | default: "no" }} thanks' },
    },
  };
  expect((await console.call('POST', '/brands/malta/templates', { body: template })).status).toBe(201);
  for (const name of names) ids.set(name, await insertPlayer(pool, brand.brand_id, name));
  const at = timestamptzText(clock.now());
  await makeKnown(pool, brand.brand_id, [...ids.values()], at);
  // Bob does not permit messages.
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select id, 'sitenotification', 'SiteNotification', 'SiteNotification', id <> $3, 'look_up', $2 from unnest($1::bigint[]) id`,
    [[...ids.values()], at, ids.get('bob')],
  );
  await setPlayer(pool, brand, ids.get('cat') ?? 0, { excluded: true }, clock.now());
  for (const [place, name] of ['ann', 'bob', 'eve'].entries())
    await console.publish(
      'payment',
      paymentBody({ user_id: name, payment_id: name, amount: 10 + place, timestamp: '2026-05-01T11:30:00Z' }),
    );
  await console.derive();
});

const rowsOf = async () => {
  const tables = [
    'campaign_run',
    'campaign_run_step',
    'notification',
    'bonus_intent',
    'player_tag',
    'gate_decision',
    'gate_hold',
    'campaign_news',
  ];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const { rows } = await pool.query(
    `select ${counts.join(', ')}, (select md5(string_agg(s::text, ';' order by s::text)) from player_sync s) as sync`,
  );
  return rows[0];
};

test('a dry run predicts exactly what the live campaign then does to a player, step by step', async () => {
  await console.call('POST', path, { body: api });
  const before = await rowsOf();
  const started = clock.now();
  const said = new Map<string, { enters: boolean; reason: string | null; timeline: Record<string, unknown>[] }>();
  for (const name of names) {
    const { status, body } = await console.call('POST', `${path}/tried/dry-run`, { body: { user_id: name } });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ version: 1, state: 'draft', next: null });
    said.set(name, body.items[0]);
  }
  expect(await rowsOf()).toEqual(before);
  expect(said.get('cat')).toMatchObject({ enters: false, reason: 'excluded', timeline: [] });
  expect(
    said.get('ann')?.timeline.map(({ step, outcome, reason, rendered }) => [step, outcome, reason, rendered]),
  ).toEqual([
    [null, 'entered', null, null],
    ['hello', 'sent', null, 'Hello you, no thanks: '],
    ['pause', 'waiting', null, null],
    ['pause', 'went_on', null, null],
    ['who', 'branched', null, null],
    ['gift', 'credited', null, null],
    ['login', 'waiting', null, null],
    ['login', 'went_on', 'timeout', null],
    ['late', 'waiting', null, null],
    ['late', 'went_on', null, null],
    ['again', 'held', 'quiet_hours', null],
    ['again', 'sent', null, 'Hello you, no thanks: '],
    [null, 'done', null, null],
  ]);
  expect(said.get('bob')?.timeline[1]).toMatchObject({ step: 'hello', outcome: 'withheld', reason: 'no_consent' });

  await console.call('POST', `${path}/tried/publish`);
  const readers = new Map<string, TimelineReader>();
  const did = new Map<string, unknown[]>();
  const look = async () => {
    await pool.query('update player_sync set done = requested, as_of = $1, due_at = null', [
      timestamptzText(clock.now()),
    ]);
    while ((await lane.runOnce()).more);
    for (const [name, playerId] of ids) {
      const reader = readers.get(name) ?? new TimelineReader({ pool, playerId });
      readers.set(name, reader);
      const came = await reader.next(clock.now(), brand.brand_id);
      did.set(name, [...(did.get(name) ?? []), ...came.map((entry) => presentEntry(entry, true))]);
    }
  };
  for (const name of names) await console.call('POST', `${path}/tried/enter`, { body: { user_id: name, key: name } });
  for (; clock.now() < started + 5 * 24 * hour; clock.advance(hour / 2)) await look();
  for (const name of names) expect(did.get(name), name).toEqual(said.get(name)?.timeline);
});

test('a dry run tries the players of the audience, page by page; for a player outside it, it gives the reason', async () => {
  const audience = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
  const body = { ...api, code: 'paid', entry: { event: 'payment' }, audience, steps: [steps[0]] };
  await console.call('POST', path, { body });
  const first = await console.call('POST', `${path}/paid/dry-run`, { body: { players: 2 } });
  expect(first.body.items).toMatchObject([
    { user_id: 'ann', enters: true, has_cause: true },
    { user_id: 'bob', enters: true },
  ]);
  // The event fields are those of the player's latest payment.
  expect(first.body.items[0].timeline[1]).toMatchObject({ rendered: 'Hello you, 10 thanks: ' });
  const second = await console.call('POST', `${path}/paid/dry-run`, { body: { players: 2, after: first.body.next } });
  expect(second.body).toMatchObject({ items: [{ user_id: 'eve' }], next: null });
  const dan = await console.call('POST', `${path}/paid/dry-run`, { body: { user_id: 'dan' } });
  expect(dan.body.items).toMatchObject([{ enters: false, reason: 'audience', has_cause: false, timeline: [] }]);
});

test('for an unknown player, everything is held: the dry run shows this and stops', async () => {
  await insertPlayer(pool, brand.brand_id, 'stranger');
  const { body } = await console.call('POST', `${path}/tried/dry-run`, { body: { user_id: 'stranger' } });
  expect(body.items).toMatchObject([
    { enters: true, timeline: [{ outcome: 'entered' }, { step: 'hello', outcome: 'held', reason: 'unknown' }] },
  ]);
});

test('roles that may not see personal data do not see the texts', async () => {
  const token = await console.as('viewer');
  const { body } = await console.call('POST', `${path}/paid/dry-run`, { body: { user_id: 'ann' }, token });
  expect(body.items[0].timeline[1]).toMatchObject({ outcome: 'sent', rendered: null });
});

test("results of campaigns are in the player's timeline, with messages and runs", async () => {
  const { body } = await console.get('/brands/malta/players/ann/timeline?kind=run');
  expect(body.items).toMatchObject([
    { type: 'run', campaign: 'tried', state: 'done', reason: null, cause: 'api' },
    { type: 'run', campaign: 'tried', state: 'entered' },
  ]);
  const messages = await console.get('/brands/malta/players/ann/timeline?kind=message');
  expect(messages.body.items).toHaveLength(2);
});

test('a campaign with errors, and a player or version that does not exist, are refused', async () => {
  const body = { ...api, code: 'wrong', steps: [{ id: 'x', send: { channel: 'site', template: 'none' } }] };
  await console.call('POST', path, { body });
  expect((await console.call('POST', `${path}/wrong/dry-run`, { body: {} })).status).toBe(400);
  expect((await console.call('POST', `${path}/paid/dry-run`, { body: { user_id: 'zoe' } })).status).toBe(404);
  expect((await console.call('POST', `${path}/paid/dry-run`, { body: { version: 'published' } })).status).toBe(404);
});
