import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

const console = await setupConsole();
const { pool, brand, brands, clock } = console;
const rules = new PlatformRules({ pool });
const computer = new SegmentComputer({ pool, brands, rules, clock: clock.now, log: testLog });
const path = '/brands/malta/segments';

for (const user_id of ['ann', 'bob', 'cy', 'dan']) await insertPlayer(pool, brand.brand_id, user_id);

async function make(code: string, user_ids: string[]): Promise<void> {
  await console.call('POST', path, { body: { code, name: code, user_ids } });
  rules.forget();
  await console.call('POST', `${path}/${code}/publish`);
  await computer.runOnce();
}

async function read(code: string, query: string): Promise<string[]> {
  const { status, body } = await console.get(`${path}/${code}/overlap?${query}`);
  expect(status).toBe(200);
  const found = body.items.map(({ user_id }: { user_id: string }) => user_id);
  return body.next === null ? found : [...found, ...(await read(code, `${query}&cursor=${body.next}`))];
}

test('the members of both segments, and of only one of them, are listed page by page', async () => {
  await make('early', ['ann', 'bob', 'cy']);
  await make('late', ['bob', 'cy', 'dan']);
  expect(await read('early', 'other=late&limit=1')).toEqual(['bob', 'cy']);
  expect(await read('early', 'other=late&part=only&limit=1')).toEqual(['ann']);
  expect(await read('late', 'other=early&part=only')).toEqual(['dan']);
});

test('a draft has no members; a segment that does not exist is refused', async () => {
  await console.call('POST', path, { body: { code: 'draft', name: 'Draft', user_ids: ['ann'] } });
  expect(await read('draft', 'other=early')).toEqual([]);
  expect(await read('early', 'other=draft')).toEqual([]);
  expect(await read('early', 'other=draft&part=only')).toEqual(['ann', 'bob', 'cy']);
  expect((await console.get(`${path}/early/overlap?other=nowhere`)).status).toBe(404);
  expect((await console.get(`${path}/early/overlap`)).status).toBe(400);
});
