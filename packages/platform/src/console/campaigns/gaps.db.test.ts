import { expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { timestamptzText } from '../../database/index.ts';
import { basePath } from '../routing/endpoint.ts';

const console = await setupConsole();
const { pool, brand, clock } = console;
const path = '/brands/malta/campaigns';

async function player(
  user: string,
  profile: { country: string; market?: string; first_name?: string; level?: string },
): Promise<void> {
  const id = await insertPlayer(pool, brand.brand_id, user);
  await makeKnown(pool, brand.brand_id, [id], timestamptzText(clock.now()));
  await pool.query(
    `update player_profile set country = $2, first_name = $3, segmentation = jsonb_strip_nulls(jsonb_build_object('level', $4::text)),
            market = $5
      where player_id = $1`,
    [id, profile.country, profile.first_name ?? null, profile.level ?? null, profile.market ?? null],
  );
}
await player('ann', { country: 'MT', first_name: 'Ann', level: 'gold' });
await player('bob', { country: 'MT' });
await player('cid', { country: 'MT', first_name: 'Cid' });
await player('dee', { country: 'SE' });
const template = (code: string, title: string) => ({ code, name: code, channel: 'site', content: { en: { title } } });
for (const body of [
  template('hello', 'Hello {{ player.first_name }} of {{ player.segmentation.level }}'),
  template('safe', 'Hello {{ player.first_name | default: "you" }}'),
])
  expect((await console.call('POST', '/brands/malta/templates', { body })).status).toBe(201);

const send = (id: string, code: string) => ({ id, send: { channel: 'site', template: code } });
const document = {
  code: 'welcome',
  name: 'Welcome',
  entry: { api: true },
  audience: { combinator: 'and', rules: [{ field: 'profile.country', operator: '=', value: 'MT' }] },
  steps: [send('one', 'hello'), send('two', 'hello'), send('three', 'safe')],
};

test('before publishing, missing values in messages are counted over the audience, or over all players if there is none', async () => {
  await console.call('POST', path, { body: document });
  expect((await console.get(`${path}/welcome/gaps`)).body).toEqual({
    absent: [],
    templates: [
      {
        template: 'hello',
        steps: ['one', 'two'],
        players: 3,
        gaps: [
          { variable: 'player.first_name', players: 1 },
          { variable: 'player.segmentation.level', players: 2 },
        ],
      },
      { template: 'safe', steps: ['three'], players: 3, gaps: [] },
    ],
    policies: [],
    warnings: [],
  });
  const { audience: _, ...everybody } = document;
  await console.call('PUT', `${path}/welcome`, { body: everybody });
  expect((await console.get(`${path}/welcome/gaps`)).body.templates[0]).toMatchObject({
    players: 4,
    gaps: [{ players: 2 }, { players: 3 }],
  });
});

test('traits without a value are counted like missing details, with the audience and without one', async () => {
  const title =
    'Since {{ trait.deposit_last_at | date: "%Y" }}: {{ trait.deposit_count }} {{ trait.casino_favorite_game_30d }}';
  await console.call('POST', '/brands/malta/templates', { body: template('since', title) });
  const since = { ...document, code: 'since', name: 'Since', steps: [send('one', 'since')] };
  await console.call('POST', path, { body: since });
  await pool.query(
    `insert into live.payment_total (player_id, vendor_id, deposit_count, deposit_sum, deposit_fee_sum, withdrawal_count, withdrawal_sum,
            withdrawal_fee_sum, deposit_last_at)
     select player_id, 'card', 1, 10, 0, 0, 0, 0, $1 from player where user_id = 'ann'`,
    [timestamptzText(clock.now())],
  );
  const gaps = async () => (await console.get(`${path}/since/gaps`)).body.templates[0];
  const missing = (last: number, all: number) => [
    { variable: 'trait.deposit_last_at', players: last },
    { variable: 'trait.casino_favorite_game_30d', players: all },
  ];
  expect(await gaps()).toMatchObject({ players: 3, gaps: missing(2, 3) });
  const { audience: _, ...everybody } = since;
  await console.call('PUT', `${path}/since`, { body: everybody });
  expect(await gaps()).toMatchObject({ players: 4, gaps: missing(3, 4) });
  expect((await console.get('/brands/malta/templates/since/gaps')).body).toEqual({ players: 4, gaps: missing(3, 4) });
});

test('a draft with errors is refused with these errors', async () => {
  await console.call('PUT', `${path}/welcome`, { body: { ...document, steps: [send('one', 'nothing')] } });
  expect(await console.get(`${path}/welcome/gaps`)).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/steps/0/send/template' }] },
  });
});

test('variables that no run can have are listed with their path, step and template', async () => {
  const title = 'You paid {{ event.amount }} {{ event.color }} {{ event.shade | default: "" }}: {{ offer.bonus_code }}';
  await console.call('POST', '/brands/malta/templates', { body: template('paid', title) });
  const gift = { id: 'gift', offer: { bonus_code: 'TEN' } };
  const steps = [send('one', 'paid'), gift, send('two', 'paid')];
  await console.call('POST', path, { body: { ...document, code: 'paid', entry: { event: 'payment' }, steps } });
  const at = (place: number, step: string) => ({ path: `/steps/${place}/send/template`, step, template: 'paid' });
  const color = { variable: 'event.color', message: 'event.color is empty: payment has no color' };
  const offer = {
    variable: 'offer.bonus_code',
    message: 'offer.bonus_code is empty: no step before one is a credit or an offer',
  };
  const { absent } = (await console.get(`${path}/paid/gaps`)).body;
  expect(absent).toHaveLength(3);
  expect(absent).toEqual(
    expect.arrayContaining([
      { ...at(0, 'one'), ...color },
      { ...at(0, 'one'), ...offer },
      { ...at(2, 'two'), ...color },
    ]),
  );
  // The campaign can be published despite these gaps. The answer lists them.
  const answer = await console.call('POST', `${path}/paid/publish`);
  expect(answer).toMatchObject({ status: 200, body: { state: 'live', version: 1 } });
  expect(answer.body.absent).toEqual(absent);
});

test('before publishing, bonuses that a market withholds are listed with their path and the players of the market', async () => {
  const gift = (own: object) => ({ id: 'gift', offer: { bonus_code: 'TEN', ...own } });
  const policies = async (own: object, more: object = {}) => {
    const steps = [send('one', 'safe'), gift(own)];
    await console.call('PUT', `${path}/british`, {
      body: { code: 'british', name: 'British', entry: { api: true }, products: ['casino'], steps, ...more },
    });
    return (await console.get(`${path}/british/gaps`)).body.policies;
  };
  await console.call('POST', path, { body: { code: 'british', name: 'British', entry: { api: true }, steps: [] } });
  expect(await policies({})).toEqual([]);
  await player('eve', { country: 'GB' });
  await player('fay', { country: 'gb' });
  await player('guy', { country: 'IE', market: 'uk' });
  expect(await policies({})).toEqual([
    {
      path: '/steps/1/offer/wagering',
      market: 'GB',
      reason: 'policy_wagering_unknown',
      message: expect.stringContaining('state the wagering of this bonus, at most 10'),
      players: 3,
    },
  ]);
  expect(await policies({ wagering: 35 })).toMatchObject([{ reason: 'policy_wagering' }]);
  expect(await policies({ wagering: 10 })).toEqual([]);
  const mixed = await policies({ wagering: 10, products: ['betting'] }, { products: ['casino'] });
  expect(mixed).toMatchObject([{ path: '/steps/1/offer/products', reason: 'policy_mixed_products' }]);
  expect(await policies({}, { audience: document.audience })).toEqual([]);
  expect(await policies({ wagering: 10 }, { products: [] })).toMatchObject([{ path: '/products', players: 3 }]);
});

test.each([
  ['of the brand', {}, '2026-06-17T13:59', '2026-06-17T14:01'],
  // The zones that are 11 or 12 hours behind UTC reach a time last.
  ['of the player', { zone: 'player' }, '2026-06-16T23:59', '2026-06-17T01:01'],
])('a schedule whose only time is in the past causes a warning, in the time zone %s', async (_, zone, past, coming) => {
  clock.set(Date.parse('2026-06-17T12:00:00Z') * 1_000);
  const code = `once-${Object.keys(zone).length}`;
  const tag = { id: 't', tag: 'seen' };
  const at = (time: string) => ({ ...document, code, entry: { schedule: { at: time, ...zone } }, steps: [tag] });
  await console.call('POST', path, { body: at(coming) });
  expect((await console.get(`${path}/${code}/gaps`)).body.warnings).toEqual([]);
  await console.call('PUT', `${path}/${code}`, { body: at(past) });
  const warning = (message: string) => [{ path: '/entry/schedule/at', message }];
  const english = warning(`${past} is in the past, so no player enters`);
  expect((await console.get(`${path}/${code}/gaps`)).body.warnings).toEqual(english);
  const german = await console.app.inject({
    method: 'GET',
    url: `${basePath}${path}/${code}/gaps`,
    headers: { authorization: `Bearer ${adminToken}`, 'accept-language': 'de' },
  });
  expect(german.json().warnings).toEqual(warning(`${past} liegt in der Vergangenheit, deshalb tritt kein Spieler ein`));
  expect((await console.call('POST', `${path}/${code}/publish`)).body).toMatchObject({
    state: 'live',
    warnings: english,
  });
});

test('a repeated schedule has no warning', async () => {
  const body = { ...document, code: 'daily', entry: { schedule: { every: 'P1D', at: '10:00', from: '2020-01-01' } } };
  await console.call('POST', path, { body: { ...body, steps: [{ id: 't', tag: 'seen' }] } });
  expect((await console.get(`${path}/daily/gaps`)).body.warnings).toEqual([]);
});
