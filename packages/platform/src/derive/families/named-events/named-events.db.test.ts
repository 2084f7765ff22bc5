import { expect, test } from 'vitest';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { listNamedEvents, readNamedCounts } from './index.ts';

const stage = await setupStage();
const { pool, publish, derive, playerId } = stage;

const spin = (user_id: string, timestamp: string, more: Record<string, unknown> = {}) => ({
  kind: 'custom' as const,
  body: { user_id, notification_type: 'wheel', origin: 'x', timestamp, data: { spins: 1 }, ...more },
});
const at = (text: string) => Date.parse(text) * 1000;

test('a custom event is stored once with its data, despite retries in later batches, and counted by type', async () => {
  const data = { prize: 'free_spins', nested: { list: [1, 0.1, '12345678901234567890'], none: null }, ü: '\u0000x' };
  await publish(spin('ann', '2026-05-01T10:00:00.000001Z', { data }), spin('ann', '2026-05-01T11:00:00Z'));
  await derive();
  await publish(
    spin('ann', '2026-05-01T10:00:00.000001Z', { data }),
    spin('ann', '2026-05-01T11:00:00Z', { notification_type: 'level_up' }),
    spin('ann', '2026-05-01T09:00:00Z'),
    spin('bob', '2026-05-01T09:00:00Z'),
  );
  await derive();
  const ann = await playerId('ann');
  const events = await listNamedEvents(pool, 'custom', ann, {}, 10);
  expect(events.map(({ name, at }) => [name, at])).toEqual([
    expect.arrayContaining([at('2026-05-01T11:00:00Z')]),
    expect.arrayContaining([at('2026-05-01T11:00:00Z')]),
    ['wheel', at('2026-05-01T10:00:00Z') + 1],
    ['wheel', at('2026-05-01T09:00:00Z')],
  ]);
  expect(events[2]?.data).toMatchObject({ prize: 'free_spins', nested: { list: [1, 0.1, '12345678901234567890'] } });
  expect(await readNamedCounts(pool, 'custom', ann)).toEqual([
    {
      name: 'level_up',
      event_count: 1,
      first_at: at('2026-05-01T11:00:00Z'),
      last_at: at('2026-05-01T11:00:00Z'),
    },
    {
      name: 'wheel',
      event_count: 3,
      first_at: at('2026-05-01T09:00:00Z'),
      last_at: at('2026-05-01T11:00:00Z'),
    },
  ]);
});

test('the list goes page by page, filtered by type and time', async () => {
  const ann = await playerId('ann');
  const first = await listNamedEvents(pool, 'custom', ann, { name: 'wheel' }, 2);
  const rest = await listNamedEvents(pool, 'custom', ann, { name: 'wheel' }, 2, first.at(-1));
  expect([...first, ...rest].map((event) => event.at)).toEqual([
    at('2026-05-01T11:00:00Z'),
    at('2026-05-01T10:00:00Z') + 1,
    at('2026-05-01T09:00:00Z'),
  ]);
  const between = { from: at('2026-05-01T10:00:00Z'), to: at('2026-05-01T10:59:59Z') };
  expect((await listNamedEvents(pool, 'custom', ann, between, 9)).length).toBe(1);
});

test('a site event never counts as a custom event, whatever its name', async () => {
  const tracked = (event_id: string) => ({
    kind: 'site_event' as const,
    body: { user_id: 'cid', name: 'wheel', event_id, timestamp: '2026-05-01T10:00:00Z', data: { spins: 9 } },
  });
  await publish(tracked('one'), tracked('two'), tracked('one'), spin('cid', '2026-05-01T10:00:00Z'));
  await derive();
  await publish(tracked('two'));
  await derive();
  const cid = await playerId('cid');
  const counts = async (kind: 'custom' | 'site_event') =>
    (await readNamedCounts(pool, kind, cid)).map(({ name, event_count }) => [name, event_count]);
  expect([await counts('custom'), await counts('site_event')]).toEqual([[['wheel', 1]], [['wheel', 2]]]);
  expect((await listNamedEvents(pool, 'custom', cid, {}, 9)).map(({ own, data }) => [own, data])).toEqual([
    ['x', { spins: 1 }],
  ]);
  const listed = await listNamedEvents(pool, 'site_event', cid, {}, 9);
  expect(listed.map(({ own }) => own).sort()).toEqual(['one', 'two']);
});
