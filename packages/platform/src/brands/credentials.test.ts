import { describe, expect, test } from 'vitest';
import { Unreadable, Vault } from './credentials.ts';

const vault = new Vault('one secret');
const credentials = { auth: { value: 'the key' }, sid: 'ü €' };

describe('encrypted credentials', () => {
  test('can be decrypted, and do not reveal their content', () => {
    const sealed = vault.seal('demo', credentials);
    expect(vault.open('demo', sealed)).toEqual(credentials);
    expect(sealed.toString('latin1')).not.toContain('the key');
    expect(vault.seal('demo', credentials)).not.toEqual(sealed);
  });

  test.each<[string, (sealed: Buffer) => unknown]>([
    ['another secret', (sealed) => new Vault('another').open('demo', sealed)],
    ['another brand', (sealed) => vault.open('other', sealed)],
    ['a changed byte', (sealed) => vault.open('demo', flip(sealed, sealed.length - 1))],
    ['a changed tag', (sealed) => vault.open('demo', flip(sealed, 20))],
    ['an unknown version', (sealed) => vault.open('demo', flip(sealed, 0))],
    ['a cut end', (sealed) => vault.open('demo', sealed.subarray(0, 12))],
    ['nothing', () => vault.open('demo', Buffer.alloc(0))],
  ])('cannot be decrypted with %s', (_name, open) => {
    expect(() => open(vault.seal('demo', credentials))).toThrow(Unreadable);
  });
});

describe('after a change of the secret', () => {
  const rotated = new Vault('the third', ['the second', 'one secret']);

  test('data of any earlier secret can be decrypted, and new data needs the new secret', () => {
    expect(rotated.open('demo', vault.seal('demo', credentials))).toEqual(credentials);
    expect(rotated.open('demo', new Vault('the second').seal('demo', credentials))).toEqual(credentials);
    const sealed = rotated.seal('demo', credentials);
    expect(new Vault('the third').open('demo', sealed)).toEqual(credentials);
    expect(() => vault.open('demo', sealed)).toThrow(Unreadable);
  });

  test('erased players and suppressed addresses are still recognized', () => {
    expect(rotated.erasureKey(1, 7n)).toBe(vault.erasureKey(1, 7n));
    expect(rotated.addressKey(1, 'a@b.example')).toEqual(vault.addressKey(1, 'a@b.example'));
    const withoutTheOldest = new Vault('the third', ['the second']);
    expect(withoutTheOldest.addressKey(1, 'a@b.example')).not.toEqual(vault.addressKey(1, 'a@b.example'));
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
