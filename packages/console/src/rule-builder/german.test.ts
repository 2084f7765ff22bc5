import { expect, test } from 'vitest';
import { germanCondition, germanConditions, germanField, germanSentence } from './german.ts';
import type { Branch } from './tree.ts';

const deposits = {
  field: 'trait.deposit_sum',
  kind: 'number',
  title: 'the sum of all deposits',
  unit: 'EUR',
  operators: ['>='],
  values: [],
  group: 'Payments',
  windows: 'every',
} as const;
const payments = {
  field: 'did.payment',
  kind: 'fact',
  title: 'payments',
  unit: null,
  operators: ['atLeast'],
  values: [],
  group: 'Facts',
  fields: [{ field: 'base_amount', kind: 'number', title: 'the amount', unit: 'EUR', operators: ['>='], values: [] }],
} as const;

test.each<[Branch, string]>([
  [{ combinator: 'and', rules: [] }, 'Alle Spieler.'],
  [
    {
      combinator: 'and',
      rules: [
        { field: 'trait.deposit_sum_7d', operator: '>=', value: 1500 },
        { field: 'profile.country', operator: 'in', value: ['MT', 'DE'] },
      ],
    },
    'Spieler, für die gilt: Summe der Einzahlungen (letzte 7 Tage) ist mindestens 1.500 EUR und Land ist eines von: MT, DE.',
  ],
  [
    {
      combinator: 'or',
      rules: [
        { field: 'segment.vip', operator: '=', value: true },
        {
          combinator: 'and',
          not: true,
          rules: [{ field: 'trait.last_event_at', operator: 'inLast', value: 'P7D' }],
        },
      ],
    },
    'Spieler, für die gilt: Mitglied des Segments vip: ja oder nicht (Letztes Ereignis liegt in den letzten 7 Tagen).',
  ],
  [
    {
      combinator: 'and',
      rules: [
        {
          field: 'did.payment',
          match: { mode: 'atLeast', threshold: 3 },
          within: 'PT1H',
          value: { combinator: 'and', rules: [{ field: 'base_amount', operator: '>', value: 50 }] },
        },
      ],
    },
    'Spieler, für die gilt: Zahlungen in der letzten Stunde, bei denen Betrag ist größer als 50 EUR: mindestens 3.',
  ],
])('a rule is written as a German sentence', (rule, sentence) => {
  expect(germanSentence(rule, [deposits, payments])).toBe(sentence);
});

test('fields have German titles, except the operator’s own fields', () => {
  expect(germanField(deposits)).toMatchObject({ title: 'Summe der Einzahlungen', group: 'Zahlungen' });
  expect(germanField(payments).fields?.[0]?.title).toBe('Betrag');
  expect(germanField({ ...deposits, field: 'profile.segmentation.vip_level', title: 'own' }).title).toBe(
    'vip_level des Betreibers',
  );
});

test('the codes of events are words in conditions on an event', () => {
  const rules = [
    { field: 'type', operator: '=', value: 'Credit' },
    { field: 'status', operator: 'in', value: ['Approved', 'Nowhere'] },
  ];
  expect(germanConditions({ combinator: 'and', rules }, 'payment', [])).toBe(
    'Art ist Einzahlung und Zustand ist eines von: genehmigt, Nowhere',
  );
});

test.each([
  [{ operator: 'inLast', value: 'PT1H' }, 'liegt in der letzten Stunde'],
  [{ operator: 'notInLast', value: 'PT1M' }, 'liegt nicht in der letzten Minute'],
  [{ operator: 'inNext', value: 'PT1H' }, 'liegt in der nächsten Stunde'],
  [{ operator: 'inLast', value: 'P1D' }, 'liegt in den letzten 24 Stunden'],
  [{ operator: 'inNext', value: 'P1W' }, 'liegt in den nächsten 7 Tagen'],
  [{ operator: 'inLast', value: 'P2D' }, 'liegt in den letzten 2 Tagen'],
  [{ operator: 'anniversaryWithin', value: 'P1D' }, 'jährt sich innerhalb eines Tages'],
])('a span of one unit is in the singular: %j', (condition, words) => {
  expect(germanCondition({ field: 'trait.last_event_at', ...condition }, [])).toBe(`Letztes Ereignis ${words}`);
});

test('a number of days agrees with its verb, and its unit is not repeated', () => {
  const field = 'trait.days_registered_without_deposit';
  const listed = { ...deposits, field, unit: 'days' };
  expect(germanCondition({ field, operator: '<=', value: 7 }, [listed])).toBe(
    'Anzahl der Tage seit Registrierung ohne Einzahlung ist höchstens 7',
  );
  const age = { ...deposits, field: 'trait.account_age', unit: 'days' };
  expect(germanCondition({ field: age.field, operator: '>=', value: 30 }, [age])).toBe(
    'Alter des Kontos ist mindestens 30 Tage',
  );
});

test.each([
  ['trait.deposit_sum_1h', 'Summe der Einzahlungen (diese Stunde)'],
  ['trait.deposit_sum_1d', 'Summe der Einzahlungen (heute)'],
  ['trait.deposit_sum_prev_1d', 'Summe der Einzahlungen (gestern)'],
  ['trait.deposit_sum_24h', 'Summe der Einzahlungen (letzte 24 Stunden)'],
])('a window of one hour or day is in the singular: %s', (field, title) => {
  expect(germanCondition({ field, operator: '>=', value: 20 }, [])).toBe(`${title} ist mindestens 20`);
});

test('one condition is written as in the sentence of its rule, with its unit', () => {
  const condition = { field: 'trait.deposit_sum', operator: '>=', value: 20 };
  expect(germanCondition(condition, [deposits])).toBe('Summe der Einzahlungen ist mindestens 20 EUR');
});
