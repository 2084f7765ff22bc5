import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const path = '/brands/malta/sms-suppressions';
const body = { number: '+35699123456' };

test('numbers that get no SMS: looked up, added and removed, without storing the number', async () => {
  expect((await console.call('POST', `${path}/find`, { body })).body).toMatchObject({
    suppressed: false,
    reason: null,
  });
  for (const _ of [1, 2])
    expect((await console.call('POST', path, { body: { ...body, note: 'Ticket 17' } })).body).toMatchObject({
      suppressed: true,
      reason: 'staff',
    });
  expect((await console.call('POST', `${path}/find`, { body })).body).toMatchObject({ suppressed: true });
  expect((await console.call('POST', `${path}/remove`, { body })).body).toEqual({ removed: true });
  expect((await console.call('POST', `${path}/remove`, { body })).body).toEqual({ removed: false });
  expect((await console.call('POST', `${path}/find`, { body })).body).toMatchObject({ suppressed: false });
  const token = await console.as('viewer');
  expect((await console.call('POST', `${path}/find`, { body, token })).status).toBe(403);
  expect((await console.call('POST', path, { body: { number: '99123456' } })).status).toBe(400);
  const { rows } = await console.pool.query("select * from console_audit where action like 'sms.%'");
  expect(rows).toMatchObject([{ details: { reason: 'Ticket 17' } }, { details: {} }]);
  expect(JSON.stringify(rows)).not.toContain('99123456');
});
