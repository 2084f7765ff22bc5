import { expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { suppress } from '../../channels/index.ts';

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

test('staff and complaints replace a bounce, and nothing replaces them', async () => {
  const { brand_id } = console.brand;
  const number = '+35699123457';
  const key = { brand_id, address_key: testVault.addressKey(brand_id, number) };
  const entry = { detail: null, added_at: console.clock.now(), added_by: null };
  const reason = async () => (await console.call('POST', `${path}/find`, { body: { number } })).body.reason;
  expect(await suppress(console.pool, key, { ...entry, reason: 'bounced' })).toBe(true);
  expect((await console.call('POST', path, { body: { number, note: 'Ticket 18' } })).body.reason).toBe('staff');
  const { rows } = await console.pool.query(
    `select details ->> 'reason' as note from console_audit where action = 'sms.suppressed' order by 1 desc limit 1`,
  );
  expect(rows).toEqual([{ note: 'Ticket 18' }]);
  for (const other of ['bounced', 'complained'] as const)
    expect(await suppress(console.pool, key, { ...entry, reason: other })).toBe(false);
  expect(await reason()).toBe('staff');
});
