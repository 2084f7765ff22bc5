import { expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

const console = await setupConsole();
const { pool, brand, brands, clock } = console;
const rules = new PlatformRules({ pool });
const computer = new SegmentComputer({ pool, brands, rules, clock: clock.now, log: testLog });
const path = '/brands/malta/segments';
const players = new Map<string, number>();

for (const [user_id, country] of Object.entries({
  ann: 'MT',
  bob: 'MT',
  cy: 'SE',
  dan: 'SE',
  eve: 'DE',
  '=fay': 'SE',
  gone: 'SE',
})) {
  const player = await insertPlayer(pool, brand.brand_id, user_id);
  players.set(user_id, player);
  await pool.query(`insert into player_profile (player_id, country, changed_at) values ($1, $2, now())`, [
    player,
    country,
  ]);
}
await pool.query(`update player set erased_at = now() where user_id = 'gone'`);

const countries = (...value: string[]) => ({
  combinator: 'and',
  rules: [{ field: 'profile.country', operator: 'in', value }],
});

async function publish(code: string): Promise<void> {
  rules.forget();
  await console.call('POST', `${path}/${code}/publish`);
  await computer.runOnce();
}

async function readLines(code: string, name: string): Promise<string> {
  const url = `/api/console/v1${path}/${code}/draft/${name}`;
  const answer = await console.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${adminToken}` } });
  expect(answer.statusCode).toBe(200);
  return answer.body;
}

test('with a first draft, all members enter; with a changed rule, some enter and some leave, exactly as after publishing', async () => {
  await console.call('POST', path, { body: { code: 'north', name: 'North', rule: countries('MT', 'SE') } });
  const first = await console.get(`${path}/north/draft/difference`);
  expect(first).toMatchObject({
    status: 200,
    body: { version: 1, in_force: null, enters: 5, leaves: 0, stays: 0, exact: true, errors: null },
  });
  await publish('north');
  const changed = await console.call('PUT', `${path}/north`, { body: { rule: countries('SE', 'DE') } });
  const { body } = await console.get(`${path}/north/draft/difference`);
  expect(body).toMatchObject({
    version: 2,
    revision: changed.body.revision,
    in_force: 1,
    enters: 1,
    leaves: 2,
    stays: 3,
    exact: true,
    samples: { enters: ['eve'], leaves: ['ann', 'bob'], stays: ['cy', 'dan', '=fay'] },
  });
  expect(await readLines('north', 'difference.csv')).toBe(
    'user_id,change\r\nann,leaves\r\nbob,leaves\r\neve,enters\r\n',
  );
  expect(await readLines('north', 'difference.jsonl')).toContain('{"user_id":"eve","change":"enters"}\n');
  await publish('north');
  const { items } = (await console.get(`${path}/north/transitions`)).body;
  const moved = items.map((one: { user_id: string; transition: string }) => `${one.user_id} ${one.transition}`);
  expect(moved.toSorted()).toEqual(['ann left', 'bob left', 'eve entered']);
});

test('the comparison names the revision that it compared, because a second save of the draft keeps its version', async () => {
  await console.call('POST', path, { body: { code: 'saved_twice', name: 'Saved twice', rule: countries('MT') } });
  const first = (await console.get(`${path}/saved_twice/draft/difference`)).body;
  const saved = await console.call('PUT', `${path}/saved_twice`, { body: { rule: countries('MT', 'SE') } });
  const second = (await console.get(`${path}/saved_twice/draft/difference`)).body;
  expect(first).toMatchObject({ version: 1, enters: 2 });
  expect(second).toMatchObject({ version: 1, enters: 5, revision: saved.body.revision });
  expect(first.revision).not.toBe(second.revision);
  const publishing = (revision: string) =>
    console.call('POST', `${path}/saved_twice/publish?starts_campaigns=true&revision=${revision}`);
  expect((await publishing(first.revision)).status).toBe(409);
  expect((await publishing(second.revision)).status).toBe(200);
});

test('a protected player enters only a draft that includes protected players', async () => {
  await pool.query(
    `insert into player_protection (player_id, brand_id, excluded, blocked) values ($1, $2, true, false)`,
    [players.get('eve'), brand.brand_id],
  );
  await console.call('POST', path, { body: { code: 'german', name: 'German', rule: countries('DE') } });
  const counts = async () => {
    const { enters, stays } = (await console.get(`${path}/german/draft/difference`)).body;
    return { enters, stays };
  };
  expect(await counts()).toEqual({ enters: 0, stays: 0 });
  await console.call('PUT', `${path}/german`, { body: { include_protected: true } });
  expect(await counts()).toEqual({ enters: 1, stays: 0 });
});

test('a list is compared like a rule', async () => {
  await console.call('POST', path, { body: { code: 'listed', name: 'Listed', user_ids: ['ann', 'cy'] } });
  await publish('listed');
  await console.call('PUT', `${path}/listed`, { body: { user_ids: ['cy', 'dan', 'nobody'] } });
  expect((await console.get(`${path}/listed/draft/difference`)).body).toMatchObject({
    samples: { enters: ['dan'], leaves: ['ann'], stays: ['cy'] },
  });
});

test('an error is returned if there is no draft, or if its rule uses something that no longer exists', async () => {
  expect((await console.get(`${path}/north/draft/difference`)).status).toBe(409);
  expect((await console.get(`${path}/nowhere/draft/difference`)).status).toBe(404);
  await console.call('POST', path, { body: { code: 'base', name: 'Base', rule: countries('MT') } });
  const rule = { combinator: 'and', rules: [{ field: 'segment.base', operator: '=', value: true }] };
  await console.call('POST', path, { body: { code: 'upon', name: 'Upon', rule } });
  await pool.query(`delete from segment where code = 'base'`);
  expect(await console.get(`${path}/upon/draft/difference`)).toMatchObject({
    status: 409,
    body: { errors: [{ path: 'rule/rules/0/field' }] },
  });
});
