import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { timestamptzText } from '../../database/index.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

/* What staff see before they order a bulk action or a recall: how many players or messages it would affect. */
const console = await setupConsole();
const { pool, brand, brands, clock } = console;
const computer = new SegmentComputer({
  pool,
  brands,
  rules: new PlatformRules({ pool }),
  clock: clock.now,
  log: testLog,
});

async function segmentOf(code: string, user_ids: readonly string[]): Promise<string> {
  await console.call('POST', '/brands/malta/segments', { body: { code, name: code, user_ids } });
  await console.call('POST', `/brands/malta/segments/${code}/publish`);
  await computer.runOnce();
  return `/brands/malta/segments/${code}`;
}

async function consent(players: readonly number[], type: string): Promise<void> {
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select id, lower($2), $2, $2, true, 'look_up', $3 from unnest($1::bigint[]) id`,
    [players, type, timestamptzText(clock.now())],
  );
}

test('the reach of a segment counts what the gate would decide, for each channel, and records nothing', async () => {
  const ids = ['r1', 'r2', 'r3', 'r4'];
  const players: number[] = [];
  for (const id of ids) players.push(await insertPlayer(pool, brand.brand_id, id));
  const [first = 0, second = 0, third = 0] = players;
  await makeKnown(pool, brand.brand_id, [first, second, third], timestamptzText(clock.now()));
  await consent([first, second], 'SiteNotification');
  await consent([first, third], 'PushNotification');
  const segment = await segmentOf('reach', ids);
  const reach = async (query: string) => (await console.get(`${segment}/reach?${query}`)).body;
  const all = { members: 4, checked: 4, exact: true };
  const unknown = { held: { unknown: 1 } };
  expect(await reach('channel=site')).toEqual({ ...all, allowed: 2, withheld: { consent_unknown: 1 }, ...unknown });
  // A push also appears in the inbox, so it requires both consents.
  expect(await reach('channel=push')).toEqual({ ...all, allowed: 1, withheld: { consent_unknown: 2 }, ...unknown });
  expect(await reach('channel=site&purpose=service')).toEqual({ ...all, allowed: 3, withheld: {}, ...unknown });
  await pool.query('update player_profile set is_blocked = true where player_id = $1', [second]);
  expect(await reach('channel=bonus')).toEqual({ ...all, allowed: 2, withheld: { blocked: 1 }, ...unknown });
  const { rows } = await pool.query('select 1 from gate_decision');
  expect(rows).toEqual([]);
});

test('the reach of a large segment is estimated from a sample of its members', async () => {
  const { rows } = await pool.query<{ player_id: number }>(
    `insert into player (brand_id, user_id, bucket) select $1, 'many-' || n, 0 from generate_series(1, 2500) n
     returning player_id`,
    [brand.brand_id],
  );
  expect(rows).toHaveLength(2_500);
  const segment = await segmentOf(
    'many',
    Array.from({ length: 2_500 }, (_, at) => `many-${at + 1}`),
  );
  const { status, body } = await console.get(`${segment}/reach?channel=site`);
  expect(status).toBe(200);
  expect(body).toEqual({
    members: 2_500,
    checked: 2_000,
    exact: false,
    allowed: 0,
    withheld: {},
    held: { unknown: 2_500 },
  });
});

test('the reach of a segment that is not in force is refused with the reason', async () => {
  await console.call('POST', '/brands/malta/segments', { body: { code: 'draft', name: 'Draft', user_ids: ['r1'] } });
  const { status, body } = await console.get('/brands/malta/segments/draft/reach?channel=site');
  expect([status, body.detail]).toEqual([409, expect.stringContaining('never published')]);
});

test('before a recall, the API counts the messages that it would remove, and the recalls of one campaign are listed', async () => {
  const player = await insertPlayer(pool, brand.brand_id, 'reader');
  await makeKnown(pool, brand.brand_id, [player], timestamptzText(clock.now()));
  await consent([player], 'SiteNotification');
  await insertPlayer(pool, brand.brand_id, 'unknown-reader');
  const send = (user_id: string) =>
    console.call('POST', `/brands/malta/players/${user_id}/messages`, {
      body: { event: 'inbox', title: 'Hello', message: 'You', campaign_id: 'spring' },
    });
  const sent = [await send('reader'), await send('reader'), await send('unknown-reader')];
  expect(sent.map(({ body }) => body.state)).toEqual(['live', 'live', 'held']);
  await pool.query('update notification set read_at = now() where message_id = $1', [sent[0]?.body.message_id]);
  const affected = async () => (await console.get('/brands/malta/message-recalls/affected?campaign_id=spring')).body;
  expect(await affected()).toEqual({ live: 2, read: 1, held: 1 });
  const recall = await console.call('POST', '/brands/malta/message-recalls', { body: { campaign_id: 'spring' } });
  expect(recall.body).toMatchObject({ state: 'done', withdrawn: 2, dropped: 1 });
  expect(await affected()).toEqual({ live: 0, read: 0, held: 0 });
  const listed = async (campaign: string) =>
    (await console.get(`/brands/malta/message-recalls?campaign_id=${campaign}`)).body.items.length;
  expect([await listed('spring'), await listed('autumn')]).toEqual([1, 0]);
});
