import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, fingerprint } from './fingerprint.ts';
import { parseBody } from './parse-body.ts';

function parse(text: string): unknown {
  const parsing = parseBody(text);
  if (!parsing.ok) throw new Error(`${text}: ${parsing.error.message}`);
  return parsing.body;
}

/** The same JSON value with the keys of every object in another order. */
function shuffledKeys(value: unknown, pick: (n: number) => number): unknown {
  if (Array.isArray(value)) return value.map((entry) => shuffledKeys(entry, pick));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, shuffledKeys(entry, pick)] as const);
  return Object.fromEntries(
    entries
      .map((entry) => [pick(1_000_000), entry] as const)
      .sort(([a], [b]) => a - b)
      .map(([, e]) => e),
  );
}

const json = fc.jsonValue({ depthSize: 'small' });

test('the order of keys does not matter', () => {
  fc.assert(
    fc.property(json, fc.infiniteStream(fc.nat()), (value, numbers) => {
      const pick = (n: number) => (numbers.next().value ?? 0) % n;
      expect(canonicalJson(shuffledKeys(value, pick))).toBe(canonicalJson(value));
    }),
  );
});

test('the canonical text has the same value', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('the spelling of a number does not matter, whatever its length', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{0,25}$/), fc.integer({ min: 0, max: 5 }), (digits, scale) => {
      const spellings = [
        `${digits}e-${scale}`,
        `${digits}.000e-${scale}`,
        `${digits}0E-${scale + 1}`,
        `${digits[0]}.${digits.slice(1)}0e${digits.length - 1 - scale}`,
      ];
      const texts = new Set(spellings.map((spelling) => canonicalJson(parse(`{"n":${spelling}}`))));
      expect([...texts]).toHaveLength(1);
    }),
  );
});

test('a fingerprint has 16 bytes and distinguishes brands, kinds and bodies', () => {
  const body = { user_id: '1', amount: 5 };
  const prints = [
    fingerprint(1, 'payment', body),
    fingerprint(2, 'payment', body),
    fingerprint(1, 'casino', body),
    fingerprint(1, 'payment', { ...body, amount: '5' }),
    fingerprint(1, 'payment', { user_id: '1', amount: 5.5 }),
  ];
  for (const print of prints) expect(print).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(prints).size).toBe(prints.length);
  expect(fingerprint(1, 'payment', { amount: 5, user_id: '1' })).toBe(fingerprint(1, 'payment', body));
});
