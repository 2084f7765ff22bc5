/** A rule as it is written: JSON, which may be unfinished while somebody types. */
export type ReadRule = { rule: unknown; problem: null } | { rule: null; problem: string };

export function readRule(text: string): ReadRule {
  try {
    return { rule: JSON.parse(text), problem: null };
  } catch (error) {
    return { rule: null, problem: (error as Error).message };
  }
}

export const writeRule = (rule: unknown) => JSON.stringify(rule, null, 2);

/** What a condition on a field begins with. */
export interface OfferedField {
  field: string;
  kind: string;
  operators: readonly string[];
  sample?: unknown;
}

const withoutValue = new Set(['null', 'notNull']);
const ofSeveral = new Set(['in', 'notIn']);

/** A first condition on a field, to be changed: a sample of its values, or that its fact happened once in 7 days. */
export function conditionOn({ field, kind, operators, sample }: OfferedField): object {
  if (kind === 'fact') return { field, match: { mode: 'atLeast', threshold: 1 }, within: 'P7D' };
  const [operator = '='] = operators;
  if (withoutValue.has(operator)) return { field, operator };
  return { field, operator, value: ofSeveral.has(operator) ? [sample] : sample };
}

/** The rule with one more condition at its top; a rule that does not combine others becomes one of two. */
export function withCondition(rule: unknown, condition: object): object {
  if (typeof rule === 'object' && rule !== null && 'rules' in rule && Array.isArray(rule.rules))
    return { ...rule, rules: [...rule.rules, condition] };
  return { combinator: 'and', rules: rule === null ? [condition] : [rule, condition] };
}
