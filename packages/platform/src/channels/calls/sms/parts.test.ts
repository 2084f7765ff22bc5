import { describe, expect, test } from 'vitest';
import { mobileNumber } from './number.ts';
import { beyondGsm, countParts } from './parts.ts';

describe('parts of an SMS', () => {
  test.each([
    ['nothing', '', 'gsm7', 0, 1],
    ['160 characters', 'a'.repeat(160), 'gsm7', 160, 1],
    ['161', 'a'.repeat(161), 'gsm7', 161, 2],
    ['two full parts', 'a'.repeat(306), 'gsm7', 306, 2],
    ['one character more than two full parts', 'a'.repeat(307), 'gsm7', 307, 3],
    ['80 characters of the extension', '€'.repeat(80), 'gsm7', 160, 1],
    ['81 characters of the extension', '€'.repeat(81), 'gsm7', 162, 2],
    ['a character of the extension at the border of a part', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'gsm7', 306, 3],
    ['letters with accents of the basic table', 'àèéìòùÄÖÑÜäöñü§', 'gsm7', 15, 1],
    ['70 characters of UCS-2', 'ç'.repeat(70), 'ucs2', 70, 1],
    ['71', 'ç'.repeat(71), 'ucs2', 71, 2],
    ['134', 'ç'.repeat(134), 'ucs2', 134, 2],
    ['135', 'ç'.repeat(135), 'ucs2', 135, 3],
    ['35 emoji', '🎰'.repeat(35), 'ucs2', 70, 1],
    ['an emoji is not cut', `${'ж'.repeat(66)}🎰${'ж'.repeat(66)}`, 'ucs2', 134, 3],
  ] as const)('%s', (_, text, encoding, units, parts) => {
    expect(countParts(text)).toEqual({ encoding, units, parts });
  });
});

test('the characters that need UCS-2 are named once, in their order', () => {
  expect(beyondGsm('a – “b” – 🎰ç€')).toEqual(['–', '“', '”', '🎰', 'ç']);
  expect(beyondGsm('plain {text} of 10 €')).toEqual([]);
});

describe('a mobile number', () => {
  test.each([
    ['+356', '99123456', { e164: '+35699123456' }],
    ['356', '9912 3456', { e164: '+35699123456' }],
    ['00356', '99-12.34/56', { e164: '+35699123456' }],
    ['+49', '0176 1234567', { e164: '+491761234567' }],
    ['+49', '+46701234567', { e164: '+46701234567' }],
    ['', '0046701234567', { e164: '+46701234567' }],
    ['+49', '+49 (0)171 1234567', { e164: '+491711234567' }],
    ['+49', '(0)171 1234567', { e164: '+491711234567' }],
    ['+356', '', { problem: 'no_number' }],
    [null, null, { problem: 'no_number' }],
    ['', '99123456', { problem: 'bad_number' }],
    ['+356', '12', { problem: 'bad_number' }],
    ['+356', 'call me', { problem: 'bad_number' }],
    ['+0', '123456789', { problem: 'bad_number' }],
    ['+356', '1234567890123456', { problem: 'bad_number' }],
  ] as const)('%s %s', (prefix, mobile, expected) => {
    expect(mobileNumber(prefix, mobile)).toEqual(expected);
  });
});
