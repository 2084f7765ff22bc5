import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventKinds, maxErrors, messages, parseBody, readEvent, validator } from './index.ts';

const context = { now: Date.UTC(2026, 5, 1) * 1000, zoneless_timestamps: 'Europe/Malta', base_currency: 'EUR' };
const validators = new Map(eventKinds.map((kind) => [kind, validator(messages[kind].schema)]));
const kinds = fc.constantFrom(...eventKinds);
const names = [...new Set(eventKinds.flatMap((kind) => Object.keys(messages[kind].fields)))];

/** Values that field readers must handle, including odd ones. */
const value = fc.oneof(
  fc.jsonValue({ depthSize: 'small' }),
  fc.constantFrom('', ' ', '1e999', '-0', 'Approved', 'bet', '2026-01-01 00:00:00', '\u0000', '\ud800', '__proto__'),
  fc.double(),
  fc.array(
    fc.dictionary(fc.constantFrom('ticket_id', 'line_id', 'amount', 'timestamp', 'odds', 'key'), fc.jsonValue()),
  ),
);
const body = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value);

test('any JSON gets an answer, never an exception', () => {
  fc.assert(
    fc.property(kinds, fc.oneof(body, fc.jsonValue()), (kind, any) => {
      const reading = readEvent(kind, any, context);
      if (!reading.ok) expect(reading.errors.length).toBeGreaterThan(0);
      if (!reading.ok) expect(reading.errors.length).toBeLessThanOrEqual(maxErrors);
    }),
    { numRuns: 500 },
  );
});

test('a sample with odd values in a few fields gets an answer with errors only for those fields', () => {
  fc.assert(
    fc.property(kinds, body, (kind, odd) => {
      const [sample] = Object.values(messages[kind].samples);
      const reading = readEvent(kind, { ...sample, ...odd }, context);
      if (reading.ok) return;
      // The only rule over several fields: a lottery Settlement needs draw_numbers.
      const named = new Set([...Object.keys(odd), 'draw_numbers']);
      for (const { path } of reading.errors) expect(named).toContain(path.split(/[.[]/)[0]);
    }),
    { numRuns: 500 },
  );
});

test('a body that matches the schema is read, except for what a schema cannot express', () => {
  // The rules that a schema cannot express: dates that do not exist, the clock, NUL, half surrogates and blanks in
  // texts, and numbers such as 1e-300.
  const beyondSchemas = ['timestamp', 'not_before_2000', 'not_ahead', 'id', 'code', 'required', 'decimal_digits'];
  let accepted = 0;
  fc.assert(
    fc.property(kinds, body, (kind, odd) => {
      const [sample] = Object.values(messages[kind].samples);
      const changed = { ...sample, ...odd };
      if (validators.get(kind)?.accepts(changed) !== true) return;
      accepted++;
      const reading = readEvent(kind, changed, context);
      const errors = reading.ok ? [] : reading.errors;
      expect(errors.filter(({ rule }) => !beyondSchemas.includes(rule))).toEqual([]);
    }),
    { numRuns: 800 },
  );
  expect(accepted).toBeGreaterThan(50);
});

test('reading does not change the body, and gives the same result twice', () => {
  fc.assert(
    fc.property(kinds, body, (kind, odd) => {
      const [sample] = Object.values(messages[kind].samples);
      const text = JSON.stringify({ ...sample, ...odd });
      const parsing = parseBody(text);
      if (!parsing.ok) return;
      const before = JSON.stringify(parsing.body);
      const first = readEvent(kind, parsing.body, context);
      expect(readEvent(kind, parsing.body, context)).toEqual(first);
      expect(JSON.stringify(parsing.body)).toBe(before);
    }),
  );
});
