import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();

interface Item {
  field: string;
  operators: string[];
  [key: string]: unknown;
}

test('every field is listed with what a builder needs', async () => {
  const { status, body } = await console.get('/brands/malta/rule-fields', await console.as('viewer'));
  expect(status).toBe(200);
  const items = new Map((body.items as Item[]).map((item) => [item.field, item]));
  expect(items.get('trait.deposit_sum_7d')).toMatchObject({
    kind: 'number',
    title: 'the sum of all deposits in the last 7 days',
    unit: 'EUR',
    operators: ['=', '!=', '<', '<=', '>', '>=', 'between', 'notBetween', 'in', 'notIn', 'null', 'notNull'],
    group: 'Payments',
    fields: null,
  });
  expect(items.get('trait.deposit_sum')).toMatchObject({ windows: 'every' });
  expect(items.get('trait.deposit_sum_prev_7d')?.title).toBe('the sum of all deposits in the 7 days before the last 7');
  expect(items.get('trait.days_registered_without_deposit')).toMatchObject({
    title: 'the number of days since the registration without a deposit',
    unit: 'days',
  });
  expect(items.get('trait.casino_favorite_game')).toMatchObject({ kind: 'text', windows: 'favorite' });
  expect(items.get('profile.birth_date')?.operators).toContain('anniversaryWithin');
  expect(items.get('consent.Email')).toMatchObject({ kind: 'status', operators: ['=', '!=', 'in', 'notIn'] });
  expect(items.get('did.payment')).toMatchObject({ kind: 'fact', operators: ['atLeast', 'atMost', 'exactly'] });
  expect(items.get('did.round')?.fields).toEqual(
    expect.arrayContaining(['vendor_id', 'base_win', 'at'].map((field) => expect.objectContaining({ field }))),
  );
});

test('fields are listed with the segments and tags of the brand, or without them', async () => {
  const rule = { combinator: 'and', rules: [] };
  await console.call('POST', '/brands/malta/segments', { body: { code: 'listed', name: 'Listed', rule } });
  const fieldsOf = async (query: string) =>
    ((await console.get(`/brands/malta/rule-fields${query}`)).body.items as Item[]).map(({ field }) => field);
  const all = await fieldsOf('');
  expect(all).toContain('segment.listed');
  expect(await fieldsOf('?memberships=false')).toEqual(all.filter((field) => !/^(?:segment|tag)\./.test(field)));
});

test('a valid rule has a sentence and a hash', async () => {
  const rule = {
    combinator: 'and',
    rules: [
      { field: 'trait.deposit_count_7d', operator: '>=', value: 2 },
      { field: 'profile.country', operator: 'in', value: ['MT', 'SE'] },
      { field: 'did.round', match: { mode: 'atLeast', threshold: 3 }, within: 'P7D' },
    ],
  };
  const { status, body } = await console.call('POST', '/brands/malta/rules/check', { body: { rule } });
  expect(status).toBe(200);
  expect(body).toEqual({
    errors: [],
    sentence:
      'Players for whom the number of deposits in the last 7 days is at least 2 and the country is one of MT, SE and the number of casino rounds in the last 7 days is at least 3.',
    hash: expect.stringMatching(/^[\w-]{10,}$/),
  });
});

test('a number of days is a grammatical subject, and its unit is not repeated', async () => {
  const days = { field: 'trait.days_registered_without_deposit', operator: '<=', value: 7 };
  const age = { field: 'trait.age', operator: '>=', value: 30 };
  const { body } = await console.call('POST', '/brands/malta/rules/check', {
    body: { rule: { combinator: 'and', rules: [days, age] } },
  });
  expect(body.sentence).toBe(
    'Players for whom the number of days since the registration without a deposit is at most 7 and the age of the player in full years is at least 30.',
  );
});

test('an invalid rule gets its errors, each with its path', async () => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count_400d', operator: '>=', value: 2 }] };
  const { status, body } = await console.call('POST', '/brands/malta/rules/check', { body: { rule } });
  expect(status).toBe(200);
  expect(body).toMatchObject({ errors: [{ path: '/rules/0/field' }], sentence: null, hash: null });
});

const rule = {
  combinator: 'and',
  rules: [
    { field: 'trait.deposit_count_7d', operator: '>=', value: 1 },
    { field: 'profile.country', operator: '=', value: 'MT' },
    { field: 'profile.first_name', operator: 'null' },
    { field: 'trait.deposit_last_at', operator: 'inLast', value: 'P7D' },
  ],
};

async function addDepositors(): Promise<void> {
  for (const [user_id, country] of [
    ['ann', 'MT'],
    ['bob', 'MT'],
    ['cid', 'SE'],
  ] as const) {
    const payment = {
      type: 'Credit',
      status: 'Approved',
      currency: 'EUR',
      exchange_rate: 1,
      vendor_id: 'v',
      origin: 'x',
    };
    await console.publish('payment', {
      ...payment,
      user_id,
      payment_id: user_id,
      amount: 10,
      timestamp: '2026-05-01T11:00:00Z',
    });
    await console.derive();
    await console.pool.query(
      `insert into player_profile (player_id, country, changed_at) select player_id, $2, now() from player where user_id = $1`,
      [user_id, country],
    );
  }
  await console.publish('login', { user_id: 'dan', timestamp: '2026-05-01T11:00:00Z' });
  await console.derive();
  await console.pool.query(
    `insert into player_protection (player_id, brand_id, excluded, noted_at)
     select player_id, brand_id, true, now() from player where user_id = 'bob'
     on conflict (player_id) do update set excluded = true`,
  );
}

test('a preview counts members and protected players separately, and shows how many players each condition removes', async () => {
  await addDepositors();
  const { status, body } = await console.call('POST', '/brands/malta/rules/preview', { body: { rule } });
  expect(status).toBe(200);
  expect(body).toEqual({
    count: 1,
    protected: 1,
    sample: ['ann'],
    exact: true,
    error: null,
    took_ms: expect.any(Number),
    per_condition: [
      { path: '/rules/0', field: 'trait.deposit_count_7d', removes: 0 },
      { path: '/rules/1', field: 'profile.country', removes: 1 },
      { path: '/rules/2', field: 'profile.first_name', removes: 0 },
      { path: '/rules/3', field: 'trait.deposit_last_at', removes: 0 },
    ],
  });
  const wrong = { combinator: 'and', rules: [{ field: 'profile.county', operator: '=', value: 'MT' }] };
  const refused = await console.call('POST', '/brands/malta/rules/preview', { body: { rule: wrong } });
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: 'rule/rules/0/field', rule: 'rule', message: expect.stringContaining('unknown field') }],
  ]);
});

test('fields are listed with the values that were seen', async () => {
  // The values that occurred are read again after 5 minutes.
  console.clock.advance(6 * 60_000_000);
  const { body } = await console.get('/brands/malta/rule-fields');
  console.clock.advance(-6 * 60_000_000);
  const item = (field: string) => (body.items as Item[]).find((one) => one.field === field);
  expect(item('profile.country')).toMatchObject({ values: ['MT', 'SE'], sample: 'MT' });
  const payment = item('did.payment')?.fields as Item[];
  expect(payment.find(({ field }) => field === 'vendor_id')).toMatchObject({ values: ['v'], sample: 'v' });
  // Names are personal data, so they are not listed.
  expect(item('profile.first_name')).toMatchObject({ values: [], sample: 'text' });
});

test('trying a rule shows the value for each condition, with personal values masked', async () => {
  const named = { ...rule, rules: [...rule.rules, { field: 'profile.email', operator: 'notNull' }] };
  await console.pool.query(
    `update player_profile set email = 'ann@example.com' where player_id in (select player_id from player where user_id = 'ann')`,
  );
  const trying = { body: { rule: named, user_id: 'ann' } };
  const { status, body } = await console.call('POST', '/brands/malta/rules/try', trying);
  expect(status).toBe(200);
  expect(body).toEqual({
    // The deposit leaves the last 7 calendar days at the brand's midnight, before the exact 7 days are over.
    value: true,
    protected: false,
    holds_until: '2026-05-07T22:00:00.000000Z',
    trace: [
      {
        path: '/rules/0',
        sentence: 'the number of deposits in the last 7 days is at least 1',
        field: 'trait.deposit_count_7d',
        operator: '>=',
        value: 1,
        actual: expect.anything(),
        holds: true,
      },
      {
        path: '/rules/1',
        sentence: 'the country is MT',
        field: 'profile.country',
        operator: '=',
        value: 'MT',
        actual: 'MT',
        holds: true,
      },
      {
        path: '/rules/2',
        sentence: 'the first name has no value',
        field: 'profile.first_name',
        operator: 'null',
        value: null,
        actual: null,
        holds: true,
      },
      {
        path: '/rules/3',
        sentence: expect.stringMatching(/deposit is in the last 7 days$/),
        field: 'trait.deposit_last_at',
        operator: 'inLast',
        value: 'P7D',
        holds: true,
        actual: '2026-05-01T11:00:00.000000Z',
      },
      {
        path: '/rules/4',
        sentence: 'the e-mail address has a value',
        field: 'profile.email',
        operator: 'notNull',
        value: null,
        actual: 'ann@example.com',
        holds: true,
      },
    ],
  });
  const masked = await console.call('POST', '/brands/malta/rules/try', {
    ...trying,
    token: await console.as('viewer'),
  });
  expect(masked.body.trace.map(({ actual }: { actual: unknown }) => actual).slice(1)).toEqual([
    'MT',
    null,
    '2026-05-01T11:00:00.000000Z',
    '***',
  ]);
  const nobody = await console.call('POST', '/brands/malta/rules/try', { body: { rule, user_id: 'nobody' } });
  expect(nobody.status).toBe(404);
});
