import { expect, test } from 'vitest';
import { loadConfig } from '../config/index.ts';
import { announce } from './announce.ts';
import type { DemoBrand } from './demo-brand.ts';

const config = await loadConfig({
  PORT: '8080',
  CROUPIER_SECRET: 'a secret of 32 characters for tests',
  CROUPIER_ADMIN_TOKEN: 'a token for tests',
});
const sid = 'sid-of-the-test-user';
const demo = {
  key: 'key-of-the-demo-brand',
  operator_key: 'key-of-its-operator',
  test_user: { sid, user_id: 'test-1' },
} as DemoBrand;
const withSandbox = { ...demo, sandbox_url: 'http://127.0.0.1:8090' };
const withoutSandbox = { ...demo, sandbox_url: null };

test('the sid of the test user is printed with the sandbox', () => {
  const text = announce({ config, demo: withSandbox, login: null });
  expect(text).toContain(`test-1  sid ${sid}`);
  expect(text).toContain('http://127.0.0.1:8090/live');
});

test('without the sandbox or the demo brand it is not printed, because anyone who has it can act as this player', () => {
  const text = announce({ config, demo: withoutSandbox, login: null });
  expect(text).toContain('key-of-the-demo-brand');
  expect(text).not.toContain(sid);
  expect(announce({ config, demo: null, login: null })).not.toContain(sid);
});

test("the operator's key is never printed, and the password of the first login only if it is new", () => {
  const login = { email: 'admin@example.com', password: 'a new password' };
  expect(announce({ config, demo: withSandbox, login })).toContain('admin@example.com  a new password');
  expect(announce({ config, demo: withSandbox, login: null })).not.toContain('password');
  expect(announce({ config, demo: withSandbox, login })).not.toContain('key-of-its-operator');
});

test('the addresses start with PUBLIC_URL, and the local address is printed if it differs', async () => {
  const own = { CROUPIER_SECRET: 'a secret of 32 characters for tests', CROUPIER_ADMIN_TOKEN: 'a token for tests' };
  const printed = async (env: Record<string, string>) =>
    announce({ config: await loadConfig({ ...own, ...env }), demo: null, login: null });

  const behindProxy = await printed({ PUBLIC_URL: 'https://crm.example.com' });
  expect(behindProxy).toMatch(/^ {2}Croupier +https:\/\/crm\.example\.com$/m);
  expect(behindProxy).toMatch(/^ {2}Console +https:\/\/crm\.example\.com\/console$/m);
  expect(behindProxy).toMatch(/^ {2}On this machine +http:\/\/localhost:8080$/m);

  expect(await printed({ PUBLIC_URL: 'http://localhost:8080/' })).not.toContain('On this machine');
  expect(await printed({})).not.toContain('On this machine');
  const onOneAddress = await printed({ HOST: '192.0.2.7' });
  expect(onOneAddress).toMatch(/^ {2}Console +http:\/\/192\.0\.2\.7:8080\/console$/m);
  expect(onOneAddress).not.toContain('localhost:8080');
});
