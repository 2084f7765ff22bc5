import { expect, test } from 'vitest';
import { localAddress } from './local-address.ts';

test.each([
  [undefined, 'http://localhost:8080'],
  ['0.0.0.0', 'http://localhost:8080'],
  ['::', 'http://localhost:8080'],
  ['10.0.0.7', 'http://10.0.0.7:8080'],
  ['::1', 'http://[::1]:8080'],
])('listening on %s, it is reachable at %s', (host, expected) => {
  expect(localAddress({ host, port: 8080 }, 'localhost')).toBe(expected);
});
