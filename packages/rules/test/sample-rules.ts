import fc from 'fast-check';
import { momentText } from '../src/calendar.ts';
import { type Comparison, type Did, type Field, operatorsOf, type Rule, type RuleNode } from '../src/index.ts';
import { allFields, allRoundFields, type SamplePlayer, type SampleRound } from './sample-world.ts';

/*
 * Random players and random rules over the sample world. Values come from small sets, so that conditions are true about
 * half of the time. Moments are close to those at which an answer changes: now, the ends of time spans, midnights,
 * clock changes.
 */
export const zones = ['UTC', 'Europe/Malta', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'] as const;

const second = 1_000_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** The moments of evaluation: an ordinary day, clock changes in Europe and America, a leap day, the last hour of a year. */
export const readings = [
  '2026-06-17T10:15:00Z',
  '2026-03-29T00:59:59.999999Z',
  '2026-10-25T00:30:00Z',
  '2028-02-29T22:59:59Z',
  '2026-12-31T23:30:00Z',
  '2026-11-01T05:30:00Z',
].map((text) => Date.parse(text) * 1000);

const countries = ['MT', 'SE', 'DE', 'Østland', ''] as const;
const vendors = ['netent', 'evolution', 'ev'] as const;
const amounts = ['0', '0.05', '10', '10.000000000001', '99.99', '-5', '1000000000000'] as const;
const dates = ['1990-06-17', '1988-02-29', '2000-03-01', '2026-06-24', '1999-12-31', '2004-01-01'] as const;
const durations = ['PT1M', 'PT90M', 'PT3H', 'P1D', 'P7D', 'P2W', 'P366D'] as const;
const offsets = [0, 1, -1, 60 * second, hour, 90 * 60 * second, 3 * hour, day, 7 * day, 14 * day, 366 * day];

const moment = (at: number) =>
  fc
    .tuple(fc.constantFrom(...offsets), fc.constantFrom(-1, 1), fc.constantFrom(0, 1, -1, 17 * second))
    .map(([offset, sign, near]) => at + sign * offset + near);

export function playerArbitrary(player_id: number, at: number): fc.Arbitrary<SamplePlayer> {
  const absent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 });
  const round: fc.Arbitrary<SampleRound> = fc.record({
    at: moment(at),
    vendor: absent(fc.constantFrom(...vendors)),
    win: absent(fc.constantFrom(...amounts)),
    is_live: fc.boolean(),
  });
  return fc.record({
    player_id: fc.constant(player_id),
    amount: absent(fc.constantFrom(...amounts)),
    country: absent(fc.constantFrom(...countries)),
    seen_at: absent(moment(at)),
    birth_date: absent(fc.constantFrom(...dates)),
    email: fc.constantFrom('true', 'false', 'unknown'),
    vip: fc.boolean(),
    roles: absent(fc.subarray(['admin', 'vip', 'test'])),
    bets: fc.uniqueArray(
      fc.record({
        hour: fc.integer({ min: -20 * 24, max: 30 }).map((hours) => Math.floor(at / hour) * hour + hours * hour),
        count: fc.integer({ min: 1, max: 3 }),
      }),
      { maxLength: 8, selector: (bet) => bet.hour },
    ),
    rounds: fc.array(round, { maxLength: 5 }),
  });
}

function valueArbitrary(field: Field, operator: string, at: number): fc.Arbitrary<unknown> {
  const duration = fc.constantFrom(...durations);
  if (['inLast', 'notInLast', 'inNext'].includes(operator)) return duration;
  if (operator === 'anniversaryWithin') return fc.constantFrom('P0D', 'P1D', 'P7D', 'P366D');
  if (['null', 'notNull'].includes(operator)) return fc.constant(null);
  const one: fc.Arbitrary<unknown> = {
    number: fc.oneof(fc.constantFrom(...amounts), fc.integer({ min: 0, max: 12 })),
    text: fc.constantFrom('MT', 'SE', 'netent', 'ev', 'e', 'Ø', 'nd'),
    moment: fc.oneof(
      moment(at).map(momentText),
      moment(at).map((when) => momentText(when).slice(0, 10)),
    ),
    date: fc.constantFrom(...dates),
    status: fc.constantFrom(true, false, 'unknown'),
    flag: fc.boolean(),
    list: fc.constantFrom('admin', 'vip'),
  }[field.kind];
  if (['between', 'notBetween'].includes(operator)) return fc.tuple(one, one);
  if (['in', 'notIn'].includes(operator)) return fc.array(one, { minLength: 1, maxLength: 3 });
  return one;
}

function comparisonArbitrary(fields: readonly Field[], at: number, withTime: boolean): fc.Arbitrary<Comparison> {
  const pairs = fields.flatMap((field) =>
    operatorsOf(field)
      .filter((operator) => withTime || operator.changesAfter === undefined)
      .map((operator) => ({ field, operator: operator.name })),
  );
  return fc
    .constantFrom(...pairs)
    .chain(({ field, operator }) =>
      valueArbitrary(field, operator, at).map((value) => ({ field: field.name, operator, value })),
    );
}

function didArbitrary(at: number): fc.Arbitrary<Did> {
  return fc
    .record({
      match: fc.record({
        mode: fc.constantFrom('atLeast', 'atMost', 'exactly'),
        threshold: fc.integer({ min: 0, max: 3 }),
      }),
      within: fc.option(fc.constantFrom(...durations), { nil: undefined }),
      value: fc.option(groupArbitrary(comparisonArbitrary(allRoundFields, at, false), 1), { nil: undefined }),
    })
    .map(({ match, within, value }) => ({
      field: 'did.round' as const,
      match,
      ...(within === undefined ? {} : { within }),
      ...(value === undefined ? {} : { value }),
    }));
}

function groupArbitrary(condition: fc.Arbitrary<RuleNode>, depth: number): fc.Arbitrary<Rule> {
  const node: fc.Arbitrary<RuleNode> =
    depth === 0
      ? condition
      : fc.oneof({ weight: 4, arbitrary: condition }, { weight: 1, arbitrary: groupArbitrary(condition, depth - 1) });
  return fc.record(
    {
      combinator: fc.constantFrom('and', 'or'),
      not: fc.boolean(),
      rules: fc.array(node, { maxLength: 3 }),
    },
    { requiredKeys: ['combinator', 'rules'] },
  );
}

export function ruleArbitrary(at: number): fc.Arbitrary<Rule> {
  return groupArbitrary(
    fc.oneof(
      { weight: 3, arbitrary: comparisonArbitrary(allFields, at, true) },
      { weight: 1, arbitrary: didArbitrary(at) },
    ),
    2,
  );
}
