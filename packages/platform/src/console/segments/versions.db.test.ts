import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

/* Versions of a segment that are not in force: what stays of them, and how they become the draft. */
const console = await setupConsole();
const { pool, brand, brands, clock } = console;
const rules = new PlatformRules({ pool });
const computer = new SegmentComputer({ pool, brands, rules, clock: clock.now, log: testLog });
const path = '/brands/malta/segments';
for (const user_id of ['ann', 'bob', 'cy']) await insertPlayer(pool, brand.brand_id, user_id);

const act = (code: string, action: string) => console.call('POST', `${path}/${code}/${action}`);
const change = (code: string, body: object) => console.call('PUT', `${path}/${code}`, { body });

/** Each version of a segment with its state, the newest first. */
async function states(code: string): Promise<string[]> {
  const { items } = (await console.get(`${path}/${code}/versions`)).body;
  return items.map(({ version, state }: { version: number; state: string }) => `${version} ${state}`);
}

/** The players in the list of a version. */
async function listed(code: string, version: number): Promise<string[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    `select p.user_id from segment_listed l join segment_version v using (version_id) join segment s using (segment_id)
       join player p on p.player_id = l.player_id where s.code = $1 and v.version = $2 order by 1`,
    [code, version],
  );
  return rows.map(({ user_id }) => user_id);
}

test('a version that is cancelled while there is a newer draft becomes past and keeps its list', async () => {
  await console.call('POST', path, { body: { code: 'stopped', name: 'Stopped', user_ids: ['ann', 'bob'] } });
  await act('stopped', 'publish');
  await change('stopped', { user_ids: ['cy'] });
  expect((await act('stopped', 'cancel')).body).toMatchObject({ state: 'draft', draft: { version: 2 } });
  expect(await states('stopped')).toEqual(['2 draft', '1 past']);
  expect(await listed('stopped', 1)).toEqual(['ann', 'bob']);
  expect(await listed('stopped', 2)).toEqual(['cy']);
});

/** Publishes the draft and computes it. */
async function publish(code: string): Promise<void> {
  expect((await act(code, 'publish')).status).toBe(200);
  rules.forget();
  await computer.runOnce();
}

const countries = (...value: string[]) => ({
  combinator: 'and',
  rules: [{ field: 'profile.country', operator: 'in', value }],
});

test('an earlier rule becomes the draft, unless another person has changed the segment', async () => {
  await console.call('POST', path, {
    body: { code: 'ruled', name: 'Ruled', rule: countries('MT'), include_protected: true },
  });
  await publish('ruled');
  await change('ruled', { rule: countries('SE'), include_protected: false });
  await publish('ruled');
  const { revision: outdated } = (await console.get(`${path}/ruled`)).body;
  const { revision } = (await change('ruled', { rule: countries('DE') })).body;
  const restore = (version: number, at: string) =>
    console.call('PUT', `${path}/ruled?revision=${at}`, { body: { version } });
  expect((await restore(1, outdated)).status).toBe(409);
  expect((await restore(9, revision)).body.errors).toMatchObject([{ path: 'version' }]);
  expect(await restore(1, revision)).toMatchObject({
    status: 200,
    body: { version: 2, draft: { version: 3, rule: countries('MT'), include_protected: true } },
  });
  const both = { version: 1, rule: countries('MT') };
  expect((await change('ruled', both)).body.errors).toMatchObject([{ path: 'version' }]);
});

test('the list of a cancelled version becomes the draft; a list that was replaced is no longer stored', async () => {
  await console.call('POST', path, { body: { code: 'returned', name: 'Returned', user_ids: ['ann', 'bob'] } });
  await act('returned', 'publish');
  await change('returned', { user_ids: ['cy'] });
  await act('returned', 'cancel');
  expect((await change('returned', { version: 1 })).body).toMatchObject({
    draft: { version: 2, kind: 'list', sentence: 'A list of 2 players.' },
  });
  expect(await listed('returned', 2)).toEqual(['ann', 'bob']);
  await publish('returned');
  await change('returned', { user_ids: ['cy'] });
  await publish('returned');
  expect(await states('returned')).toEqual(['3 in_force', '2 past', '1 past']);
  expect(await change('returned', { version: 2 })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('the list of version 2 is no longer stored') },
  });
  expect((await console.get(`${path}/returned`)).body.draft).toBeNull();
});
