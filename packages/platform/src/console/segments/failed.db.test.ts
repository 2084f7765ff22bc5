import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';
import { forgetPlayerFailures, notePlayerFailures } from '../../segments/membership/live/player-failures.ts';
import { failVersion } from '../../segments/membership/versions/store.ts';

/* What a person can do with a segment whose version failed. */
const console = await setupConsole();
const { pool, brand, brands, clock } = console;
const rules = new PlatformRules({ pool });
const computer = new SegmentComputer({ pool, brands, rules, clock: clock.now, log: testLog });
const path = '/brands/malta/segments';
const ann = await insertPlayer(pool, brand.brand_id, 'ann');
await pool.query(`insert into player_profile (player_id, country, changed_at) values ($1, 'MT', now())`, [ann]);

const countries = (...value: string[]) => ({
  combinator: 'and',
  rules: [{ field: 'profile.country', operator: 'in', value }],
});

async function compute(): Promise<void> {
  rules.forget();
  await computer.runOnce();
}

/** A segment whose version 1 was in force, and failed. */
async function failedSegment(code: string): Promise<void> {
  await console.call('POST', path, { body: { code, name: code, rule: countries('MT') } });
  await console.call('POST', `${path}/${code}/publish`);
  await compute();
  const { rows } = await pool.query<{ version_id: number }>(
    'select version_id from segment_version join segment using (segment_id) where code = $1',
    [code],
  );
  await failVersion(pool, rows[0]?.version_id ?? 0, 'the field is gone');
}

const read = async (code: string) => (await console.get(`${path}/${code}`)).body;
const act = (code: string, action: string) => console.call('POST', `${path}/${code}/${action}`);

test('the computation of the version that replaces a failed one can be cancelled, and the failed one is not recomputed meanwhile', async () => {
  await failedSegment('replaced');
  expect(await read('replaced')).toMatchObject({ state: 'failed', members: 1, can_cancel: false });
  await console.call('PUT', `${path}/replaced`, { body: { rule: countries('MT', 'SE') } });
  expect((await act('replaced', 'publish')).body).toMatchObject({ state: 'failed', progress: 0, can_cancel: true });
  expect(await act('replaced', 'recompute')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('replaces the failed one') },
  });
  expect(await act('replaced', 'cancel')).toMatchObject({
    status: 200,
    body: { state: 'failed', version: 1, draft: { version: 2 }, progress: null, can_cancel: false },
  });
  await act('replaced', 'publish');
  await compute();
  expect(await read('replaced')).toMatchObject({ state: 'live', version: 2, reason: null, can_cancel: false });
});

test('the first computation of a segment counts its members, and the computation of a later version does not hide them', async () => {
  await console.call('POST', path, { body: { code: 'counted', name: 'counted', rule: countries('MT') } });
  expect(await read('counted')).toMatchObject({ state: 'draft', counting: false });
  expect((await act('counted', 'publish')).body).toMatchObject({ state: 'computing', members: 0, counting: true });
  await compute();
  expect(await read('counted')).toMatchObject({ state: 'live', members: 1, counting: false });
  await console.call('PUT', `${path}/counted`, { body: { rule: countries('SE') } });
  expect((await act('counted', 'publish')).body).toMatchObject({ state: 'computing', members: 1, counting: false });
  await compute();
  expect(await read('counted')).toMatchObject({ state: 'live', members: 0, counting: false });
});

test('a failed version is recomputed, which cannot be cancelled, because the version was in force', async () => {
  await failedSegment('again');
  expect(await read('again')).toMatchObject({ state: 'failed', members: 1, counting: false });
  expect((await act('again', 'recompute')).body).toMatchObject({ state: 'computing', progress: 0, can_cancel: false });
  // The members are not known until the computation is finished.
  expect(await read('again')).toMatchObject({ members: 0, counting: true });
  expect(await act('again', 'cancel')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('version 1 was already in force') },
  });
  await compute();
  expect(await read('again')).toMatchObject({ state: 'live', version: 1, members: 1, counting: false, reason: null });
});

test('players whose segments cannot be updated are listed with their reason, page by page, and raise an alarm', async () => {
  const { brand_id } = brand;
  const names = ['first', 'second', 'third'];
  const ids = await Promise.all(names.map((name) => insertPlayer(pool, brand_id, name)));
  const reason = 'cannot be processed: a number is out of range (SQLSTATE 22003)';
  for (const [n, player_id] of ids.entries()) {
    await notePlayerFailures(pool, [{ player_id, reason: 'before' }], clock.now() + n);
    await notePlayerFailures(pool, [{ player_id, reason }], clock.now() + 10 + n);
  }
  const pageOf = async (query: string) => (await console.get(`/brands/malta/segment-failures?limit=2${query}`)).body;
  const page = await pageOf('');
  expect(page.items).toMatchObject([
    { user_id: 'first', failures: 2, reason },
    { user_id: 'second', failures: 2, reason },
  ]);
  expect((await pageOf(`&cursor=${page.next}`)).items).toMatchObject([{ user_id: 'third' }]);
  const alarms = async () =>
    (await console.get('/brands/malta/overview')).body.alarms.filter(
      ({ code }: { code: string }) => code === 'segment_players_failing',
    );
  expect(await alarms()).toMatchObject([{ list: '/segment-failures', message: expect.stringContaining(reason) }]);
  await forgetPlayerFailures(
    pool,
    ids.map((id) => id % 64),
    ids.slice(0, 1),
  );
  expect((await pageOf('')).items).toMatchObject([{ user_id: 'first' }]);
  await forgetPlayerFailures(
    pool,
    ids.map((id) => id % 64),
    [],
  );
  expect(await alarms()).toEqual([]);
});
