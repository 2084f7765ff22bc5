import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { RefusedCalls } from '../../ingest/index.ts';

const console = await setupConsole();
const path = '/brands/malta/refused-calls';

test('refused calls are listed with their status, for every role that sees events', async () => {
  const calls = new RefusedCalls({ pool: console.pool, clock: console.clock.now, log: testLog });
  calls.note({ reason: 'unknown_key', kind: 'payment', key: 'mistyped' });
  await calls.runOnce();
  console.clock.advance(1_000_000);
  calls.note({ reason: 'wrong_path', kind: null, key: undefined });
  await calls.runOnce();
  const { status, body } = await console.get(path, await console.as('viewer'));
  expect(status).toBe(200);
  expect(body).toEqual({
    items: [
      {
        status: 404,
        reason: 'wrong_path',
        kind: null,
        key_name: null,
        key_start: null,
        calls: 1,
        first_at: '2026-05-01T12:00:01.000000Z',
        last_at: '2026-05-01T12:00:01.000000Z',
      },
      {
        status: 401,
        reason: 'unknown_key',
        kind: 'payment',
        key_name: null,
        key_start: expect.stringMatching(/^[0-9a-f]{8}$/),
        calls: 1,
        first_at: '2026-05-01T12:00:00.000000Z',
        last_at: '2026-05-01T12:00:00.000000Z',
      },
    ],
    next: null,
  });
});
