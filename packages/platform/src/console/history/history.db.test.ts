import { beforeAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole({ history_days: 30 });
const { call, get } = console;

beforeAll(async () => {
  for (const [user_id, timestamp] of [
    ['ann', '2026-03-01T08:00:00Z'],
    ['ann', '2026-03-02T08:00:00Z'],
    ['bob', '2026-03-03T08:00:00Z'],
    ['bob', '2026-05-01T08:00:00Z'],
  ] as const) {
    await console.publish('login', { user_id, timestamp });
  }
  await console.derive();
});

const logins = async () => (await console.pool.query<{ n: number }>('select count(*) as n from live.login')).rows[0]?.n;

test('the days of the ledger are listed, with the number of events that are too old', async () => {
  const { body } = await get('/brands/malta/history');
  expect(body).toMatchObject({ history_days: 30, longest_history_days: 30, too_old: 3 });
  expect(body.days.length).toBeGreaterThan(0);
  for (const day of body.days) expect(day).toMatchObject({ reason: null, events: null, bytes: expect.any(Number) });
});

test('events that are too old are listed, filtered and paged, each with the position of its body', async () => {
  const first = await get('/brands/malta/too-old?limit=2');
  expect(first.body.items).toHaveLength(2);
  const rest = await get(`/brands/malta/too-old?limit=2&cursor=${first.body.next}`);
  expect(rest.body).toMatchObject({ items: [{ kind: 'login', importable: true }], next: null });
  const { body } = await get('/brands/malta/too-old?user_id=ann&to=2026-03-01T08:00:00Z');
  expect(body.items).toMatchObject([{ timestamp: '2026-03-01T08:00:00.000000Z' }]);
  const event = await get(`/brands/malta/feed/${body.items[0].position}`);
  expect(event.body).toMatchObject({ verdict: 'too_old', body: { user_id: 'ann' } });
});

test('a person imports too-old events, one by one or by filter; the worker applies them', async () => {
  expect((await call('POST', '/brands/malta/too-old/import', { body: {} })).status).toBe(400);
  const { body } = await get('/brands/malta/too-old?user_id=bob');
  const positions = body.items.map((event: { position: string }) => event.position);
  expect(await call('POST', '/brands/malta/too-old/import', { body: { positions } })).toMatchObject({
    status: 202,
    body: { imported: 1, left: 2 },
  });
  expect((await call('POST', '/brands/malta/too-old/import', { body: { positions } })).body.imported).toBe(0);
  expect((await call('POST', '/brands/malta/too-old/import', { body: { all: true } })).body).toEqual({
    imported: 2,
    left: 0,
  });
  expect(await logins()).toBe(1);
  await console.retry();
  expect(await logins()).toBe(4);
  const { body: audit } = await get('/brands/malta/audit');
  expect(audit.items).toMatchObject([
    { action: 'too_old.imported', details: { imported: 2 } },
    { action: 'too_old.imported', details: { imported: 0 } },
    { action: 'too_old.imported', details: { imported: 1, positions: 1 } },
  ]);
});
