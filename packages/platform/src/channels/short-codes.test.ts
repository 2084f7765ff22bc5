import { describe, expect, test } from 'vitest';
import { MessageTokens } from './message-tokens.ts';
import { readShortCode, sampleCode, shortCodeKey, writeShortCode } from './short-codes.ts';

const key = shortCodeKey('a secret for tests');
const code = writeShortCode(key, { message_id: 64_000_007, place: 2 });

describe('the code of a link in an SMS', () => {
  test('does not change between versions', () => {
    expect(code).toBe('bKcLQpYU8Ff5n');
  });

  test.each([1, 63, 64_000_007, 2 ** 47, 2 ** 48 - 1])('is read back for message %i, and has 13 characters', (id) => {
    for (const place of [1, 2, 100, 255]) {
      const link = { message_id: id, place };
      const written = writeShortCode(key, link);
      expect(written).toMatch(/^[0-9A-Za-z]{13}$/);
      expect(readShortCode(key, written)).toEqual(link);
    }
  });

  test('does not show the order of messages and links', () => {
    const codes = Array.from({ length: 1_000 }, (_, n) => writeShortCode(key, { message_id: 64 * n + 1, place: 1 }));
    expect(new Set(codes).size).toBe(1_000);
    expect(new Set(codes.map((one) => one.slice(1, 5))).size).toBeGreaterThan(990);
    expect(new Set(codes.map((one) => one.slice(-4))).size).toBeGreaterThan(990);
  });

  test('is invalid after any change of any character, shortened, lengthened, or with another secret', () => {
    for (let at = 0; at < code.length; at++)
      for (const other of ['x', 'y', '0', 'Z'])
        if (code[at] !== other) expect(readShortCode(key, code.slice(0, at) + other + code.slice(at + 1))).toBeNull();
    for (const wrong of ['', code.slice(1), code.slice(0, -1), `${code}0`, `0${code}`, `${code} `, 'z'.repeat(13)])
      expect(readShortCode(key, wrong)).toBeNull();
    expect(readShortCode(shortCodeKey('another secret'), code)).toBeNull();
  });

  test('is as long as the sample code, which is not a valid link', () => {
    expect(sampleCode).toHaveLength(code.length);
    expect(readShortCode(key, sampleCode)).toBeNull();
  });

  test.each([
    { message_id: 2 ** 48, place: 1 },
    { message_id: 64, place: 0 },
    { message_id: 64, place: 256 },
  ])('is not written for %j', (link) => {
    expect(() => writeShortCode(key, link)).toThrow('cannot have a short code');
  });

  test('survives a change of the secret, if the old one is still configured', () => {
    const link = { message_id: 64_000_007, place: 2 };
    const rotated = new MessageTokens({ secrets: ['a new secret', 'a secret for tests'] });
    expect(rotated.readCode(code)).toEqual(link);
    expect(rotated.writeCode(link)).not.toBe(code);
    expect(new MessageTokens({ secrets: ['a new secret'] }).readCode(code)).toBeNull();
  });
});
