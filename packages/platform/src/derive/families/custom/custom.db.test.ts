import { expect, test } from 'vitest';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { listCustomEvents, readCustomCounts } from './index.ts';

const stage = await setupStage();
const { pool, publish, derive, playerId } = stage;

const spin = (user_id: string, timestamp: string, more: Record<string, unknown> = {}) => ({
  kind: 'custom' as const,
  body: { user_id, notification_type: 'wheel', origin: 'x', timestamp, data: { spins: 1 }, ...more },
});
const at = (text: string) => Date.parse(text) * 1000;

test('a custom event is stored once with its data, retries in later batches included, and counted by type', async () => {
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
  const events = await listCustomEvents(pool, ann, {}, 10);
  expect(events.map(({ notification_type, at }) => [notification_type, at])).toEqual([
    expect.arrayContaining([at('2026-05-01T11:00:00Z')]),
    expect.arrayContaining([at('2026-05-01T11:00:00Z')]),
    ['wheel', at('2026-05-01T10:00:00Z') + 1],
    ['wheel', at('2026-05-01T09:00:00Z')],
  ]);
  expect(events[2]?.data).toMatchObject({ prize: 'free_spins', nested: { list: [1, 0.1, '12345678901234567890'] } });
  expect(await readCustomCounts(pool, ann)).toEqual([
    {
      notification_type: 'level_up',
      event_count: 1,
      first_at: at('2026-05-01T11:00:00Z'),
      last_at: at('2026-05-01T11:00:00Z'),
    },
    {
      notification_type: 'wheel',
      event_count: 3,
      first_at: at('2026-05-01T09:00:00Z'),
      last_at: at('2026-05-01T11:00:00Z'),
    },
  ]);
});

test('the list goes page by page, filtered by type and time', async () => {
  const ann = await playerId('ann');
  const first = await listCustomEvents(pool, ann, { notification_type: 'wheel' }, 2);
  const rest = await listCustomEvents(pool, ann, { notification_type: 'wheel' }, 2, first.at(-1));
  expect([...first, ...rest].map((event) => event.at)).toEqual([
    at('2026-05-01T11:00:00Z'),
    at('2026-05-01T10:00:00Z') + 1,
    at('2026-05-01T09:00:00Z'),
  ]);
  const between = { from: at('2026-05-01T10:00:00Z'), to: at('2026-05-01T10:59:59Z') };
  expect((await listCustomEvents(pool, ann, between, 9)).length).toBe(1);
});
