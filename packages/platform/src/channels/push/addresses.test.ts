import type { LookupAddress } from 'node:dns';
import { Pool } from 'undici';
import { describe, expect, test } from 'vitest';
import { isPublicAddress, publicConnector } from './addresses.ts';

describe('addresses of the public internet', () => {
  test.each([
    '8.8.8.8',
    '142.250.185.74',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '2a00:1450:4001:82a::200a',
    '2606:4700::1111',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.8.8.8',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::1',
    '3fff::1',
    'localhost',
    '',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('addresses that are not dialed', () => {
  const privateOne = [{ address: '10.0.0.5', family: 4 }];
  test.each([
    ['https://127.0.0.1', []],
    ['https://[::1]', []],
    ['https://[::ffff:127.0.0.1]', []],
    // The same address as one number, in hexadecimal, and shortened. The URL parser converts them to dotted form.
    ['https://2130706433', []],
    ['https://0x7f000001', []],
    ['https://127.1', []],
    ['https://169.254.169.254', []],
    ['https://localhost', [{ address: '127.0.0.1', family: 4 }]],
    ['https://push.example', privateOne],
    ['https://push.example', [{ address: '8.8.8.8', family: 4 }, ...privateOne]],
    ['https://push.example', [{ address: 'fd00::1', family: 6 }]],
    ['https://push.example', []],
  ] satisfies [string, LookupAddress[]][])('%s %j', async (origin, resolved) => {
    const connect = publicConnector(500, {
      mayBePrivate: false,
      resolve: async () => resolved,
    });
    const pool = new Pool(new URL(origin).origin, { connect });
    await expect(pool.request({ path: '/', method: 'POST' })).rejects.toMatchObject({ name: 'PrivateAddress' });
    await pool.destroy();
  });
});
