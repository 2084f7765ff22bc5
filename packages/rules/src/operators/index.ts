import type { Field } from '../field.ts';
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

/** The operators of a field, in the order in which a builder should offer them. */
export function operatorsOf(field: Field): readonly Operator[] {
  return operators.filter(({ kinds }) => kinds.includes(field.kind));
}

export function operatorOf(field: Field, name: string): Operator | undefined {
  return operatorsOf(field).find((operator) => operator.name === name);
}
