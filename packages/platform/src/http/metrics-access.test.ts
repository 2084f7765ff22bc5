import { expect, test } from 'vitest';
import { testLog } from '../../testing/log.ts';
import { metricsRoutes } from './metrics.ts';
import { isPrivate } from './metrics-access.ts';
import { createHttpServer } from './server.ts';

const text = async () => 'croupier_workers 1\n';

async function scrape(
  options: { token?: string; trustedProxies?: string[] },
  call: { from: string; headers?: Record<string, string> },
): Promise<number> {
  const { token, trustedProxies = [] } = options;
  const app = await createHttpServer({ edge: () => false, log: testLog, trustedProxies });
  await app.register(metricsRoutes({ text, token }));
  const { statusCode, body } = await app.inject({
    url: '/metrics',
    remoteAddress: call.from,
    headers: call.headers ?? {},
  });
  expect(body.includes('croupier_workers')).toBe(statusCode === 200);
  await app.close();
  return statusCode;
}

test.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '::1', '::ffff:127.0.0.1', 'fd00::1', 'fe80::1%eth0'])(
  '%s is private',
  (address) => expect(isPrivate(address)).toBe(true),
);

test.each(['192.0.2.1', '172.32.0.1', '8.8.8.8', '2001:db8::1', '::ffff:8.8.8.8'])('%s is public', (address) =>
  expect(isPrivate(address)).toBe(false),
);

test('without a token, only callers of private networks can read the metrics', async () => {
  expect(await scrape({}, { from: '127.0.0.1' })).toBe(200);
  expect(await scrape({}, { from: '10.0.0.7' })).toBe(200);
  expect(await scrape({}, { from: '192.0.2.1' })).toBe(403);
});

test("behind a trusted proxy the caller's address counts; calls through an untrusted proxy are refused", async () => {
  const public_ = { 'x-forwarded-for': '192.0.2.1' };
  const private_ = { 'x-forwarded-for': '10.0.0.7' };
  expect(await scrape({}, { from: '127.0.0.1', headers: public_ })).toBe(403);
  expect(await scrape({}, { from: '127.0.0.1', headers: private_ })).toBe(403);
  expect(await scrape({}, { from: '127.0.0.1', headers: { forwarded: 'for=10.0.0.7' } })).toBe(403);
  for (const header of ['x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via'])
    expect(await scrape({}, { from: '127.0.0.1', headers: { [header]: '10.0.0.7' } }), header).toBe(403);
  const trusting = { trustedProxies: ['127.0.0.1'] };
  expect(await scrape(trusting, { from: '127.0.0.1', headers: public_ })).toBe(403);
  expect(await scrape(trusting, { from: '127.0.0.1', headers: private_ })).toBe(200);
});

test('with a token, only the token counts, from any address', async () => {
  const token = 'a-token-of-sixteen-characters';
  const headers = { authorization: `Bearer ${token}` };
  expect(await scrape({ token }, { from: '192.0.2.1', headers })).toBe(200);
  expect(await scrape({ token }, { from: '127.0.0.1' })).toBe(401);
  expect(await scrape({ token }, { from: '127.0.0.1', headers: { authorization: 'Bearer wrong' } })).toBe(401);
});
