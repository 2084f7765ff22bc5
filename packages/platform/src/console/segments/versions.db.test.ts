import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';

/* Versions of a segment that are not in force: what stays of them. */
const console = await setupConsole();
const { pool, brand } = console;
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
