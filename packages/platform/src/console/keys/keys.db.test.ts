import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();

test('a key is shown once, works immediately, and is invalid as soon as it is revoked', async () => {
  const created = await console.call('POST', '/brands/malta/keys', { body: { name: 'second' } });
  expect(created.status).toBe(201);
  const { api_key_id, key } = created.body;
  expect(console.brands.byKey(key)?.code).toBe('malta');

  const { body: list } = await console.get('/brands/malta/keys');
  expect(list.items.map(({ name }: { name: string }) => name)).toEqual(['main', 'second']);
  expect(JSON.stringify(list)).not.toContain(key);

  expect((await console.call('DELETE', `/brands/malta/keys/${api_key_id}`)).status).toBe(204);
  expect(console.brands.byKey(key)).toBeUndefined();
  expect((await console.call('DELETE', `/brands/malta/keys/${api_key_id}`)).status).toBe(204);
  const { body: after } = await console.get('/brands/malta/keys');
  expect(after.items[1].revoked_at).toEqual(expect.any(String));

  const { body: audit } = await console.get('/brands/malta/audit');
  expect(audit.items.map(({ action }: { action: string }) => action)).toEqual(['key.revoked', 'key.created']);
});

test('a name can never be reused; a key of the configuration file is revoked there', async () => {
  expect((await console.call('POST', '/brands/malta/keys', { body: { name: 'main' } })).status).toBe(409);
  await console.pool.query('update api_key set declared = true where name = $1', ['main']);
  const { body: list } = await console.get('/brands/malta/keys');
  const refused = await console.call('DELETE', `/brands/malta/keys/${list.items[0].api_key_id}`);
  expect(refused.status).toBe(409);
  expect(refused.body.detail).toContain('configuration file');
  expect((await console.call('DELETE', '/brands/malta/keys/9999')).status).toBe(404);
});
