import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventKinds, messages, parseBody, readEvent } from '../index.ts';
import { optionalFields } from './optional-fields.ts';

/*
 * An event is accepted whatever its informational fields contain, and all its other fields are read as before
 * (docs/reference/decisions.md 1).
 */
const context = { now: Date.UTC(2026, 5, 1) * 1000, zoneless_timestamps: 'UTC', base_currency: 'EUR' };

const cases = eventKinds.flatMap((kind) => {
  const paths = Object.entries(optionalFields[kind]).flatMap(([path, carries]) =>
    carries === 'nothing' ? [path] : [],
  );
  return Object.values(messages[kind].samples).flatMap((sample) => paths.map((path) => ({ kind, sample, path })));
});

type Json = { [name: string]: unknown };

/** A copy with the value at the path. If the path goes through a list, every entry of the list gets the value. */
function withValue(body: Json, [name = '', ...rest]: string[], value: unknown): Json {
  if (rest.length === 0) return { ...body, [name]: value };
  const inner = body[name];
  const changed = (entry: unknown) => withValue((entry ?? {}) as Json, rest, value);
  return { ...body, [name]: Array.isArray(inner) ? inner.map(changed) : changed(inner) };
}

const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 2.5, 1e300, 'x'.repeat(300), '\u0000', '\ud800', 'maybe', [], {}, [null], [{}], [-1, 2.5]),
);

test('no value of an informational field refuses an event, or changes its other fields', () => {
  fc.assert(
    fc.property(fc.constantFrom(...cases), anyJson, ({ kind, sample, path }, value) => {
      const body = withValue(sample as Json, path.split('.'), value);
      const without = withValue(sample as Json, path.split('.'), undefined);
      const reading = readEvent(kind, body, context);
      if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
      const plain = readEvent(kind, without, context);
      if (!plain.ok) throw new Error(JSON.stringify(plain.errors));
      const rest = (event: object) => withValue(event as Json, path.split('.'), undefined);
      expect(rest(reading.event)).toEqual(rest(plain.event));
      expect(reading.flags.includes('field_left_out')).toBe(
        reading.remarks.some(({ rule }) => rule !== 'unknown_field'),
      );
    }),
    { numRuns: 5_000 },
  );
});

test('an event with left-out fields reads the same when it is read again from its text', () => {
  fc.assert(
    fc.property(fc.constantFrom(...cases), anyJson, ({ kind, sample, path }, value) => {
      const parsed = parseBody(JSON.stringify(withValue(sample as Json, path.split('.'), value)));
      const first = readEvent(kind, parsed.ok && parsed.body, context);
      const again = readEvent(kind, parsed.ok && parsed.body, { ...context, trusted: true });
      expect(again).toEqual(first);
    }),
    { numRuns: 1_000 },
  );
});
