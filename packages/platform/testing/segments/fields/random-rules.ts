import {
  type Comparison,
  type Did,
  type Field,
  momentText,
  operatorsOf,
  type Rule,
  type RuleNode,
  type Value,
} from '@croupier/rules';
import type { RuleCatalog } from '../../../src/segments/fields/catalog.ts';
import { randomNumbers } from './histories.ts';

const second = 1_000_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const durations = ['PT1M', 'PT60M', 'PT3H', 'P1D', 'P7D', 'P30D'] as const;

/** What random rules are made from. */
export interface Ingredients {
  readonly catalog: RuleCatalog;
  readonly at: number;
  /** Names of fields to choose from. */
  readonly fields: readonly string[];
  /** Values that players have, so that comparisons are true about half of the time. */
  readonly valuesOf: (field: string) => readonly Value[];
}

/** Generates an endless sequence of random rules. Equal seeds give equal sequences. */
export function* randomRules(seed: number, of: Ingredients): Generator<Rule> {
  const random = randomNumbers(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

  const valueFor = (field: Field, operator: string, seen: readonly Value[]): unknown => {
    if (['inLast', 'notInLast', 'inNext'].includes(operator)) return pick(durations);
    if (operator === 'anniversaryWithin') return pick(['P0D', 'P1D', 'P7D']);
    if (operator === 'null' || operator === 'notNull') return undefined;
    const one = () => ruleValue(field, pick(seen));
    if (operator === 'between' || operator === 'notBetween') return [one(), one()];
    if (operator === 'in' || operator === 'notIn') return [one(), one()];
    return one();
  };
  const ruleValue = (field: Field, seen: Value | undefined): unknown => {
    const known = Array.isArray(seen) ? seen[0] : seen;
    if (field.kind === 'moment') {
      const moment = typeof known === 'number' ? known : of.at - pick([0, minute, hour, day, 7 * day]);
      return pick([momentText(moment), momentText(moment + second), momentText(moment).slice(0, 10)]);
    }
    if (field.kind === 'flag') return random() < 0.5;
    if (field.kind === 'status') return pick([true, false, 'unknown']);
    if (field.kind === 'date') return typeof known === 'string' ? known : '1990-05-01';
    if (field.kind === 'number')
      return typeof known === 'string' || typeof known === 'number' ? decimal(known) : pick([0, 1, 10]);
    return typeof known === 'string' && known !== '' ? known : 'x';
  };
  const comparison = (field: Field, seen: readonly Value[], withTime: boolean): Comparison => {
    const operators = operatorsOf(field).filter((operator) => withTime || operator.changesAfter === undefined);
    const { name: operator } = pick(operators);
    return { field: field.name, operator, value: valueFor(field, operator, seen) };
  };
  const ofFact = (field: Field) => comparison(field, factValues[field.kind === 'number' ? 'numbers' : 'texts'], false);
  const did = (): Did => {
    const { kind } = pick([...of.catalog.facts.values()]);
    const conditions = Math.floor(random() * 3);
    const value: Rule = {
      combinator: pick(['and', 'or']),
      not: random() < 0.2,
      rules: Array.from({ length: conditions }, () => ofFact(pick(kind.fields))),
    };
    const match = { mode: pick(['atLeast', 'atMost', 'exactly'] as const), threshold: Math.floor(random() * 4) };
    return {
      field: `did.${kind.name}`,
      match,
      ...(random() < 0.8 && { within: pick(durations) }),
      ...(conditions > 0 && { value }),
    };
  };
  // Most fields are numeric traits. If every field had the same chance, rules would hardly ever use dates and lists.
  const classes = classesOf(of);
  const node = (depth: number): RuleNode => {
    if (depth > 0 && random() < 0.2) return group(depth - 1);
    if (random() < 0.25) return did();
    const name = random() < 0.5 ? pick(of.fields) : pick(pick(classes));
    const field = of.catalog.field(name);
    if (field === undefined) throw new Error(`there is no field ${name}`);
    return comparison(field, of.valuesOf(name), true);
  };
  const group = (depth: number): Rule => ({
    combinator: pick(['and', 'or']),
    not: random() < 0.25,
    rules: Array.from({ length: 1 + Math.floor(random() * 3) }, () => node(depth)),
  });
  for (;;) yield group(2);
}

/** The fields by prefix and kind. */
function classesOf({ catalog, fields }: Ingredients): readonly (readonly string[])[] {
  const classes = new Map<string, string[]>();
  for (const name of fields) {
    const key = `${name.split('.')[0]} ${catalog.field(name)?.kind}`;
    classes.set(key, [...(classes.get(key) ?? []), name]);
  }
  return [...classes.values()];
}

/** Values with which fields of facts are compared. */
const factValues: Record<'numbers' | 'texts', readonly Value[]> = {
  numbers: ['0.5', '10', 50, 1, 2],
  texts: [
    'Approved',
    'Credit',
    'netent',
    'roulette',
    'WELCOME',
    'Successful',
    'wheel',
    'settled',
    'l1',
    'web',
    'EUR',
    'c1',
  ],
};

/** Cuts a number to 12 fraction digits, the maximum in rules. */
function decimal(value: string | number): string | number {
  return typeof value === 'string' ? value.replace(/(\.\d{12})\d+$/, '$1') : value;
}
