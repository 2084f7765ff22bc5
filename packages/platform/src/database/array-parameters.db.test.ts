import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { packArrays } from './array-parameters.ts';
import { timestamptzText } from './types.ts';

const { pool } = await setupDatabase();

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 99 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(2, '0')}`);
const days = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const texts = fc
  .oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'NULL', 'null', '{', '"', '\\', ',', ' a '))
  .map((text) => text.replaceAll('\0', '').toWellFormed());
const hexes = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const moments = fc.integer({ min: Date.UTC(1750, 0) * 1_000, max: Date.UTC(2250, 0) * 1_000 });

/** Each type with random values, and the function that writes a value as text. PostgreSQL parses that text by its own rules. */
const types: [type: string, values: fc.Arbitrary<unknown>, asText: (value: never) => string][] = [
  ['boolean', fc.boolean(), String],
  ['smallint', fc.integer({ min: -32_768, max: 32_767 }), String],
  ['int', fc.integer(), String],
  ['bigint', fc.maxSafeInteger(), String],
  ['timestamptz', moments, (at: number) => timestamptzText(at)],
  ['date', days, String],
  ['text', texts, String],
  ['jsonb', fc.json().map((text) => text.replaceAll('\\u0000', '').toWellFormed()), String],
  ['numeric', decimals, String],
  ['bytea', hexes, (hex: string) => `\\x${hex}`],
];

test.each(types)('an array of %s has the same value in binary and as text', async (type, values, asText) => {
  const read = async (given: unknown) => {
    const { rows } = await pool.query<{ out: string | null }>(
      `select x::text as out from unnest($1::${type}[]) with ordinality as u(x, place) order by place`,
      [given],
    );
    return rows.map((row) => row.out);
  };
  const literal = (list: readonly unknown[]) => {
    const quoted = (value: unknown) => `"${asText(value as never).replaceAll(/["\\]/g, '\\$&')}"`;
    return `{${list.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;
  };
  const lists = fc.array(fc.option(values), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      expect(await read(list)).toEqual(await read(literal(list)));
    }),
    { numRuns: 60 },
  );
});

test('arrays far larger than the buffer arrive complete', async () => {
  const texts = Array.from({ length: 20_000 }, (_, i) => `${'ä€😀'.repeat(i % 40)}${i}`);
  const { rows } = await pool.query<{ texts: string[] }>({
    name: 'large',
    text: 'select $1::text[] as texts',
    values: [texts],
  });
  expect(rows[0]?.texts).toEqual(texts);
});

test.each([
  ['smallint', [40_000], '22003'],
  ['int', [1.5], '22P02'],
  ['bigint', ['no'], '22P02'],
  ['date', ['2026-02-30'], '22008'],
  ['boolean', ['maybe'], '22P02'],
  ['numeric', ['1,2'], '22P02'],
  ['jsonb', ['{'], '22P02'],
  ['text', ['a\0b'], '22021'],
  ['bytea', ['\\x0g'], '22023'],
])('the database refuses %s[] of %j with its own error code', async (type, values, code) => {
  await expect(pool.query(`select $1::${type}[]`, [values])).rejects.toMatchObject({ code });
});

test('the driver encodes single values, arrays without a cast, and moments given as texts', () => {
  const values = [[1], ['2026-05-01T00:00:00Z'], 'text', 5];
  expect(packArrays('select $1, $2::timestamptz[], $3::text, $4::int', values)).toEqual(values);
});
