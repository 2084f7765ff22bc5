import { createECDH, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashOfEndpoint, readDevice } from './device.ts';

const ecdh = createECDH('prime256v1');
ecdh.generateKeys();
const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
const endpoint = 'https://push.example/v2/abc?x=1';
const allowed = ['http://127.0.0.1:9000', 'https://Push.lan:8443/'];

test.each([
  ['https://push.example/v2/abc', undefined],
  ['https://push.example:443/v2/abc', undefined],
  ['http://127.0.0.1:9000/a', undefined],
  ['https://push.lan:8443/a', undefined],
  ['http://push.example/a', 'endpoint'],
  ['http://127.0.0.1:9001/a', 'endpoint'],
  ['http://127.0.0.1:9000@evil.example/a', 'endpoint'],
  ['https://push.example:8443/a', 'endpoint'],
  ['https://user@push.example/a', 'endpoint'],
  ['https://push.example/a#b', 'endpoint'],
  ['https://push.example\\@127.0.0.1:9000/a', undefined],
  ['https://8.8.8.8/a', 'endpoint'],
  ['https://[2606:4700::1111]/a', 'endpoint'],
  ['https://0x7f000001/a', 'endpoint'],
  ['ftp://push.example/a', 'endpoint'],
  ['javascript:alert(1)', 'endpoint'],
  ['//push.example/a', 'endpoint'],
  ['', 'endpoint'],
  [`https://push.example/${'a'.repeat(1_000)}`, 'endpoint'],
])('the endpoint %s is read with the fault %s', (address, fault) => {
  expect(readDevice({ endpoint: address, keys }, allowed).fault).toBe(fault);
});

test.each([
  ['p256dh', ''],
  ['p256dh', 'not base64!'],
  ['p256dh', Buffer.concat([Buffer.of(4), randomBytes(63)]).toString('base64url')],
  // This key has the right length, but is not a point of the curve.
  ['p256dh', Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')],
  ['p256dh', ecdh.getPublicKey('base64url', 'compressed')],
  ['auth', randomBytes(15).toString('base64url')],
  ['auth', ''],
])('a device is refused if its key %s is %j', (name, value) => {
  expect(readDevice({ endpoint, keys: { ...keys, [name]: value } }, []).fault).toBe('keys');
});

test('a device has one hash, however its address is spelled', () => {
  expect(readDevice({ endpoint, keys }, []).device).toEqual({ endpoint, ...keys });
  expect(hashOfEndpoint('https://PUSH.example:443/v2/abc?x=1')).toEqual(hashOfEndpoint(endpoint));
  expect(hashOfEndpoint('https://push.example/v2/abd?x=1')).not.toEqual(hashOfEndpoint(endpoint));
});
