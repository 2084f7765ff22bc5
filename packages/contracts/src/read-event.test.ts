import { describe, expect, test } from 'vitest';
import { type EventKind, type EventOf, messages, parseBody, readEvent } from './index.ts';

/*
 * The tolerance rules of docs/reference/decisions.md 1, table by table. Each case changes one field of a sample. Then
 * either the event contains the normalized value, or the answer contains the field and the rule.
 */
const now = Date.UTC(2026, 2, 5, 12) * 1000;
const minute = 60_000_000;

function read(kind: EventKind, change: object, context: object = {}) {
  const [sample] = Object.values(messages[kind].samples);
  const body = { ...sample, ...change };
  return readEvent(kind, body, { now, zoneless_timestamps: 'UTC', base_currency: 'EUR', ...context });
}

/** The value of the changed field in the event, or the rules that it violates. */
function outcome(kind: EventKind, field: string, value: unknown): unknown {
  const reading = read(kind, { [field]: value });
  return reading.ok
    ? (reading.event as { [key: string]: unknown })[field]
    : reading.errors.map(({ path, rule }) => `${path}: ${rule}`);
}

function flagsOf(kind: EventKind, change: object, context: object = {}): readonly string[] {
  const reading = read(kind, change, context);
  return reading.ok ? reading.flags : reading.errors.map(({ message }) => message);
}

const text300 = 'x'.repeat(300);

describe('ids', () => {
  test.each([
    ['user_id', 42, '42'],
    ['user_id', '0042', '0042'],
    ['user_id', ' 42', ' 42'],
    ['user_id', 1e21, '1000000000000000000000'],
    ['user_id', -5, '-5'],
    ['user_id', 12345678901234500000, '12345678901234500000'],
    ['payment_id', 0, '0'],
    ['payment_id', '', undefined],
    ['payment_id', null, undefined],
    ['user_id', '', ['user_id: required']],
    ['user_id', '   ', ['user_id: required']],
    ['user_id', '\u00a0', ['user_id: required']],
    ['user_id', 1.5, ['user_id: id']],
    ['user_id', Number.POSITIVE_INFINITY, ['user_id: id']],
    ['user_id', true, ['user_id: id']],
    ['user_id', ['1'], ['user_id: id']],
    ['user_id', { id: 1 }, ['user_id: id']],
    ['user_id', 'a\u0000b', ['user_id: id']],
    ['user_id', '\ud800', ['user_id: id']],
    ['user_id', text300, ['user_id: id']],
  ])('%s = %j: %j', (field, value, expected) => {
    expect(outcome('payment', field, value)).toEqual(expected);
  });
});

describe('sets', () => {
  test.each<[EventKind, string, unknown, unknown]>([
    ['payment', 'status', 'approved', 'Approved'],
    ['payment', 'status', ' ROLLBACK ', 'Rollback'],
    ['payment', 'status', 'Cancelled', 'Cancelled'],
    ['payment', 'status', 'Done', ['status: one_of']],
    ['payment', 'status', 5, ['status: one_of']],
    ['payment', 'type', 'credit', 'Credit'],
    ['payment', 'type', 'Deposit', ['type: one_of']],
    ['casino', 'type', 'LOSS', 'Loss'],
    ['casino', 'type', 'Spin', ['type: one_of']],
    ['casino', 'status', undefined, 'Approved'],
    ['casino', 'status', '', 'Approved'],
    ['casino', 'status', 'rollback', 'Rollback'],
    ['casino', 'status', 'Pending', ['status: one_of']],
    ['sports', 'status', null, 'Approved'],
    ['sports', 'type', 'settlement', 'Settlement'],
    ['sports', 'type', 'Cashout', ['type: one_of']],
    ['lottery', 'type', 'bet', 'Bet'],
    ['lottery', 'type', 'Purchase', ['type: one_of']],
    ['bonus', 'status', 'autocompleted', 'AutoCompleted'],
    ['bonus', 'status', 'Paused', 'Paused'],
    ['bonus', 'type', 'freespins', 'FreeSpins'],
    ['bonus', 'product', 'Bingo', 'Bingo'],
    ['bonus', 'product', '', ['product: required']],
    ['bonus', 'product', 7, ['product: text']],
    ['bonus', 'product', text300, ['product: text']],
    ['sports', 'bet_type', 'Trixie', 'Trixie'],
    ['cart', 'status', 'Abandoned', 'Abandoned'],
    ['cart', 'type', 'CHECKOUT', 'Checkout'],
    ['gameround', 'device_type', 'Mobile', 'mobile'],
    ['gameround', 'device_type', 'tv', 'tv'],
    ['lottery_purchase', 'status', 'Rejected', 'Rejected'],
  ])('%s %s = %j: %j', (kind, field, value, expected) => {
    expect(outcome(kind, field, value)).toEqual(expected);
  });

  test('an unknown value of an open set is flagged, a known one is not', () => {
    expect(flagsOf('bonus', { status: 'Paused' })).toEqual(['unknown_value']);
    expect(flagsOf('bonus', { status: 'LOST' })).toEqual([]);
  });
});

describe('money', () => {
  test.each([
    ['amount', 12.5, '12.5'],
    ['amount', '12.50', '12.5'],
    ['amount', 0, '0'],
    ['amount', '123456789012345678.5', '123456789012345678.5'],
    ['amount', -1, ['amount: not_negative']],
    ['amount', '-0.01', ['amount: not_negative']],
    ['amount', 'NaN', ['amount: decimal']],
    ['amount', Number.NaN, ['amount: decimal']],
    ['amount', Number.POSITIVE_INFINITY, ['amount: decimal']],
    ['amount', 'a lot', ['amount: decimal']],
    ['amount', true, ['amount: decimal']],
    ['amount', '1234567890123456789', ['amount: decimal_digits']],
    ['amount', 1e-300, ['amount: decimal_digits']],
    ['fee_amount', '', undefined],
    ['fee_amount', -1, ['fee_amount: not_negative']],
    ['exchange_rate', '0.0894', '0.0894'],
    ['exchange_rate', 0, ['exchange_rate: positive_decimal']],
    ['exchange_rate', '0.000', ['exchange_rate: positive_decimal']],
    ['exchange_rate', -2, ['exchange_rate: positive_decimal']],
    ['exchange_rate', 'one', ['exchange_rate: positive_decimal']],
  ])('%s = %j: %j', (field, value, expected) => {
    expect(outcome('payment', field, value)).toEqual(expected);
  });

  test('the message contains the field, the rule and the fix', () => {
    const reading = read('payment', { exchange_rate: 0 });
    expect(reading.ok ? [] : reading.errors).toEqual([
      {
        path: 'exchange_rate',
        rule: 'positive_decimal',
        message:
          'exchange_rate must be a decimal greater than 0; send the rate that converts the amount to the base currency, 1 if it is the base currency.',
      },
    ]);
  });

  test('a balance may be negative', () => {
    expect(outcome('casino', 'balance_after', -1.5)).toBe('-1.5');
    expect(outcome('casino', 'balance_after', ' -1.50 ')).toBe('-1.5');
    expect(outcome('casino', 'balance_after', '-0')).toBe('0');
    expect(outcome('casino', 'balance_after', '--1')).toEqual(['balance_after: decimal']);
  });

  test('in the base currency, the rate is 1, and any other rate is flagged', () => {
    const reading = read('payment', { currency: 'eur', exchange_rate: 1.01 });
    expect(reading).toMatchObject({
      ok: true,
      event: { currency: 'EUR', exchange_rate: '1' },
      flags: ['rate_not_one'],
    });
    expect(flagsOf('payment', { currency: 'EUR', exchange_rate: '1.000' })).toEqual([]);
    expect(flagsOf('payment', { currency: 'EUR', exchange_rate: 1.01 }, { base_currency: 'SEK' })).toEqual([]);
    const entry = { key: 'real_money', amount: 1, currency: 'EUR', exchange_rate: 2 };
    expect(flagsOf('balances', { balances: [entry] })).toEqual(['rate_not_one']);
  });

  test.each([
    [{ wager_amount: 2, bonus_wager_amount: 0, locked_wager_amount: 0 }, []],
    [{ wager_amount: '1.1', bonus_wager_amount: '0.7', locked_wager_amount: '0.2' }, []],
    [{ wager_amount: 2, bonus_wager_amount: null, locked_wager_amount: null }, []],
    [{ wager_amount: 1, bonus_wager_amount: 0.5, locked_wager_amount: 0 }, ['parts_do_not_sum']],
    [{ wager_amount: null, bonus_wager_amount: null, locked_wager_amount: '' }, ['parts_absent']],
    [{ type: 'Win', wager_amount: 1, bonus_wager_amount: 0, locked_wager_amount: 0 }, []],
  ])('the parts of a bet of 2: %j is flagged %j', (change, flags) => {
    expect(flagsOf('casino', { ...change, timestamp: '2026-03-02T08:00:00Z' })).toEqual(flags);
    if ('type' in change) return;
    expect(flagsOf('sports', { ...change, amount: 2 })).toEqual(flags);
  });
});

describe('codes', () => {
  test.each([
    ['eur', 'EUR', []],
    [' sek ', 'SEK', []],
    ['USDT', 'USDT', []],
    ['XQX', 'XQX', ['unknown_code']],
    ['very-long-code', 'VERY-LONG-CODE', ['unknown_code']],
  ])('the currency %j is kept as %s, flagged %j', (currency, code, flags) => {
    expect(outcome('payment', 'currency', currency)).toBe(code);
    expect(flagsOf('payment', { currency, exchange_rate: 1 })).toEqual(flags);
  });

  test.each([[978], ['\u0000'], [text300], [{}]])('the currency %j is refused', (currency) => {
    expect(outcome('payment', 'currency', currency)).toEqual(['currency: code']);
  });
});

describe('timestamps', () => {
  const at = (text: string) => Date.parse(text) * 1000;

  test.each([
    ['2026-03-01T8:27:58Z', at('2026-03-01T08:27:58Z')],
    ['2026-03-01T18:27:58.123456789+01:00', at('2026-03-01T17:27:58Z') + 123_456],
    [' 2026-03-01T18:27:58Z ', at('2026-03-01T18:27:58Z')],
    ['2000-01-01T00:00:00Z', at('2000-01-01T00:00:00Z')],
    ['1999-12-31T23:59:59Z', ['timestamp: not_before_2000']],
    ['0001-01-01T00:00:00Z', ['timestamp: not_before_2000']],
    ['2026-03-06T12:00:00Z', at('2026-03-06T12:00:00Z')],
    ['2026-03-06T12:00:00.000001Z', ['timestamp: not_ahead']],
    ['02/03/2026 12:00', ['timestamp: timestamp']],
    [1772452800, ['timestamp: timestamp']],
    ['', ['timestamp: required']],
  ])('%j: %j', (value, expected) => {
    expect(outcome('payment', 'timestamp', value)).toEqual(expected);
  });

  test('more than 5 minutes ahead of the clock is flagged', () => {
    const ahead = (micros: number) => ({ timestamp: new Date((now + micros) / 1000).toISOString() });
    expect(flagsOf('login', ahead(5 * minute))).toEqual([]);
    expect(flagsOf('login', ahead(6 * minute))).toEqual(['ahead_of_clock']);
  });

  test.each([
    ['2026-03-02T18:00:00+01:00', at('2026-03-02T17:00:00Z'), []],
    [' 2026-03-02 18:00:00 ', at('2026-03-02T18:00:00Z'), []],
    ['', undefined, []],
    [null, undefined, []],
    ['tomorrow, 18:00', 'tomorrow, 18:00', ['unreadable_match_start']],
    ['2026-02-30T18:00:00Z', '2026-02-30T18:00:00Z', ['unreadable_match_start']],
    [1772452800, '1772452800', ['unreadable_match_start']],
    [{ date: 1 }, '{"date":1}', ['unreadable_match_start']],
    [`a\u0000b${text300}`, `ab${text300.slice(0, 252)}`, ['unreadable_match_start']],
  ])('the match_start %j is %j, flagged %j', (match_start, expected, flags) => {
    const reading = read('sports', { bets: [{ match_start }] });
    expect(reading).toMatchObject({ ok: true, flags });
    expect(reading.ok && (reading.event as EventOf<'sports'>).bets[0]?.match_start).toEqual(expected);
  });

  test('an event in the ledger is not refused for being ahead', () => {
    const change = { timestamp: '2027-01-01T00:00:00Z' };
    expect(read('login', change).ok).toBe(false);
    expect(flagsOf('login', change, { trusted: true })).toEqual(['ahead_of_clock']);
  });

  test.each([
    ['2026-03-01 18:27:58', 'UTC', '2026-03-01T18:27:58Z', ['zoneless_timestamp']],
    ['2026-03-01 18:27:58.250', 'Europe/Malta', '2026-03-01T17:27:58.250Z', ['zoneless_timestamp']],
    ['2025-10-26 02:30:00', 'Europe/Malta', '2025-10-26T00:30:00Z', ['zoneless_timestamp', 'ambiguous_local_time']],
    ['2025-03-30 02:30:00', 'Europe/Malta', '2025-03-30T01:30:00Z', ['zoneless_timestamp', 'skipped_local_time']],
  ])('%s in %s means %s, flagged %j', (timestamp, zone, instant, flags) => {
    const reading = read('login', { timestamp }, { zoneless_timestamps: zone });
    expect(reading).toMatchObject({ ok: true, event: { timestamp: at(instant) }, flags });
  });

  test('other times in an event may be far in the future', () => {
    expect(outcome('lottery', 'draw_date', '2027-12-24 20:00:00')).toBe(at('2027-12-24T20:00:00Z'));
    expect(outcome('lottery', 'draw_date', 'soon')).toEqual(['draw_date: timestamp']);
  });
});

describe('texts, booleans and numbers', () => {
  test.each<[EventKind, string, unknown, unknown]>([
    ['payment', 'vendor_name', 7, '7'],
    ['payment', 'note', 'a\u0000b', 'ab'],
    ['payment', 'note', '\ud800', '\ufffd'],
    ['payment', 'origin', '', ''],
    ['payment', 'origin', text300, ['origin: text']],
    ['payment', 'meta', { a: 'x\u0000' }, { a: 'x' }],
    ['payment', 'meta', [], {}],
    ['payment', 'deposit_count', '3', 3],
    ['casino', 'is_round_end', 'TRUE', true],
    ['casino', 'is_round_end', 0, false],
    ['casino', 'is_round_end', 'maybe', ['is_round_end: boolean']],
    ['casino', 'is_round_end', [{ toString: 1 }], ['is_round_end: boolean']],
    ['login', 'is_impersonated', 'false', false],
    ['cart', 'cart_id', 33001, '33001'],
    ['sports', 'outcomes', ['a', 1], ['a', 1]],
  ])('%s %s = %j: %j', (kind, field, value, expected) => {
    expect(outcome(kind, field, value)).toEqual(expected);
  });

  test('unknown fields are not part of the event', () => {
    const reading = read('login', { shoe_size: 43 });
    expect(reading.ok && Object.keys(reading.event)).not.toContain('shoe_size');
  });

  test('a bet without selections is flagged, a settlement without selections is not', () => {
    expect(flagsOf('sports', { bets: [] })).toEqual(['bets_empty']);
    expect(flagsOf('sports', { bets: [], type: 'Settlement' })).toEqual([]);
  });

  test('references in a bonus event are read', () => {
    const references = { id: 7, activity_id: '', action_id: 'a', trigger_hash: null, other: 1 };
    expect(outcome('bonus', 'crm_references', references)).toEqual({ id: '7', action_id: 'a' });
  });
});

test.each([
  [undefined, { crm_references: { id: 'a' } }, 'a'],
  ['Crm', { crm_references: { id: 'a' } }, 'a'],
  ['Acme', { acme_references: { id: 'a' } }, 'a'],
  ['Acme', { Acme_references: { id: 'a' } }, 'a'],
  ['Acme', { crm_references: { id: 'a' } }, 'a'],
  ['Acme', { acme_references: { id: 'b' }, crm_references: { id: 'a' } }, 'a'],
  ['Acme', { acme_references: { id: 'b' }, crm_references: null }, 'b'],
  ['Acme', { acme_references: null }, undefined],
  ['Acme', { other_references: { id: 'a' } }, undefined],
] as const)('with the reference prefix %s, %j refers to %s', (reference_prefix, references, id) => {
  const body = { ...messages.bonus.samples.bonus_forfeited, ...references };
  const prefix = reference_prefix === undefined ? {} : { reference_prefix };
  const reading = readEvent('bonus', body, {
    now: 1.8e15,
    zoneless_timestamps: 'UTC',
    base_currency: 'EUR',
    ...prefix,
  });
  expect(reading.ok && reading.event.crm_references?.id).toBe(id);
});

describe('informational fields of an invalid form', () => {
  test.each<[EventKind, string, unknown]>([
    ['payment', 'deposit_count', 2.5],
    ['payment', 'deposit_count', -1],
    ['payment', 'note', 51],
    ['payment', 'note', {}],
    ['payment', 'meta', 'text'],
    ['sports', 'odds', -1],
    ['sports', 'odds', 'evens'],
    ['lottery', 'draw_special_numbers', [7, 'x']],
    ['casino', 'game_name', text300],
    ['login', 'origin', []],
  ])('%s %s = %j is left out and flagged', (kind, field, value) => {
    const reading = read(kind, { [field]: value });
    expect(reading).toMatchObject({ ok: true, remarks: [{ path: expect.stringMatching(`^${field}`) }] });
    expect(reading.ok && reading.flags).toContain('field_left_out');
    expect(reading.ok && (reading.event as { [key: string]: unknown })[field]).toBeUndefined();
  });

  test('if such a field is in an entry of a list, the rest of the entry stays', () => {
    const reading = read('sports', { bets: [{ odds: 'evens', market: 'Winner' }] });
    expect(reading).toMatchObject({
      ok: true,
      event: { bets: [{ market: 'Winner' }] },
      remarks: [
        {
          path: 'bets[0].odds',
          rule: 'decimal',
          message: expect.stringMatching(/^bets.0..odds was ignored[.] The value must be a decimal/),
        },
      ],
    });
  });

  test.each<[EventKind, string, unknown, string]>([
    ['payment', 'payment_id', {}, 'id'],
    ['payment', 'fee_amount', 'much', 'decimal'],
    ['casino', 'status', 'Pending', 'one_of'],
    ['casino', 'balance_after', 'much', 'decimal'],
    ['login', 'is_impersonated', 'maybe', 'boolean'],
    ['lottery', 'draw_numbers', 5, 'array'],
  ])('%s %s = %j is not informational, so the event is refused', (kind, field, value, rule) => {
    expect(outcome(kind, field, value)).toEqual([`${field}: ${rule}`]);
  });

  test('a refusal lists only the errors, not the fields that would be left out', () => {
    const reading = read('payment', { amount: 'much', deposit_count: 2.5 });
    expect(reading.ok ? [] : reading.errors.map(({ path }) => path)).toEqual(['amount']);
  });
});

describe('unknown fields that look like known ones', () => {
  const remarks = (kind: EventKind, change: object) => {
    const reading = read(kind, change, { trusted: true });
    return reading.ok
      ? reading.remarks.map(({ path, message }) => `${path}: ${/send it as (\S+)/.exec(message)?.[1]}`)
      : [];
  };

  test.each<[EventKind, object, string[]]>([
    ['payment', { paymentid: '1' }, ['paymentid: payment_id']],
    ['payment', { PaymentId: '1', 'user-id': 1 }, ['PaymentId: payment_id', 'user-id: user_id']],
    ['login', { userId: 'x' }, ['userId: user_id']],
    // One changed letter is a misspelling only if the known field is missing.
    ['payment', { vendor_name: undefined, vender_name: 'x' }, ['vender_name: vendor_name']],
    ['payment', { vendor_nmae: 'x', vendor_name: null }, []],
    ['payment', { vender_name: 'x' }, []],
    ['sports', { bets: [{ eventName: 'x' }] }, ['bets[0].eventName: event_name']],
    ['login', { shoe_size: 43, 'user\u0000_id': 'x', [`user_id${' '.repeat(80)}`]: 1 }, []],
    ['custom', { data: { userId: 1 } }, []],
    ['payment', { meta: { paymentid: 1 } }, []],
  ])('%s with %j: %j', (kind, change, expected) => {
    expect(remarks(kind, change)).toEqual(expected);
    expect(flagsOf(kind, change, { trusted: true }).includes('resembles_known_field')).toBe(expected.length > 0);
  });

  test('are listed in a refusal, in addition to the errors', () => {
    const reading = read('payment', { user_id: undefined, userId: 'x' });
    expect(reading.ok ? [] : reading.errors).toMatchObject([
      { path: 'user_id', rule: 'required' },
      { path: 'userId', rule: 'unknown_field', message: expect.stringContaining('send it as user_id') },
    ]);
  });

  test('are not looked for in a valid event on arrival', () => {
    expect(read('payment', { paymentid: '1' })).toMatchObject({ ok: true, flags: [], remarks: [] });
  });
});

test('a payment without payment_id is flagged', () => {
  expect(flagsOf('payment', { payment_id: '' })).toEqual(['payment_without_id']);
});

describe('numbers that cannot be ids', () => {
  const idOf = (kind: EventKind, field: string, literal: string, context: object = {}) => {
    const { [field]: _, ...rest } = Object.values(messages[kind].samples)[0] as { [key: string]: unknown };
    const parsed = parseBody(`${JSON.stringify(rest).slice(0, -1)},"${field}":${literal}}`);
    const reading = readEvent(kind, parsed.ok && parsed.body, {
      now,
      zoneless_timestamps: 'UTC',
      base_currency: 'EUR',
      ...context,
    });
    return reading.ok
      ? (reading.event as { [key: string]: unknown })[field]
      : reading.errors.map(({ path, rule }) => `${path}: ${rule}`);
  };

  test.each([
    ['0.30000000000000004', ['user_id: id']],
    ['1e400', ['user_id: id']],
    ['1e-400', ['user_id: id']],
    ['12345678901234567.5', ['user_id: id']],
    ['12345678901234567.0', '12345678901234567'],
    ['1.2345678901234567e16', '12345678901234567'],
    ['12345678901234567', '12345678901234567'],
    // A value that was sent as text stays text, whatever it looks like.
    ['"0.30000000000000004"', '0.30000000000000004'],
    ['"1e400"', '1e400'],
  ])('user_id %s: %j', (literal, expected) => {
    expect(idOf('login', 'user_id', literal)).toEqual(expected);
  });

  test('are refused in inner fields, too, and in references with another prefix', () => {
    const lines = '[{"line_id":1},{"line_id":0.30000000000000004}]';
    expect(idOf('lottery', 'lines', lines)).toEqual(['lines[1].line_id: id']);
    const body = `{"acme_references":{"id":0.30000000000000004},"bonus_id":0.30000000000000004}`;
    const parsed = parseBody(body);
    const sample = messages.bonus.samples.bonus_forfeited;
    const whole =
      parsed.ok &&
      Object.assign(parsed.body as object, { ...sample, bonus_id: (parsed.body as { bonus_id: unknown }).bonus_id });
    const reading = readEvent('bonus', whole, {
      now,
      zoneless_timestamps: 'UTC',
      base_currency: 'EUR',
      reference_prefix: 'Acme',
    });
    expect(reading.ok ? [] : reading.errors.map(({ path }) => path)).toEqual(['bonus_id', 'crm_references.id']);
  });
});
