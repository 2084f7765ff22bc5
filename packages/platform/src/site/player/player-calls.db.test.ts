import { validator } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { isCurrent } from '../../../testing/operator/setup-sync.ts';
import { setupPlayerCalls } from '../../../testing/site/player/setup-player-calls.ts';
import { readTraits } from '../../derive/figures.ts';
import { documentedSiteCalls } from '../api/document.ts';
import { TrackedUpkeep, trackedRetention } from './tracked-upkeep.ts';

const database = await setupDatabase();
const { pool } = database;

const siteEvents = async (playerId: number) => {
  const { rows } = await pool.query(
    'select name, event_id, data from live.site_event where player_id = $1 order by at, name',
    [playerId],
  );
  return rows;
};
const second = 1_000_000;

test('a tracked event is durable, belongs to the caller, and is stored once however often its call is repeated', async () => {
  const { call, derive, players, clock } = await setupPlayerCalls(database);
  const spun = { Name: 'wheel_spun', Data: { prize: 'none' }, Id: 'call-0001' };
  expect(await call('anna', 'POST', 'Events', spun)).toMatchObject({
    status: 200,
    body: { Data: { Id: 'call-0001' } },
  });
  clock.advance(3 * second);
  await Promise.all(Array.from({ length: 5 }, () => call('anna', 'POST', 'Events', spun)));
  // The same id from another player is another event, and without an id every call is an event.
  await call('ben', 'POST', 'Events', spun);
  for (const _ of [1, 2]) expect((await call('ben', 'POST', 'Events', { Name: 'clicked' })).status).toBe(200);
  const forged = { user_id: 'anna', notification_type: 'payment', origin: 'www.example.com' };
  const exact = `{"Name":"sum","Data":{"n":123456789012345678901,"d":0.10},"UserId":7,"user_id":"anna","Id":"call-0002"}`;
  expect((await call('ben', 'POST', 'Events', exact)).status).toBe(200);
  expect((await call('ben', 'POST', 'Events', { Name: 'x', Data: forged, Id: 'call-0003' })).status).toBe(200);
  await derive();
  expect(await siteEvents(players.anna)).toEqual([
    { name: 'wheel_spun', event_id: 'call-0001', data: { prize: 'none' } },
  ]);
  expect((await siteEvents(players.ben)).map(({ name, data }) => [name, data]).sort()).toEqual([
    ['clicked', {}],
    ['clicked', {}],
    ['sum', { n: '123456789012345678901', d: 0.1 }],
    ['wheel_spun', { prize: 'none' }],
    ['x', forged],
  ]);
  // A page's event is neither an event of the operator nor proof that the operator knows the player.
  const notOperators = await pool.query(
    `select player_id from live.player_activity where player_id = any ($1)
     union all select player_id from live.custom_event where player_id = any ($1)`,
    [Object.values(players)],
  );
  expect(notOperators.rows).toEqual([]);

  const upkeep = new TrackedUpkeep({ pool, clock: clock.now, log: testLog });
  expect(await upkeep.runOnce()).toEqual({ forgotten: 0 });
  clock.advance(trackedRetention + 1);
  expect((await upkeep.runOnce()).forgotten).toBe(4);
});

test('a site event never counts as a custom event', async () => {
  const { call, derive, players, clock } = await setupPlayerCalls(database);
  expect((await call('anna', 'POST', 'Events', { Name: 'vip_upgrade' })).status).toBe(200);
  await derive();
  const traits = await readTraits(pool, { player_id: players.anna, time_zone: 'UTC' }, clock.now());
  expect(traits.custom_events?.value ?? {}).toEqual({});
});

test('an invalid event is refused with the name of the field, too many calls get Retry-After, and an event that cannot be stored gets 503', async () => {
  const { call, clock, committer } = await setupPlayerCalls(database, { functions: { tracked_per_second: 5 } });
  const refused = [
    [{}, /Name/],
    [{ Name: '1st' }, /Name/],
    [{ Name: 'a b' }, /Name/],
    [{ Name: 'x'.repeat(65) }, /Name/],
    [{ Name: 'a', Data: 'text' }, /Data/],
    [{ Name: 'a', Data: { text: 'x'.repeat(9_000) } }, /8192/],
    [{ Name: 'a', Id: 'short' }, /Id/],
    [{ Name: 'a', Id: 7 }, /Id/],
  ] as const;
  for (const [body, message] of refused) {
    const answer = await call('anna', 'POST', 'Events', body);
    expect(answer).toMatchObject({ status: 400, body: { Errors: [{ Error: 'invalid_request' }] } });
    expect(answer.body.Errors[0]?.Message).toMatch(message);
  }
  expect((await call('anna', 'POST', 'Events', { Name: 'a', Id: 'call-0001' })).status).toBe(200);
  expect((await call('anna', 'POST', 'Events', { Name: 'b', Id: 'call-0001' })).body.Errors[0]?.Message).toMatch(/Id/);

  const burst = await Promise.all(Array.from({ length: 60 }, () => call('ben', 'POST', 'Events', { Name: 'a' })));
  const last = burst.at(-1);
  // The brand allows 50 at once, of which anna's calls took ten, so ben does not reach his own limit of sixty.
  expect(burst.filter(({ status }) => status === 200).length).toBe(40);
  expect(last).toMatchObject({ status: 429, retryAfter: '1', body: { Errors: [{ Error: 'too_many_requests' }] } });
  clock.advance(60 * second);
  await committer.stop();
  expect(await call('ben', 'POST', 'Events', { Name: 'a' })).toMatchObject({
    status: 503,
    retryAfter: '1',
    body: { Errors: [{ Error: 'unavailable' }] },
  });
});

test('a reward is shown, and claimed once by many calls, which all succeed; a claim of an expired reward is refused with the reason', async () => {
  const { call, intents, players, clock } = await setupPlayerCalls(database);
  const offer = { offer: true, note: 'for staff only' };
  const funds = await intents.order(players.anna, { ...offer, amount: '0.10', currency: 'EUR' });
  const expires_at = Date.UTC(2036, 0, 1, 12) * 1000;
  const bonus = await intents.order(players.anna, { ...offer, expires_at });
  await intents.order(players.anna, { bonus_code: 'NOT-OFFERED' });
  const listed = await call('anna', 'GET', 'PendingRewards');
  const [second_, first] = listed.body.Data;
  expect(first).toMatchObject({
    Id: funds,
    Code: 'RELOAD50',
    State: 'offered',
    Amount: '0.10',
    Currency: 'EUR',
    Expires: null,
  });
  expect(second_).toMatchObject({ Id: bonus, State: 'offered', Amount: null, Expires: '2036-01-01 12:00:00' });
  expect(listed.body.Data).toHaveLength(2);
  expect(JSON.stringify(listed.body)).not.toContain('staff');

  const claims = await Promise.all(
    Array.from({ length: 15 }, () => call('anna', 'POST', 'ClaimReward', { Id: funds })),
  );
  for (const { status, body } of claims) {
    expect([status, body.Success, body.Data.Id]).toEqual([200, true, funds]);
    expect(['claimed', 'credited']).toContain(body.Data.State);
  }
  intents.runner.wake();
  await intents.untilState(funds, 'credited');
  expect(intents.creditsOf(funds)).toBe(1);
  expect((await call('anna', 'POST', 'ClaimReward', { Id: funds })).body.Data).toEqual({
    Id: funds,
    State: 'credited',
  });
  expect((await call('anna', 'GET', 'PendingRewards')).body.Data.map(({ Id }: { Id: string }) => Id)).toEqual([bonus]);

  clock.set(expires_at);
  expect((await call('anna', 'GET', 'PendingRewards')).body.Data).toEqual([]);
  for (const _ of [1, 2]) {
    const late = await call('anna', 'POST', 'ClaimReward', { Id: bonus });
    expect(late).toMatchObject({
      status: 410,
      body: { Data: null, Success: false, Errors: [{ Error: 'reward_expired' }] },
    });
  }
  expect(intents.creditsOf(bonus)).toBe(0);
});

test('P8: a consent set on the site counts immediately, is sent to the operator once, and causes no second write', async () => {
  const { call, intents, players } = await setupPlayerCalls(database);
  const { operator, until } = intents;
  const consent = async (type: string) =>
    (await call('anna', 'GET', 'Profile')).body.Data.Consents.find(({ Type }: { Type: string }) => Type === type);
  const before = await call('anna', 'GET', 'Profile');
  expect(before.body.Data).toMatchObject({ UserId: players.anna });
  expect(Object.keys(before.body.Data)).toEqual(['UserId', 'Consents']);
  expect(before.body.Data.Consents.map(({ Type }: { Type: string }) => Type)).toEqual([
    'Email',
    'SMS',
    'Telephone',
    'PostMail',
    'SiteNotification',
    'PushNotification',
  ]);
  const to = !(await consent('Email')).OptedIn;
  for (const _ of [1, 2]) {
    const answer = await call('anna', 'POST', 'Consent', { Type: 'eMail', OptedIn: to });
    expect(answer).toMatchObject({ status: 200, body: { Data: { Type: 'Email', OptedIn: to } } });
  }
  expect(await consent('Email')).toMatchObject({ OptedIn: to });
  const { rows } = await pool.query('select type, wanted, source from write_back_item where player_id = $1', [
    players.anna,
  ]);
  expect(rows).toEqual([{ type: 'Email', wanted: to, source: 'site' }]);
  await until(players.anna, (player) => isCurrent(player) && operator.books.writeBacks.length > 0);
  const writes = operator.books.writeBacks.filter(({ user_id }) => user_id === 'anna');
  expect(writes).toMatchObject([{ record: 'consents', body: { consents: [{ type: 'Email', opted_in: to }] } }]);
  for (const body of [{ Type: 'Pigeon', OptedIn: true }, { Type: 'Email' }, { Type: 'Email', OptedIn: 'yes' }])
    expect(await call('anna', 'POST', 'Consent', body)).toMatchObject({ status: 400, body: { Success: false } });
});

test('no call affects another player, none works without a session, and each group can be switched off', async () => {
  const { call, intents, players } = await setupPlayerCalls(database);
  const offer = await intents.order(players.anna, { offer: true });
  expect((await call('ben', 'GET', 'PendingRewards')).body.Data).toEqual([]);
  for (const Id of [offer, '00000000-0000-7000-8000-000000000000']) {
    const foreign = await call('ben', 'POST', 'ClaimReward', { Id });
    expect(foreign).toMatchObject({ status: 404, body: { Data: null, Errors: [{ Error: 'unknown_reward' }] } });
  }
  for (const Id of ['x', `${offer}'`, 7, null])
    expect(await call('ben', 'POST', 'ClaimReward', { Id })).toMatchObject({ status: 400 });
  expect(await intents.intent(offer)).toMatchObject({ state: 'offered' });
  const profileOfAnna = (await call('anna', 'GET', 'Profile')).body.Data;
  await call('ben', 'POST', 'Consent', { Type: 'SMS', OptedIn: false, UserId: players.anna });
  expect((await call('anna', 'GET', 'Profile')).body.Data).toEqual(profileOfAnna);
  expect((await call('ben', 'GET', 'Profile')).body.Data.UserId).toBe(players.ben);

  const calls = [
    ...([
      ['POST', 'Events'],
      ['GET', 'PendingRewards'],
      ['POST', 'ClaimReward'],
    ] as const),
    ...([
      ['GET', 'Profile'],
      ['POST', 'Consent'],
    ] as const),
  ];
  for (const [method, path] of calls) {
    const body = method === 'POST' ? {} : undefined;
    expect(await call(null, method, path, body)).toMatchObject({
      status: 401,
      body: { Errors: [{ Error: 'missing_session' }] },
    });
  }
  const off = await setupPlayerCalls(database, { functions: { tracking: false, rewards: false, profile: false } });
  for (const [method, path] of calls) {
    const body = method === 'POST' ? {} : undefined;
    expect(await off.call('anna', method, path, body)).toMatchObject({
      status: 403,
      body: { Errors: [{ Error: 'function_off' }] },
    });
  }
});

test('the documented requests are answered as documented', async () => {
  const { call, intents, players } = await setupPlayerCalls(database);
  const Id = await intents.order(players.anna, { offer: true });
  const playerCalls = documentedSiteCalls.filter(({ tag }) => tag === 'Functions of the script');
  expect(playerCalls).toHaveLength(5);
  for (const { method, path, request, answers } of playerCalls) {
    const [sample] = Object.values(request?.samples ?? {});
    const body = path.endsWith('ClaimReward') ? { Id } : sample;
    const answer = await call('anna', method === 'GET' ? 'GET' : 'POST', path.slice('/Crm/'.length), body);
    expect(answer.status).toBe(200);
    const schema = answers.find(({ status }) => status === 200)?.schema;
    expect(schema && validator(schema).errors(answer.body)).toEqual([]);
  }
});
