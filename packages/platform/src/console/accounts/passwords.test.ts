import { describe, expect, test } from 'vitest';
import { hashPassword, LoginsBusy, unknownAccountPassword, verifyPassword } from './passwords.ts';

describe('passwords', () => {
  test('the right one is accepted, another one is not, and two hashes of one password differ', async () => {
    const first = await hashPassword('correct horse battery');
    const second = await hashPassword('correct horse battery');
    expect(first).not.toBe(second);
    expect(await verifyPassword('correct horse battery', first)).toBe(true);
    expect(await verifyPassword('correct horse batterz', first)).toBe(false);
  });

  test('letters composed differently in Unicode are the same password', async () => {
    const stored = await hashPassword('pässwörter-lang'.normalize('NFC'));
    expect(await verifyPassword('pässwörter-lang'.normalize('NFD'), stored)).toBe(true);
  });

  test('the password of an unknown account, or a text that is not a hash, is never accepted', async () => {
    expect(await verifyPassword('', unknownAccountPassword)).toBe(false);
    expect(await verifyPassword('anything', 'plain text')).toBe(false);
  });

  test('a flood is refused instead of queued', async () => {
    const flood = Array.from({ length: 25 }, () => verifyPassword('guess', 'scrypt$1024$8$1$c2FsdA$aGFzaA'));
    const outcomes = await Promise.allSettled(flood);
    const turnedAway = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(turnedAway).toHaveLength(5);
    expect(turnedAway.every((outcome) => outcome.reason instanceof LoginsBusy)).toBe(true);
  });
});
