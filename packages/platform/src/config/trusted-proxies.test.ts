import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { readSettings } from './config.ts';

const read = (trusted_proxies: unknown) => readSettings({ trusted_proxies }, {});

describe('trusted proxies', () => {
  test('no forwarded address is trusted unless a proxy is configured', () => {
    expect(readSettings({}, {}).settings.trusted_proxies).toEqual([]);
  });

  test.each([
    ['10.0.0.0', 'trusted_proxies must be a list'],
    [1, 'trusted_proxies must be a list'],
    [[1], 'trusted_proxies[0] must be a string: put it in quotes'],
    ...['proxy.local', '10.0.0.0/33', '10.0.0.0/8/8', '::/129', '0.0.0.0/0', '::/0', '10.0.0.0/', '10.1', ''].map(
      (text): [unknown, string] => [
        ['10.0.0.1', text],
        `trusted_proxies[1] must be an address or a CIDR block such as 127.0.0.1 or 10.0.0.0/8, not ${text}`,
      ],
    ),
  ])('%j is an error', (value, message) => {
    expect(read(value).errors.map((error) => `${error.path} ${error.message}`)).toEqual([message]);
  });

  // Only Fastify reads the setting, so this tests how Fastify interprets it.
  test.each<[proxies: string[], peer: string, forwarded: string, ip: string]>([
    [[], '10.0.0.1', '203.0.113.7', '10.0.0.1'],
    [['10.0.0.1'], '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    [['10.0.0.1'], '10.0.0.2', '203.0.113.7', '10.0.0.2'],
    [['10.0.0.0/8'], '10.9.8.7', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [['10.0.0.0/8', '203.0.113.7'], '10.9.8.7', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [['10.0.0.1/32'], '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    [['fd00::/8', '::1'], 'fd00::1', '203.0.113.7', '203.0.113.7'],
  ])('with %j, a call from %s for %s is from %s', async (proxies, peer, forwarded, ip) => {
    const { settings, errors } = read(proxies);
    expect(errors).toEqual([]);
    const app = Fastify({ trustProxy: settings.trusted_proxies });
    app.get('/', async (request) => request.ip);
    const answer = await app.inject({ path: '/', remoteAddress: peer, headers: { 'x-forwarded-for': forwarded } });
    expect(answer.body).toBe(ip);
    await app.close();
  });
});
