import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBody } from '../parse-body.ts';
import { readDecimal } from './decimal.ts';

/** A decimal within the limits, in one of its many spellings, and the value that big.js reads from it. */
const spelledDecimal = fc
  .record({
    digits: fc.stringMatching(/^\d{1,17}$/),
    scale: fc.integer({ min: 0, max: 12 }),
    exponent: fc.integer({ min: -8, max: 1 }),
    zeros: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ digits, scale, exponent, zeros }) => {
    const padded = digits.padStart(scale + 1, '0');
    const point = padded.length - scale;
    const plain = scale === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}${'0'.repeat(zeros)}`;
    return exponent === 0 ? plain : `${plain}e${exponent}`;
  });

test('a decimal text reads as big.js reads it, in canonical form', () => {
  fc.assert(
    fc.property(spelledDecimal, (text) => {
      expect(readDecimal(text)).toEqual({ ok: true, text: new Big(text).toFixed() });
    }),
  );
});

test('reading is idempotent: the canonical text reads as itself', () => {
  fc.assert(
    fc.property(spelledDecimal, (text) => {
      const once = readDecimal(text);
      expect(once.ok && readDecimal(once.text)).toEqual(once);
    }),
  );
});

test('parseBody keeps the exact value of a JSON number of any length', () => {
  fc.assert(
    fc.property(spelledDecimal, (text) => {
      // JSON allows no leading zeros.
      const number = text.replace(/^0+(?=\d)/, '');
      const parsing = parseBody(`{"amount":${number}}`);
      const { amount } = (parsing.ok ? parsing.body : {}) as { amount?: unknown };
      expect(readDecimal(amount)).toEqual({ ok: true, text: new Big(text).toFixed() });
    }),
  );
});

test('reading never throws, whatever the value', () => {
  fc.assert(fc.property(fc.anything(), (value) => void readDecimal(value)));
});
