import { expect, test } from 'vitest';
import { coarseNetwork, deviceOf } from './device.ts';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['curl/8.9.1', 'curl'],
  ['', 'Unknown program'],
])('%s is %s', (userAgent, device) => {
  expect(deviceOf({ userAgent, address: '192.0.2.77' })).toEqual({ device, network: '192.0.2.0/24' });
});

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:12:34::1', '2001:db8:12::/48'],
  ['2001:0db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
])('of %s the network %s is stored', (address, network) => {
  expect(coarseNetwork(address)).toBe(network);
});
