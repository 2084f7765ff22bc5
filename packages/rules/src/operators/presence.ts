import { fieldKinds } from '../value.ts';
import { complementOf, type Operator } from './operator.ts';

/** True if the player has no value. A flag or a status always has one. */
export const isNull: Operator = {
  name: 'null',
  kinds: fieldKinds.filter((kind) => kind !== 'flag' && kind !== 'status'),
  check: () => undefined,
  withoutValue: true,
  holds: () => false,
  sql: (expression) => `${expression} is null`,
  words: () => 'has no value',
};

export const isNotNull = complementOf(isNull, 'notNull', () => 'has a value');
