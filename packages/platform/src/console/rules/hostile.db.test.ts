import { beforeAll, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';

/* Rules that no editor would create. Whatever a caller sends, the answer is never an internal error. */

const console = await setupConsole();
beforeAll(async () => {
  await console.publish('login', { user_id: 'ann', timestamp: '2026-05-01T11:00:00Z' });
  await console.derive();
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const group = (node: string) => `{"combinator":"and","rules":[${node}]}`;
const condition = (more: object) =>
  group(JSON.stringify({ field: 'trait.deposit_count', operator: '>=', value: 1, ...more }));
const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype', ''];
const huge = 'x'.repeat(900_000);
const rules: string[] = [
  'null',
  '1',
  '"x"',
  '[]',
  '{}',
  'true',
  '1e400',
  group('null'),
  group('[]'),
  group('{"rules":null}'),
  group('{"rules":{"length":5}}'),
  `{"combinator":"and","rules":{"length":3}}`,
  `{"combinator":["and"],"rules":[]}`,
  `{"combinator":"and","rules":[],"id":${nested(20_000)}}`,
  `{"combinator":"and","rules":[],"id":${nested(3_000)}}`,
  condition({ id: 1 }).replace('"id":1', `"value":${nested(20_000)}`),
  condition({ value: huge }),
  condition({ operator: huge }),
  condition({ field: huge }),
  condition({ field: `trait.custom_events.${huge}` }),
  condition({ field: `trait.${'deposit_count_'.repeat(60_000)}7d` }),
  condition({ field: `tag.${huge}` }),
  condition({ field: 'profile.username', operator: 'in', value: Array(1001).fill('x') }),
  condition({ field: 'profile.username', operator: 'in', value: ','.repeat(800_000) }),
  condition({ field: 'profile.username', operator: 'contains', value: 'a'.repeat(900_000) }),
  condition({ field: 'profile.roles', operator: 'contains', value: '{"},{' }),
  condition({ field: 'profile.birth_date', operator: '=', value: '2026-02-30' }),
  condition({ field: 'profile.birth_date', operator: 'anniversaryWithin', value: 'P9999W' }),
  condition({ field: 'profile.registration_date', operator: 'before', value: '9999-12-31' }),
  condition({ field: 'profile.registration_date', operator: 'before', value: '9999-12-31T23:59:59-23:59' }),
  condition({ field: 'profile.registration_date', operator: 'before', value: '1000-01-01T00:00:00+23:59' }),
  condition({ field: 'profile.registration_date', operator: 'before', value: '2026-01-01T00:00:00+99:99' }),
  condition({ field: 'profile.registration_date', operator: 'before', value: '2026-01-01T24:00:00Z' }),
  condition({ field: 'profile.registration_date', operator: 'between', value: ['2026-01-01', '2025-01-01'] }),
  condition({ field: 'profile.registration_date', operator: 'inLast', value: 'P366D' }),
  condition({ field: 'profile.registration_date', operator: 'inNext', value: 'PT99999999S' }),
  condition({ value: '999999999999999999.999999999999' }),
  condition({ value: '-0' }),
  condition({ value: -0 }),
  condition({ value: '1e5' }),
  condition({ value: 1e-7 }),
  condition({ operator: 'between', value: [1] }),
  condition({ operator: 'between', value: [1, 2, 3] }),
  condition({ operator: 'between', value: { 0: 1, 1: 2, length: 2 } }),
  condition({ operator: 'between', value: '1,2' }),
  condition({ field: 'trait.casino_favorite_game', operator: 'in', value: [null] }),
  condition({ value: { toString: 1 } }),
  condition({ operator: { toString: 1 } }),
  condition({ operator: null }),
  condition({ field: 'trait.deposit_count_by_vendor.\u0000' }),
  condition({ field: 'trait.deposit_count_by_vendor.\ud800' }),
  condition({ field: "trait.deposit_count_by_vendor.');--" }),
  condition({ field: 'trait.cart_last_items.$1' }),
  condition({ field: 'tag.\u0000', operator: '=', value: true }),
  condition({ field: 'segment.nothing', operator: '=', value: true }),
  group(`{"field":"did.payment","match":{"mode":"atLeast","threshold":1},"within":${JSON.stringify(huge)}}`),
  group(`{"field":"did.payment","match":{"mode":"atLeast","threshold":1},"value":{"combinator":"or","rules":[]}}`),
  group(
    `{"field":"did.payment","match":{"mode":"atMost","threshold":0},"within":"P366D","value":${condition({ field: 'amount', value: '1' })}}`,
  ),
  group(`{"field":"did.payment","match":[],"value":[]}`),
  group(`{"field":"did.payment","match":{"mode":"constructor","threshold":1}}`),
  group(`{"field":"did.payment","match":{"mode":"atLeast","threshold":1},"value":null}`),
  ...names.flatMap((name) =>
    ['trait', 'profile', 'consent', 'block', 'did', 'segment', 'profile.segmentation', 'tag'].flatMap((space) => [
      condition({ field: `${space}.${name}` }),
      group(`{"field":"${space}.${name}","match":{"mode":"atLeast","threshold":1}}`),
    ]),
  ),
  ...names.map((name) => condition({ operator: name })),
  ...names.map((name) => condition({ field: name })),
  `{"combinator":"and","rules":[],"__proto__":{"not":true}}`,
  `{"combinator":"and","not":"true","rules":[]}`,
  `{"combinator":"or","rules":[${Array(200).fill(condition({})).join(',')}]}`,
];

let n = 0;
test.each(['check', 'preview', 'try', 'segment'])(
  '%s answers every hostile rule, without an internal error',
  async (way) => {
    const bad: unknown[] = [];
    for (const rule of rules) {
      const path =
        way === 'segment' ? '/api/console/v1/brands/malta/segments' : `/api/console/v1/brands/malta/rules/${way}`;
      const payload =
        way === 'segment'
          ? `{"code":"h${n++}","name":"x","rule":${rule}}`
          : way === 'try'
            ? `{"user_id":"ann","rule":${rule}}`
            : `{"rule":${rule}}`;
      const answer = await console.app.inject({
        method: 'POST',
        url: path,
        payload,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      });
      if (answer.statusCode >= 500)
        bad.push([rule.slice(0, 150), rule.length, answer.statusCode, answer.body.slice(0, 200)]);
    }
    expect(bad).toEqual([]);
  },
  120_000,
);

test.each([null, ['null'], { toString: 1 }, 0])('%j is not an operator, even if its text is one', async (operator) => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator }] };
  const checked = await console.call('POST', '/brands/malta/rules/check', { body: { rule } });
  expect(checked).toMatchObject({ status: 200, body: { errors: [{ path: '/rules/0/operator' }], hash: null } });
  const body = { code: 'none', name: 'None', rule };
  expect((await console.call('POST', '/brands/malta/segments', { body })).status).toBe(400);
});
