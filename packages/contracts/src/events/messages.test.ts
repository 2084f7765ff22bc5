import { expect, test } from 'vitest';
import { endpoints, eventKinds, messages, operatorEventKinds, readEvent, validator } from '../index.ts';

const context = { now: Date.UTC(2026, 5, 1) * 1000, zoneless_timestamps: 'UTC', base_currency: 'EUR' };

/**
 * The required fields, as docs/reference/interface.md, Endpoints B and docs/reference/decisions.md 1 list them. This
 * second copy is intentional.
 */
const requiredFields = {
  registration: 'timestamp user_id',
  login: 'timestamp user_id',
  user_update: 'timestamp user_id',
  consents_update: 'timestamp user_id',
  blocks_update: 'timestamp user_id',
  payment: 'amount currency exchange_rate origin status timestamp type user_id vendor_id',
  lottery_purchase: 'amount currency exchange_rate origin status tickets timestamp transaction_id user_id',
  lottery: 'amount currency draw_date draw_id exchange_rate lines lottery_id origin ticket_id timestamp type user_id',
  casino:
    'activity_id amount currency exchange_rate game_id is_round_end origin round_id timestamp type user_id vendor_id',
  bonus: 'amount bonus_id currency exchange_rate origin product status timestamp type user_bonus_id user_id',
  gameround: 'device_type game_id game_name game_type origin round_id timestamp user_currency user_id vendor_id',
  sports: 'activity_id amount bet_type bets currency exchange_rate origin timestamp type user_id',
  cart: 'amount cart_id currency exchange_rate items payments status timestamp type user_id',
  logout: 'timestamp user_id',
  balances: 'balances origin timestamp user_id',
  custom: 'data notification_type origin timestamp user_id',
  funds_credited: 'amount currency exchange_rate intent_id revision status timestamp user_id',
  site_event: 'data event_id name timestamp user_id',
  message_event: 'channel event_id provider timestamp user_id what',
} as const;

const cases = eventKinds.flatMap((kind) =>
  Object.entries(messages[kind].samples).map(([name, sample]) => ({
    kind,
    name,
    sample: sample as Record<string, unknown>,
  })),
);

test('every operator kind has its own endpoint; kinds of the platform itself have none', () => {
  expect(endpoints.map(({ kind }) => kind).sort()).toEqual([...operatorEventKinds].sort());
  expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length);
});

test.each(cases)('$kind: the sample $name can be read, and matches the published schema', ({ kind, sample }) => {
  expect(readEvent(kind, sample, context)).toMatchObject({ ok: true, event: { kind, user_id: '7865312321' } });
  expect(validator(messages[kind].schema).errors(sample)).toEqual([]);
});

test.each(eventKinds)('%s: one answer lists all missing required fields', (kind) => {
  const reading = readEvent(kind, {}, context);
  const errors = reading.ok ? [] : reading.errors;
  expect(errors.map(({ path }) => path).sort()).toEqual(requiredFields[kind].split(' '));
  for (const { path, rule, message } of errors) {
    expect(rule).toBe('required');
    expect(message).toMatch(new RegExp(`^${path} is required; send .+\\.$`));
  }
  expect([...messages[kind].schema.required].sort()).toEqual(requiredFields[kind].split(' '));
});

const singleOmissions = cases.flatMap(({ kind, name, sample }) =>
  requiredFields[kind]
    .split(' ')
    .flatMap((field) => [undefined, null].map((value) => ({ kind, name, sample, field, value }))),
);

test.each(singleOmissions)('$kind $name: $field = $value is the only error', ({ kind, sample, field, value }) => {
  const reading = readEvent(kind, { ...sample, [field]: value }, context);
  expect(reading.ok ? [] : reading.errors.map(({ path }) => path)).toEqual([field]);
});

test.each(cases)(
  '$kind: in the sample $name, every optional field may be null, blank or left out',
  ({ kind, sample }) => {
    const { timestamp } = sample;
    const required = new Set(requiredFields[kind].split(' '));
    if (sample.type === 'Settlement') required.add('draw_numbers');
    for (const nothing of [null, '', '  ', undefined]) {
      const entries = Object.entries(sample).map(([name, value]) => [name, required.has(name) ? value : nothing]);
      const reading = readEvent(kind, { ...Object.fromEntries(entries), timestamp }, context);
      expect(reading.ok).toBe(true);
      const present = Object.entries(reading.ok ? reading.event : {}).filter(([, value]) => value !== undefined);
      const optional = present.map(([name]) => name).filter((name) => !required.has(name));
      // The only optional fields that remain have a default: the status of casino and sports.
      expect(optional.filter((name) => name !== 'kind' && name !== 'status')).toEqual([]);
    }
  },
);

test.each([
  ['lottery_purchase', { tickets: [{ ticket_id: '1' }, { product: 'x' }] }, ['tickets[1].ticket_id']],
  ['lottery_purchase', { tickets: [null] }, ['tickets[0]']],
  ['lottery', { lines: [{ numbers: [1] }] }, ['lines[0].line_id']],
  ['lottery', { type: 'Settlement' }, ['draw_numbers']],
  ['lottery', { type: 'Settlement', draw_numbers: 5 }, ['draw_numbers']],
  [
    'balances',
    { balances: [{ key: 'real_money' }] },
    ['balances[0].amount', 'balances[0].currency', 'balances[0].exchange_rate'],
  ],
  ['sports', { bets: 'none' }, ['bets']],
  ['sports', { bets: [5] }, ['bets[0]']],
  ['cart', { items: {} }, ['items']],
  ['custom', { data: 'text' }, ['data']],
] as const)('%s with %j reports %j', (kind, change, paths) => {
  const [sample] = Object.values(messages[kind].samples);
  const reading = readEvent(kind, { ...sample, ...change }, context);
  expect(reading.ok ? [] : reading.errors.map(({ path }) => path)).toEqual(paths);
});

test('the published schema requires the draw_numbers of a Settlement, but not of a Bet', () => {
  const { accepts, errors } = validator(messages.lottery.schema);
  const { bet, settlement } = messages.lottery.samples;
  expect([accepts(bet), accepts(settlement)]).toEqual([true, true]);
  const { draw_numbers: _, ...without } = settlement as { [name: string]: unknown };
  expect(accepts(without)).toBe(false);
  expect(errors(without)).not.toEqual([]);
});

test('the other missing fields of a lottery Settlement are in the same answer', () => {
  const reading = readEvent('lottery', { type: 'settlement' }, context);
  const expected = [...requiredFields.lottery.split(' ').filter((name) => name !== 'type'), 'draw_numbers'].sort();
  expect(reading.ok ? [] : reading.errors.map(({ path }) => path).sort()).toEqual(expected);
});

test.each([
  ['null', null],
  ['an array', []],
  ['"text"', 'text'],
  ['5', 5],
])('a body that is %s is reported as not an object', (shown, body) => {
  expect(readEvent('payment', body, context)).toEqual({
    ok: false,
    errors: [
      {
        path: '',
        rule: 'object',
        message: `The body must be a JSON object with the fields of the event; received ${shown}.`,
      },
    ],
  });
});
