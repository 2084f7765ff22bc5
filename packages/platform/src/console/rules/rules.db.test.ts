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
  expect(items.get('trait.casino_favourite_game')).toMatchObject({ kind: 'text', windows: 'favourite' });
  expect(items.get('profile.birth_date')?.operators).toContain('anniversaryWithin');
  expect(items.get('consent.Email')).toMatchObject({ kind: 'status', operators: ['=', '!=', 'in', 'notIn'] });
  expect(items.get('did.payment')).toMatchObject({ kind: 'fact', operators: ['atLeast', 'atMost', 'exactly'] });
  expect(items.get('did.round')?.fields).toEqual(
    expect.arrayContaining(['vendor_id', 'base_win', 'at'].map((field) => expect.objectContaining({ field }))),
  );
});

test('a rule that can be used has a sentence and a hash', async () => {
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

test('a wrong rule is told what is wrong, by path', async () => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count_400d', operator: '>=', value: 2 }] };
  const { status, body } = await console.call('POST', '/brands/malta/rules/check', { body: { rule } });
  expect(status).toBe(200);
  expect(body).toMatchObject({ errors: [{ path: '/rules/0/field' }], sentence: null, hash: null });
});
