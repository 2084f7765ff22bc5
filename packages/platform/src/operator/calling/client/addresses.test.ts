import type { LookupAddress } from 'node:dns';
import { Pool } from 'undici';
import { describe, expect, test } from 'vitest';
import { guardedConnector, isMetadataAddress } from './addresses.ts';

describe('cloud metadata addresses', () => {
  test.each([
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fe80::1%eth0',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ])('%s is a metadata address', (address) => expect(isMetadataAddress(address)).toBe(true));

  test.each(['127.0.0.1', '10.0.0.5', '192.168.1.1', '169.253.1.1', '::1', 'fd00::1', '8.8.8.8', 'localhost'])(
    '%s is not a metadata address',
    (address) => expect(isMetadataAddress(address)).toBe(false),
  );

  test.each([
    ['http://169.254.169.254', []],
    // The same address as one number. The URL parser converts it to dotted form.
    ['http://2852039166', []],
    ['http://[fd00:ec2::254]', []],
    ['http://operator.example', [{ address: '169.254.169.254', family: 4 }]],
    [
      'http://operator.example',
      [
        { address: '127.0.0.1', family: 4 },
        { address: 'fd00:ec2::254', family: 6 },
      ],
    ],
  ] satisfies [string, LookupAddress[]][])('no connection is made to %s', async (origin, resolved) => {
    const connect = guardedConnector(500, (_name, _options, callback) => callback(null, resolved));
    const pool = new Pool(new URL(origin).origin, { connect });
    await expect(pool.request({ path: '/', method: 'GET' })).rejects.toMatchObject({ code: 'REFUSED_ADDRESS' });
    await pool.destroy();
  });
});
