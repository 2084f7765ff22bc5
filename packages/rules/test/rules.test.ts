import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import {
  checkRule,
  dependenciesOf,
  evaluate,
  type Field,
  hashOf,
  operatorsOf,
  plusYears,
  type Rule,
  sentenceOf,
} from '../src/index.ts';
import { allFields, catalog, type SamplePlayer, viewOf } from './sample-world.ts';

const at = Date.parse('2026-06-17T10:15:00Z') * 1000;
const zone = 'Europe/Malta';
const hour = 3_600_000_000;

const emptyPlayer: SamplePlayer = {
  player_id: 1,
  amount: null,
  country: null,
  seen_at: null,
  birth_date: null,
  email: 'unknown',
  vip: false,
  roles: null,
  bets: [],
  rounds: [],
};

function one(field: string, operator: string, value?: unknown): Rule {
  return { combinator: 'and', rules: [{ field, operator, ...(value === undefined ? {} : { value }) }] };
}

function valueFor(rule: Rule, player: Partial<SamplePlayer>, when = at) {
  return evaluate(rule, viewOf({ ...emptyPlayer, ...player }, zone), { catalog, at: when, zone });
}

describe('a rule is true or false, never unknown', () => {
  test('a comparison with an absent value is false; its complement is true', () => {
    expect(valueFor(one('profile.country', '=', 'DE'), {}).value).toBe(false);
    expect(valueFor(one('profile.country', '!=', 'DE'), {}).value).toBe(true);
    expect(valueFor(one('trait.seen_at', 'inLast', 'P7D'), {}).value).toBe(false);
    expect(valueFor(one('trait.seen_at', 'notInLast', 'P7D'), {}).value).toBe(true);
    expect(valueFor({ ...one('trait.amount', '>', 1), not: true }, {}).value).toBe(true);
  });

  test('unknown consent is neither true nor false', () => {
    expect(valueFor(one('consent.Email', '=', true), {}).value).toBe(false);
    expect(valueFor(one('consent.Email', '=', false), {}).value).toBe(false);
    expect(valueFor(one('consent.Email', '=', 'unknown'), {}).value).toBe(true);
  });

  test('a group without conditions holds for every player', () => {
    expect(valueFor({ combinator: 'or', rules: [] }, {}).value).toBe(true);
    expect(valueFor({ combinator: 'and', not: true, rules: [] }, {}).value).toBe(false);
  });

  test('amounts are compared exactly', () => {
    expect(valueFor(one('trait.amount', '=', '0.3'), { amount: '0.30' }).value).toBe(true);
    expect(valueFor(one('trait.amount', '>', '10'), { amount: '10.000000000001' }).value).toBe(true);
    // As doubles, these two values are equal.
    expect(valueFor(one('trait.amount', '>', '9007199254740992'), { amount: '9007199254740993' }).value).toBe(true);
    expect(valueFor(one('trait.amount', '=', '100000.00000000001'), { amount: '100000.00000000002' }).value).toBe(
      false,
    );
  });
});

describe('holds_until', () => {
  test('a time span ends exactly its length after the moment', () => {
    const seen_at = at - hour;
    expect(valueFor(one('trait.seen_at', 'inLast', 'PT3H'), { seen_at }).holds_until).toBe(seen_at + 3 * hour);
    expect(valueFor(one('trait.seen_at', 'inLast', 'PT3H'), { seen_at }, seen_at + 3 * hour).value).toBe(false);
    expect(valueFor(one('trait.seen_at', 'before', '2026-01-01'), { seen_at }).holds_until).toBeNull();
  });

  test('a condition that cannot change the answer does not shorten the time until which the answer holds', () => {
    const rule: Rule = {
      combinator: 'or',
      rules: [...one('tag.vip', '=', true).rules, ...one('trait.seen_at', 'inLast', 'PT3H').rules],
    };
    expect(valueFor(rule, { vip: true, seen_at: at - hour }).holds_until).toBeNull();
  });

  test('February 29 has its anniversary on February 28 in other years', () => {
    const rule = one('profile.birth_date', 'anniversaryWithin', 'P0D');
    const noon = (day: string) => Date.parse(`${day}T12:00:00Z`) * 1000;
    const player = { birth_date: '1988-02-29' };
    expect(valueFor(rule, player, noon('2027-02-28')).value).toBe(true);
    expect(valueFor(rule, player, noon('2028-02-28')).value).toBe(false);
    expect(valueFor(rule, player, noon('2028-02-29')).value).toBe(true);
  });
});

test('years are added to a day as luxon adds them, also to February 29', () => {
  const day = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.oneof(day, fc.constant(new Date('1988-02-29'))),
      fc.integer({ min: -200, max: 200 }),
      (date, years) => {
        const from = DateTime.fromJSDate(date, { zone: 'UTC' });
        expect(plusYears(from.toISODate() ?? '', years)).toBe(from.plus({ years }).toISODate());
      },
    ),
    { numRuns: 2_000 },
  );
});

test("the trace shows every condition with the player's value", () => {
  const rule: Rule = {
    combinator: 'and',
    rules: [
      ...one('profile.country', 'in', ['MT', 'SE']).rules,
      { combinator: 'or', rules: [{ field: 'did.round', match: { mode: 'atLeast', threshold: 2 }, within: 'P7D' }] },
    ],
  };
  const rounds = [{ at: at - hour, vendor: 'netent', win: '5', is_live: true }];
  expect(valueFor(rule, { country: 'DE', rounds }).trace).toEqual([
    { path: '/rules/0', field: 'profile.country', operator: 'in', value: ['MT', 'SE'], actual: 'DE', holds: false },
    { path: '/rules/1/rules/0', field: 'did.round', operator: 'atLeast', value: 2, actual: 1, holds: false },
  ]);
});

describe('checkRule', () => {
  test.each<[string, unknown, { path: string; message: RegExp }]>([
    ['not an object', [], { path: '', message: /must be a group/ }],
    [
      'unknown field',
      one('trait.nonsense', '=', 1),
      { path: '/rules/0/field', message: /unknown field "trait.nonsense"/ },
    ],
    [
      'wrong operator',
      one('profile.country', '>', 'MT'),
      { path: '/rules/0/operator', message: /allows these operators: =, !=, in/ },
    ],
    ['wrong value', one('trait.amount', '>', 'many'), { path: '/rules/0/value', message: /must be a number/ }],
    [
      'months',
      one('trait.seen_at', 'inLast', 'P1M'),
      { path: '/rules/0/value', message: /ISO 8601 duration from PT1M/ },
    ],
    [
      'a day that does not exist',
      one('profile.birth_date', '=', '2026-02-30'),
      { path: '/rules/0/value', message: /must be a date/ },
    ],
    [
      'a moment without offset',
      one('trait.seen_at', 'before', '2026-02-03T10:00:00'),
      { path: '/rules/0/value', message: /with an offset/ },
    ],
    [
      'a range of three values',
      one('trait.amount', 'between', [1, 2, 3]),
      { path: '/rules/0/value', message: /two values/ },
    ],
    ['the year 0', one('profile.birth_date', '>', '0000-01-01'), { path: '/rules/0/value', message: /must be a date/ }],
    ...['0000-05-04T00:00:00Z', '0001-01-01', '9999-12-31T23:59:59-14:00'].map(
      (value): [string, unknown, { path: string; message: RegExp }] => [
        `the moment ${value}, which PostgreSQL does not read`,
        one('trait.seen_at', 'before', value),
        { path: '/rules/0/value', message: /must be a date/ },
      ],
    ),
    [
      'NUL in a value that the operator ignores',
      one('profile.country', 'null', '\u0000'),
      { path: '/rules/0/value', message: /must not contain a NUL/ },
    ],
    [
      'half a character in a key of a builder',
      { ...one('profile.country', '=', 'MT'), id: '\ud800' },
      { path: '/id', message: /half a character/ },
    ],
    [
      'a wrong match',
      { combinator: 'and', rules: [{ field: 'did.round', match: { mode: 'many' } }] },
      { path: '/rules/0/match', message: /atLeast/ },
    ],
    [
      'an operator of time on a field of a fact',
      {
        combinator: 'and',
        rules: [{ field: 'did.round', match: { mode: 'atLeast', threshold: 1 }, value: one('at', 'inLast', 'P1D') }],
      },
      { path: '/rules/0/value/rules/0/operator', message: /use "within"/ },
    ],
    ['a wrong combinator', { combinator: 'xor', rules: [] }, { path: '/combinator', message: /"and" or "or"/ }],
  ])('%s', (_, rule, { path, message }) => {
    expect(checkRule(rule, catalog)).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  test.each([
    ['trait.amount', ['5', '1']],
    ['trait.amount', '5,1'],
    ['trait.amount', ['10', 9.5]],
    ['trait.seen_at', ['2026-05-04T12:00:00Z', '2026-05-04T13:59:59+02:00']],
    ['trait.seen_at', ['2026-05-05', '2026-05-04']],
    ['trait.seen_at', ['2026-05-04T14:00:01Z', '2026-05-04']],
    ['profile.birth_date', ['1990-01-02', '1990-01-01']],
  ])('%s between %j is in the wrong order: refused in a new rule, and read in a stored one', (field, value) => {
    for (const operator of ['between', 'notBetween'] as const) {
      const rule = one(field, operator, value);
      expect(checkRule(rule, catalog)).toEqual([
        { path: '/rules/0/value', message: 'must begin with the lowest value' },
      ]);
      expect(checkRule(rule, catalog, 'stored')).toEqual([]);
    }
  });

  test.each([
    ['trait.amount', 'between', ['5', '5']],
    ['trait.amount', 'between', ['9', '10']],
    ['trait.seen_at', 'between', ['2026-05-04', '2026-05-04T00:00:00Z']],
    // The date may begin later than the date-time, in the zone of the brand.
    ['trait.seen_at', 'between', ['2026-05-04T06:00:00Z', '2026-05-04']],
    // A list of one value, as builders write it.
    ['profile.country', 'in', 'MT'],
  ])('%s %s %j is valid', (field, operator, value) => {
    expect(checkRule(one(field, operator, value), catalog)).toEqual([]);
  });

  test('a rule that is too deep or has too many conditions is refused, and at most 20 errors are listed', () => {
    const deep = Array.from({ length: 50 }).reduce<unknown>((rule) => ({ combinator: 'and', rules: [rule] }), {
      combinator: 'and',
      rules: [],
    });
    expect(checkRule(deep, catalog)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/at most 8 deep/) }),
    ]);
    const many = { combinator: 'and', rules: Array(201).fill(one('tag.vip', '=', true).rules[0]) };
    expect(checkRule(many, catalog)).toEqual([
      { path: '', message: expect.stringMatching(/at most 200 conditions; this one has 201/) },
    ]);
    const empty = { combinator: 'and', rules: [] };
    expect(checkRule({ combinator: 'and', rules: Array(199).fill(empty) }, catalog)).toEqual([]);
    expect(checkRule({ combinator: 'and', rules: Array(200).fill(empty) }, catalog)).toEqual([
      { path: '', message: 'a rule can have at most 200 groups' },
    ]);
    expect(checkRule({ combinator: 'and', rules: Array(100).fill(null) }, catalog)).toHaveLength(20);
  });

  test('every operator of a field has a sentence and a check', () => {
    for (const field of allFields)
      for (const operator of operatorsOf(field)) {
        expect(operator.words('P1D', field)).not.toBe('');
        expect(operator.check({}, field) === undefined).toBe(['null', 'notNull'].includes(operator.name));
      }
  });
});

test('the sentence describes the whole rule', () => {
  const rule: Rule = {
    combinator: 'and',
    rules: [
      ...one('trait.bets_7d', '>=', 2).rules,
      {
        combinator: 'or',
        rules: [...one('profile.country', '!=', 'DE').rules, ...one('trait.amount', 'between', [5, 10]).rules],
      },
      {
        field: 'did.round',
        match: { mode: 'atLeast', threshold: 3 },
        within: 'PT90M',
        value: one('vendor', '=', 'netent'),
      },
    ],
  };
  expect(sentenceOf(rule, catalog)).toBe(
    'Players for whom bets in the last 7 days is at least 2 and (the country is not DE (or has no value) or the amount is between 5 EUR and 10 EUR) ' +
      'and the number of rounds in the last 90 minutes where the vendor is netent is at least 3.',
  );
  expect(sentenceOf({ combinator: 'and', rules: [] }, catalog)).toBe('Every player.');
});

test.each<[Rule, string]>([
  [one('trait.seen_at', 'inLast', 'PT1H'), 'the last visit is in the last hour'],
  [one('trait.seen_at', 'notInLast', 'P1D'), 'the last visit is not in the last 24 hours (or has no value)'],
  [one('trait.seen_at', 'inNext', 'PT24H'), 'the last visit is in the next 24 hours'],
  [one('trait.seen_at', 'inNext', 'P2D'), 'the last visit is in the next 2 days'],
  [one('profile.birth_date', 'anniversaryWithin', 'P1D'), 'the birth date has its anniversary within 1 day'],
  [
    {
      combinator: 'and',
      rules: [{ field: 'did.round', match: { mode: 'atLeast', threshold: 1 }, within: 'PT60M' }],
    },
    'the number of rounds in the last hour is at least 1',
  ],
])('a span of one unit has no number', (rule, words) => {
  expect(sentenceOf(rule, catalog)).toBe(`Players for whom ${words}.`);
});

test('a unit that the title contains is not repeated', () => {
  const days: Field = { name: 'trait.days', kind: 'number', title: 'the number of days since the visit', unit: 'days' };
  const sentence = sentenceOf(one('trait.days', '<=', 7), { ...catalog, field: () => days });
  expect(sentence).toBe('Players for whom the number of days since the visit is at most 7.');
});

test('the hash depends only on the meaning', () => {
  const rule = one('tag.vip', '=', true);
  const fromBuilder = {
    id: 'a1',
    not: false,
    rules: [{ valueSource: 'value', value: true, operator: '=', field: 'tag.vip' }],
    combinator: 'and',
  };
  expect(hashOf(fromBuilder as Rule)).toBe(hashOf(rule));
  expect(hashOf(rule)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf({ ...rule, not: true })).not.toBe(hashOf(rule));
});

test('the dependencies of a rule are its fields, facts, segments and tags', () => {
  const rule: Rule = {
    combinator: 'and',
    rules: [
      { combinator: 'or', rules: [...one('segment.vip', '=', true).rules, ...one('trait.bets_7d', '>', 1).rules] },
      { field: 'did.round', match: { mode: 'atLeast', threshold: 1 }, value: one('vendor', '=', 'x') },
    ],
  };
  expect(dependenciesOf(rule)).toEqual({
    fields: new Set(['segment.vip', 'trait.bets_7d']),
    facts: new Set(['round']),
    segments: new Set(['vip']),
    tags: new Set(),
  });
});
