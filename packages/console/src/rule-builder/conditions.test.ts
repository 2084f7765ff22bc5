import { expect, test } from 'vitest';
import { namedField, offeredFields, offeredWindows } from './catalog.ts';
import { conditionOn, numberOf, readSimpleDuration, withOperator, writeDuration } from './conditions.ts';

const text = { kind: 'text', title: '', unit: null, values: [], group: 'G' };
const deposits = {
  ...text,
  field: 'trait.deposit_count',
  kind: 'number',
  operators: ['>='],
  windows: 'every',
} as const;
const deposits7d = { ...deposits, field: 'trait.deposit_count_7d', windows: null };
const country = { ...text, field: 'profile.country', operators: ['=', 'in'], sample: 'MT' };

test('a new condition has the first operator and a sample value; for a fact it counts the last 7 days', () => {
  expect(conditionOn(country)).toEqual({ field: 'profile.country', operator: '=', value: 'MT' });
  expect(conditionOn({ ...deposits, operators: ['=', '>='], sample: 1 })).toHaveProperty('operator', '>=');
  expect(conditionOn({ ...country, operators: ['in'] })).toHaveProperty('value', ['MT']);
  expect(conditionOn({ field: 'did.login', kind: 'fact', operators: ['atLeast'] })).toEqual({
    field: 'did.login',
    match: { mode: 'atLeast', threshold: 1 },
    within: 'P7D',
  });
});

test('a change of the operator keeps the value if the new operator accepts it', () => {
  const one = { field: 'f', operator: '=', value: 5 };
  expect(withOperator(one, '>=', 1)).toHaveProperty('value', 5);
  expect(withOperator(one, 'in', 1)).toHaveProperty('value', [5]);
  expect(withOperator(one, 'between', 1)).toHaveProperty('value', [5, 5]);
  expect(withOperator(one, 'null', 1)).toEqual({ field: 'f', operator: 'null' });
  expect(withOperator(one, 'inLast', 1)).toHaveProperty('value', 'P7D');
  expect(withOperator({ field: 'f', operator: 'in', value: [7, 8] }, '=', 1)).toHaveProperty('value', 7);
  expect(withOperator({ field: 'f', operator: 'inLast', value: 'P7D' }, 'before', 'm')).toHaveProperty('value', 'm');
});

test('a window is separate from its field, and the list of fields has no windows', () => {
  const fields = [deposits, deposits7d, country];
  expect(namedField(fields, 'trait.deposit_count_7d')).toEqual({
    field: deposits,
    name: 'trait.deposit_count',
    window: '7d',
  });
  expect(namedField(fields, 'profile.country')).toMatchObject({ field: country, window: '' });
  expect(namedField(fields, 'trait.other_7d')).toEqual({ field: undefined, name: 'trait.other_7d', window: '' });
  expect(offeredWindows(namedField(fields, 'trait.deposit_count_33d'))).toContain('33d');
  expect(offeredFields(fields)).toEqual([{ group: 'G', fields: [deposits, country] }]);
});

test('money stays decimal text, and an incomplete number stays as typed', () => {
  expect([numberOf('20'), numberOf('20.50'), numberOf('2.'), numberOf(''), numberOf('007')]).toEqual([
    20,
    '20.50',
    '2.',
    '',
    '007',
  ]);
});

test('durations with one unit are read and written', () => {
  for (const duration of ['P7D', 'P2W', 'PT90M', 'PT24H'])
    expect(writeDuration(readSimpleDuration(duration) ?? { count: '', unit: '' })).toBe(duration);
  expect(readSimpleDuration('P1DT2H')).toBeUndefined();
});
