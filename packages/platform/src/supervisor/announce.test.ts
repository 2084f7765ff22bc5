import { expect, test } from 'vitest';
import { loadConfig } from '../config/index.ts';
import { announce } from './announce.ts';
import type { DemoBrand } from './demo-brand.ts';

const config = await loadConfig({ PORT: '8080', CROUPIER_SECRET: 'a secret', CROUPIER_ADMIN_TOKEN: 'a token' });
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
