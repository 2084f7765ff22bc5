import { describe, expect, test } from 'vitest';
import type { CallResult } from '../calling/client/operator-client.ts';
import { judge } from './judge.ts';
import type { LookUp } from './judgment.ts';

const asked = { user_id: 'p-1', zone: 'Europe/Malta' };

const goodDetails = {
  address: '1 Republic Street',
  birth_date: '1990-02-28',
  city: 'Valletta',
  country: 'MT',
  currency: 'EUR',
  email: 'ann@example.com',
  first_name: 'Ann',
  is_blocked: false,
  is_excluded: false,
  language: 'en',
  last_name: 'Bell',
  mobile: '79000000',
  mobile_prefix: '+356',
  origin: 'casino.example',
  postal_code: 'VLT 1117',
  roles: ['player'],
  sex: 'F',
  title: 'Ms',
  user_id: 'p-1',
  username: 'ann',
  verified_at: '2026-01-02T03:04:05.678901Z',
  registration_code: '',
  registration_date: '2026-01-01T00:00:00Z',
  affiliate_reference: '',
  market: 'mt',
  segmentation: { vip_level: 3, special_segmentation: 'gold' },
};

function answered(status: number, body: unknown): CallResult {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { answered: true, status, body: bytes };
}

function judgeRecord<L extends LookUp>(lookUp: L, body: unknown) {
  const judgment = judge(lookUp, answered(200, body), asked);
  if (judgment.verdict !== 'record') throw new Error(`${judgment.verdict}: ${judgment.detail}`);
  return judgment;
}

function details(changes: Record<string, unknown> = {}) {
  const judgment = judgeRecord('details', { ...goodDetails, ...changes });
  if (judgment.record.look_up !== 'details') throw new Error('not the details');
  return { ...judgment.record.record, problems: judgment.problems };
}

test("the quote of an operator's error text never ends in half a character", () => {
  for (const before of ['', '.']) {
    const judgment = judge('blocks', answered(200, { error: `${before}${'\u{1f600}'.repeat(200)}` }), asked);
    if (judgment.verdict !== 'unknown_player') throw new Error(judgment.verdict);
    expect(judgment.detail).toContain('\u{1f600}');
    expect(judgment.detail.isWellFormed()).toBe(true);
  }
});

describe('whether an answer counts', () => {
  const record = { consents: [] };
  const cases: [name: string, lookUp: LookUp, result: CallResult, verdict: string][] = [
    ['the record of the player', 'details', answered(200, goodDetails), 'record'],
    ['another 2xx with the record', 'details', answered(206, goodDetails), 'record'],
    ['user_id as a number', 'details', answered(200, { ...goodDetails, user_id: 7 }), 'other_player'],
    ['the record of somebody else', 'details', answered(200, { ...goodDetails, user_id: 'p-2' }), 'other_player'],
    ['the id in another letter case', 'details', answered(200, { ...goodDetails, user_id: 'P-1' }), 'other_player'],
    ['404', 'details', answered(404, {}), 'unknown_player'],
    ['410', 'consents', answered(410, ''), 'unknown_player'],
    ['200 with an error object', 'details', answered(200, { error: 'no such user' }), 'unknown_player'],
    ['200 with an empty object', 'blocks', answered(200, {}), 'unknown_player'],
    ['200 with null', 'details', answered(200, null), 'unknown_player'],
    ['200 with the record in a list', 'details', answered(200, [goodDetails]), 'unknown_player'],
    ['200 with a blank user_id', 'details', answered(200, { ...goodDetails, user_id: ' ' }), 'unknown_player'],
    ['consents that are not a list', 'consents', answered(200, { consents: {} }), 'unknown_player'],
    ['an empty list of consents', 'consents', answered(200, record), 'record'],
    ['consents of somebody else', 'consents', answered(200, { ...record, user_id: 'p-2' }), 'other_player'],
    ['blocks of somebody else', 'blocks', answered(200, { blocks: [], user_id: 'p-2' }), 'other_player'],
    ['an error beside the record', 'details', answered(200, { ...goodDetails, Error: 'stale' }), 'error_in_answer'],
    ['success: false beside consents', 'consents', answered(200, { ...record, Success: false }), 'error_in_answer'],
    ['errors beside blocks', 'blocks', answered(200, { blocks: [], errors: ['no'] }), 'error_in_answer'],
    [
      'signs of success beside a record',
      'details',
      answered(200, { ...goodDetails, success: true, error: null }),
      'record',
    ],
    ["a player's status beside the record", 'details', answered(200, { ...goodDetails, status: 'failed' }), 'record'],
    ['a page of HTML', 'details', answered(200, '<html>soon back</html>'), 'not_json'],
    ['an empty body', 'blocks', answered(200, ''), 'not_json'],
    ['half of a body', 'consents', answered(200, '{"consents":[{'), 'not_json'],
    ['a redirect', 'details', answered(302, ''), 'redirected'],
    ['400', 'details', answered(400, {}), 'rejected'],
    ['401', 'details', answered(401, {}), 'unauthorized'],
    ['403', 'details', answered(403, {}), 'unauthorized'],
    ['429', 'details', answered(429, {}), 'rate_limited'],
    ['500 with the record', 'details', answered(500, goodDetails), 'server_error'],
    ['501', 'blocks', answered(501, ''), 'server_error'],
    ['no answer', 'details', { answered: false, failure: 'timeout', detail: '10 s', sent: true }, 'timeout'],
  ];
  test.each(cases)('%s', (_name, lookUp, result, verdict) => {
    const judgment = judge(lookUp, result, asked);
    expect(judgment.verdict === 'failed' ? judgment.failure : judgment.verdict).toBe(verdict);
  });

  test('an id beyond 2^53 sent as a number is read from its text', () => {
    const body = JSON.stringify({ ...goodDetails, user_id: 0 }).replace('"user_id":0', '"user_id":90071992547409931');
    const judgment = judge('details', answered(200, body), { ...asked, user_id: '90071992547409931' });
    expect(judgment.verdict).toBe('record');
  });
});

describe('user details, field by field', () => {
  test('a good record has every field and no problem', () => {
    const { fields, unusable, problems, segmentation, extra } = details();
    expect({ unusable, problems, extra }).toEqual({ unusable: [], problems: [], extra: {} });
    expect(segmentation).toEqual({ vip_level: 3, special_segmentation: 'gold' });
    expect(fields).toMatchObject({
      email: 'ann@example.com',
      is_excluded: false,
      roles: ['player'],
      birth_date: '1990-02-28',
    });
    expect(fields.verified_at).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 678) * 1000 + 901);
  });

  const cases: [change: Record<string, unknown>, path: string, reason: string][] = [
    [{ email: 7 }, 'email', 'wrong_type'],
    [{ email: null }, 'email', 'wrong_type'],
    [{ email: undefined }, 'email', 'missing'],
    [{ email: 'x'.repeat(3000) }, 'email', 'too_large'],
    [{ roles: 'player' }, 'roles', 'wrong_type'],
    [{ roles: ['player', 7] }, 'roles', 'wrong_type'],
    [{ birth_date: '28.02.1990' }, 'birth_date', 'bad_format'],
    [{ birth_date: '1990-02-30' }, 'birth_date', 'bad_format'],
    [{ verified_at: 'yesterday' }, 'verified_at', 'bad_format'],
    [{ verified_at: '0001-01-01T00:00:00Z' }, 'verified_at', 'bad_format'],
    [{ registration_date: 1735689600 }, 'registration_date', 'wrong_type'],
  ];
  test.each(cases)('%j is listed and affects only its own field', (change, path, reason) => {
    const { fields, unusable, problems } = details(change);
    expect(problems).toMatchObject([{ path, reason }]);
    expect(unusable).toEqual([path]);
    expect(fields.city).toBe('Valletta');
    expect(fields).not.toHaveProperty(path);
  });

  test.each([['yes'], ['false'], [0], [null], [undefined], [{}]])('a flag of %j counts as true', (flag) => {
    const judged = details({ is_excluded: flag });
    expect(judged).toMatchObject({ excluded_in_doubt: true, blocked_in_doubt: false, unusable: ['is_excluded'] });
    expect(judged.problems[0]?.message).toContain('counts as true');
  });

  test('optional fields may be absent, null or blank, and are then stored as null', () => {
    const { fields, problems, segmentation } = details({
      verified_at: undefined,
      registration_date: ' ',
      segmentation: null,
    });
    expect(fields).toMatchObject({ verified_at: null, registration_date: null });
    expect(segmentation).toEqual({});
    expect(problems).toEqual([]);
  });

  test('codes are normalized; an unknown one is kept and listed', () => {
    expect(details({ country: 'mlt', currency: 'eur', language: 'en_gb', market: 'MT-VIP' }).fields).toMatchObject({
      country: 'MT',
      currency: 'EUR',
      language: 'en-GB',
      market: 'mt-vip',
    });
    const odd = details({ country: 'Atlantis', language: '??' });
    expect(odd.fields).toMatchObject({ country: 'ATLANTIS', language: '??' });
    expect(odd.problems.map(({ path, reason }) => [path, reason])).toEqual([
      ['country', 'unknown_code'],
      ['language', 'unknown_code'],
    ]);
    expect(details({ country: '', language: '', mobile_prefix: '' }).problems).toEqual([]);
  });

  test('a timestamp without a zone is read in the zone of the brand', () => {
    expect(details({ verified_at: '2026-07-01 12:00:00' }).fields.verified_at).toBe(Date.UTC(2026, 6, 1, 10) * 1000);
  });

  test('unknown fields are kept, and made storable', () => {
    expect(details({ vip: true, 'od\u0000d': ['a\ud800', { deep: '\u0000' }] }).extra).toEqual({
      vip: true,
      odd: ['a\ufffd', { deep: '' }],
    });
    const large = details({ blob: 'x'.repeat(20_000) });
    expect(large.extra).toBeUndefined();
    expect(large.problems).toMatchObject([{ path: 'further fields', reason: 'too_large' }]);
  });

  test('bytes that are not UTF-8 affect only the field that contains them', () => {
    const bytes = Buffer.from(JSON.stringify({ ...goodDetails, city: 'San Gwann' }), 'latin1');
    bytes[bytes.indexOf('San Gwann') + 1] = 0xe9;
    const judgment = judge('details', answered(200, bytes), asked);
    if (judgment.verdict !== 'record' || judgment.record.look_up !== 'details') throw new Error(judgment.verdict);
    expect(judgment.problems).toMatchObject([{ path: 'city', reason: 'damaged_text' }]);
    expect(judgment.record.record.fields.email).toBe('ann@example.com');
  });

  test('no problem repeats the value of a field', () => {
    const { problems } = details({ email: { secret: 'ann@example.com' }, birth_date: 'secret', sex: ['secret'] });
    expect(problems).toHaveLength(3);
    expect(JSON.stringify(problems)).not.toContain('secret');
  });
});

describe('consents', () => {
  const consents = (list: unknown[]) => {
    const judgment = judgeRecord('consents', { consents: list });
    if (judgment.record.look_up !== 'consents') throw new Error('not consents');
    const read = judgment.record.record.consents.map(({ type, spelling, opted_in }) => [type, spelling, opted_in]);
    return { read, reasons: judgment.problems.map(({ path, reason }) => `${path} ${reason}`) };
  };

  test("types are compared without case, and the operator's spelling is kept", () => {
    expect(
      consents([
        { type: 'postMail', opted_in: true },
        { type: 'SMS', opted_in: false },
      ]),
    ).toEqual({
      read: [
        ['PostMail', 'postMail', true],
        ['SMS', 'SMS', false],
      ],
      reasons: [],
    });
  });
  test('only a plain boolean counts', () => {
    expect(consents([{ type: 'Email', opted_in: 'true' }, { type: 'SMS' }])).toEqual({
      read: [
        ['Email', 'Email', null],
        ['SMS', 'SMS', null],
      ],
      reasons: ['consents[0].opted_in wrong_type', 'consents[1].opted_in missing'],
    });
  });
  test('if a type is listed twice, the safer value is used', () => {
    const email = (opted_in: unknown) => ({ type: 'Email', opted_in });
    expect(consents([email(true), email(false)]).read).toEqual([['Email', 'Email', false]]);
    expect(consents([email(true), email('?')]).read).toEqual([['Email', 'Email', null]]);
    expect(consents([email(true), { type: 'EMAIL', opted_in: true }])).toEqual({
      read: [['Email', 'Email', true]],
      reasons: ['consents.email repeated_type'],
    });
  });
  test('an unknown type is kept and listed; an unreadable item is left out and listed', () => {
    expect(consents([{ type: 'Fax', opted_in: true }, null, { opted_in: true }])).toEqual({
      read: [['Fax', 'Fax', true]],
      reasons: ['consents[0].type unknown_type', 'consents[1] wrong_type', 'consents[2] wrong_type'],
    });
  });
});

describe('blocks', () => {
  const blocks = (list: unknown[]) => {
    const judgment = judgeRecord('blocks', { blocks: list });
    if (judgment.record.look_up !== 'blocks') throw new Error('not blocks');
    const { record } = judgment.record;
    const read = record.blocks.map(({ type, active, note }) => [type, active, note]);
    return {
      read,
      unreadable: record.unreadable_items,
      reasons: judgment.problems.map(({ path, reason }) => `${path} ${reason}`),
    };
  };

  test('a missing note is fine', () => {
    expect(
      blocks([
        { type: 'excluded', active: true },
        { type: 'Blocked', active: false, note: 'n' },
      ]),
    ).toEqual({
      read: [
        ['Excluded', true, null],
        ['Blocked', false, 'n'],
      ],
      unreadable: false,
      reasons: [],
    });
  });
  test('only a plain false says that a block is not in force', () => {
    expect(blocks([{ type: 'Blocked', active: 0, note: 7 }])).toEqual({
      read: [['Blocked', null, null]],
      unreadable: false,
      reasons: ['blocks[0].active wrong_type', 'blocks.blocked.note wrong_type'],
    });
  });
  test('if a type is listed twice, it is in force if any entry says so', () => {
    const items = [
      { type: 'Blocked', active: false, note: 'old' },
      { type: 'Blocked', active: true, note: 'new' },
    ];
    expect(blocks(items).read).toEqual([['Blocked', true, 'new']]);
    expect(blocks(items.toReversed()).read).toEqual([['Blocked', true, 'new']]);
  });
  test('an unreadable item, or more items than any operator has, leaves the other types in doubt', () => {
    expect(blocks(['Blocked'])).toMatchObject({ unreadable: true, reasons: ['blocks[0] wrong_type'] });
    const many = Array.from({ length: 101 }, (_, n) => ({ type: `t${n}`, active: false }));
    expect(blocks(many).unreadable).toBe(true);
  });
});
