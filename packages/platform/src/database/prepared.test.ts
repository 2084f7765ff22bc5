import { expect, test } from 'vitest';
import { PreparedStatements } from './prepared.ts';

function uses(statements: PreparedStatements, text: string, times: number): (string | undefined)[] {
  return Array.from({ length: times }, () => statements.nameOf(text));
}

test('a statement is prepared from its fifth use on, always under the same name', () => {
  const statements = new PreparedStatements();
  const names = uses(statements, 'select $1::int', 8);
  expect(names.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
  expect(names[4]).toMatch(/^auto_[\w-]{40}$/);
  expect(new Set(names.slice(4)).size).toBe(1);
  expect(uses(statements, 'select $1::bigint', 5).at(-1)).not.toBe(names[4]);
});

test('statements whose text is generated for one use are not prepared, and do not fill the memory', () => {
  const statements = new PreparedStatements();
  for (let i = 0; i < 10_000; i++) expect(statements.nameOf(`select ${i}, $1::int`)).toBeUndefined();
});

test('a connection prepares a limited number of statements; statements that it has prepared stay prepared', () => {
  const statements = new PreparedStatements();
  const first = uses(statements, 'select 0, $1::int', 5).at(-1);
  const names = Array.from({ length: 400 }, (_, i) => uses(statements, `select ${i + 1}, $1::int`, 5).at(-1));
  expect(names.filter((name) => name !== undefined)).toHaveLength(299);
  expect(statements.nameOf('select 0, $1::int')).toBe(first);
});
