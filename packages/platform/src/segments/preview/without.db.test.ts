import { combineConditions, type Rule, type RuleNode } from '@croupier/rules';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { ruleWithout } from './without.ts';

const { pool } = await setupDatabase();

const condition = fc.constant<RuleNode>({ field: 'profile.country', operator: '=', value: 'MT' });
const { group } = fc.letrec<{ group: Rule }>((tie) => ({
  group: fc.record({
    combinator: fc.constantFrom('and', 'or'),
    not: fc.boolean(),
    rules: fc.array(fc.oneof({ maxDepth: 3 }, condition, tie('group') as fc.Arbitrary<RuleNode>), { maxLength: 4 }),
  }),
}));

test('a rule without one of its conditions gives the result of a rule that was written without it', async () => {
  for (const rule of fc.sample(group, { numRuns: 150, seed: 5 })) {
    const columns = columnsOf(rule);
    if (columns.size === 0 || columns.size > 8) continue;
    const names = [...columns.values()];
    // There is one row for each combination of answers.
    const answers = `select n, ${names.map((name, i) => `(n & ${1 << i}) > 0 as ${name}`).join(', ')} from generate_series(0, ${2 ** names.length - 1}) n`;
    const { rows, whole, without } = ruleWithout(rule, columns, answers);
    const sqlAt = (path: string) => columns.get(path);
    const pairs = [
      [whole, combineConditions(rule, sqlAt)],
      ...[...without].map(([left, sql]) => [
        sql,
        combineConditions(rule, (path) => (path === left ? undefined : sqlAt(path))),
      ]),
    ];
    const { rows: different } = await pool.query(
      `select n from (${rows}) r where ${pairs.map(([one, other]) => `(${one}) is distinct from (${other})`).join(' or ')}`,
    );
    expect({ rule, different }).toEqual({ rule, different: [] });
  }
});

test('the statement grows with the number of conditions, not with its square', () => {
  const length = (count: number) => {
    const rule: Rule = {
      combinator: 'and',
      rules: Array.from({ length: count }, () => fc.sample(condition, 1)[0] as RuleNode),
    };
    const { rows, without } = ruleWithout(rule, columnsOf(rule), 'select');
    return rows.length + [...without.values()].join('').length;
  };
  expect(length(200) / length(100)).toBeLessThan(2.2);
});

/** The column names c1, c2, ..., by the path of their condition. */
function columnsOf(rule: Rule): Map<string, string> {
  const columns = new Map<string, string>();
  combineConditions(rule, (path) => {
    columns.set(path, `c${columns.size + 1}`);
    return undefined;
  });
  return columns;
}
