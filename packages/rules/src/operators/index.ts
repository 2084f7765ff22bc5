import type { Field } from '../field.ts';
import { fieldKinds } from '../value.ts';
import { anniversaryWithin } from './anniversary.ts';
import { between, notBetween } from './between.ts';
import { equals, notEquals } from './equals.ts';
import { includes, noneOf, oneOf } from './one-of.ts';
import type { Operator } from './operator.ts';
import { after, atLeast, atMost, before, less, more } from './order.ts';
import { beginsWith, contains, endsWith } from './part-of-text.ts';
import { isNotNull, isNull } from './presence.ts';
import { inLast, inNext, notInLast } from './recent.ts';

export type { Operator } from './operator.ts';

export const operators: readonly Operator[] = [
  equals,
  notEquals,
  less,
  atMost,
  more,
  atLeast,
  between,
  notBetween,
  oneOf,
  noneOf,
  contains,
  includes,
  beginsWith,
  endsWith,
  isNull,
  isNotNull,
  before,
  after,
  inLast,
  notInLast,
  inNext,
  anniversaryWithin,
];

const byKind = new Map(
  fieldKinds.map((kind) => {
    const own = operators.filter(({ kinds }) => kinds.includes(kind));
    return [kind, { list: own, named: new Map(own.map((operator) => [operator.name, operator])) }];
  }),
);

/** The operators of a field, in the order in which a builder should offer them. */
export function operatorsOf({ kind }: Field): readonly Operator[] {
  return byKind.get(kind)?.list ?? [];
}

export function operatorOf({ kind }: Field, name: string): Operator | undefined {
  return byKind.get(kind)?.named.get(name);
}
