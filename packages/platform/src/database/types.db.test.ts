import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { openPool, timestamptzText } from './index.ts';

const { pool, url } = await setupDatabase();

async function read(expression: string, parameters: unknown[] = []): Promise<unknown> {
  const { rows } = await pool.query<{ value: unknown }>(`select ${expression} as value`, parameters);
  return rows[0]?.value;
}

const at = Date.UTC(2026, 4, 1, 8, 27, 58) * 1000;

describe('how values are read', () => {
  test.each<[expression: string, expected: unknown]>([
    ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
    ['-5::int8', -5],
    ['array[1, null, 3]::int8[]', [1, null, 3]],
    ['array[]::int8[]', []],
    ["'0.10'::numeric", '0.10'],
    ["'123456789012345678.123456789'::numeric", '123456789012345678.123456789'],
    ["array['0.10', null]::numeric[]", ['0.10', null]],
    ["date '2026-05-01'", '2026-05-01'],
    ["array[date '2026-05-01', null]", ['2026-05-01', null]],
    ["timestamptz '2026-05-01T08:27:58Z'", at],
    ["timestamptz '2026-05-01T08:27:58.000001Z'", at + 1],
    ["timestamptz '2026-05-01T10:57:58.1+02:30'", at + 100_000],
    ["timestamptz '1969-12-31T23:59:59.999999Z'", -1],
    ["timestamptz 'infinity'", Number.POSITIVE_INFINITY],
    ["timestamptz '-infinity'", Number.NEGATIVE_INFINITY],
    ["array[timestamptz '2026-05-01T08:27:58.000001Z', null]", [at + 1, null]],
    ['null::timestamptz', null],
  ])('%s', async (expression, expected) => {
    expect(await read(expression)).toEqual(expected);
  });

  test('an int8 that a number cannot hold causes an error instead of a wrong number', async () => {
    await expect(read('9007199254740993::int8')).rejects.toThrow('beyond 2^53');
    expect(await read('9007199254740993::int8::text')).toBe('9007199254740993');
  });

  test.each([at, at + 1, at + 999_999, -1, -1_000_001, 0])('%d is read back unchanged', async (micros) => {
    expect(await read('$1::timestamptz', [timestamptzText(micros)])).toBe(micros);
  });

  test('the time zone of the server or of the session does not matter', async () => {
    const other = openPool(`${url}?options=-c%20TimeZone%3DAsia%2FKolkata`, { name: 'test', max: 1 });
    const { rows } = await other.query<{ zone: string; value: number }>(
      "select current_setting('TimeZone') as zone, timestamptz '2026-05-01T08:27:58.5Z' as value",
    );
    await other.end();
    expect(rows).toEqual([{ zone: 'Asia/Kolkata', value: at + 500_000 }]);
  });
});
