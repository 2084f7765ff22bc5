import { expect, test } from 'vitest';
import { durationWords } from '../../../ui/duration.ts';
import { lengthBetween, millisecondsOf } from './length-between.ts';
import { firstScenario, scenarioCall } from './scenario-state.ts';

const at = new Date('2026-05-04T12:00:00Z');
const where = {
  combinator: 'and',
  rules: [
    { field: 'type', operator: '=', value: 'Credit' },
    { combinator: 'and', rules: [{ field: 'amount', operator: '>=', value: 20 }] },
    { combinator: 'or', rules: [{ field: 'status', operator: '=', value: 'Rejected' }] },
  ],
};
const document = { entry: { event: 'payment', where } };

test('the initial scenario has an event that meets the conditions of the entry', () => {
  const call = scenarioCall(firstScenario(document), document, at);
  expect(call).toEqual({
    campaign: document,
    player: { profile: { first_name: 'Ann' } },
    events: [{ kind: 'payment', at: '2026-05-04T12:00:00.000Z', body: { type: 'Credit', amount: 20 } }],
    until: '2026-05-11T12:00:00.000Z',
  });
});

test('if the entry is an API call, the player of the scenario enters by it', () => {
  const byCall = { entry: { api: true } };
  expect(scenarioCall(firstScenario(byCall), byCall, at)).toMatchObject({ enter: {} });
  const bySegment = { entry: { segment: 'vip', on: 'entered' } };
  expect(scenarioCall(firstScenario(bySegment), bySegment, at)).not.toHaveProperty('enter');
});

test('an invented player starts with the traits of the form; a copied one has those of its events', () => {
  const traits = [
    { name: 'deposit_count_7d', value: '2' },
    { name: 'deposit_last_at', value: '2026-05-01T12:00:00Z' },
  ];
  const state = { ...firstScenario(document), traits };
  expect(scenarioCall(state, document, at).player).toEqual({
    profile: { first_name: 'Ann' },
    traits: { deposit_count_7d: 2, deposit_last_at: '2026-05-01T12:00:00Z' },
  });
  const copied = { ...state, player: 'copy' as const, copyOf: 'ann' };
  expect(scenarioCall(copied, document, at).player).not.toHaveProperty('traits');
});

test('typed text becomes numbers, true and false, and fields by path; the rest stays text', () => {
  const state = {
    ...firstScenario({}),
    player: 'copy' as const,
    copyOf: 'ann',
    profile: [],
    refused: ['Email'],
    tags: ['vip'],
    excluded: true,
    events: [
      {
        kind: 'custom',
        after: 'PT2H',
        fields: [
          { name: 'data.level', value: '3' },
          { name: 'data.name', value: 'x' },
          { name: 'is_new', value: 'true' },
          { name: 'code', value: '007' },
          { name: '', value: 'lost' },
        ],
      },
    ],
  };
  expect(scenarioCall(state, {}, at)).toMatchObject({
    player: { copy_of: 'ann', consents: { Email: false }, tags: ['vip'], excluded: true },
    events: [{ at: '2026-05-04T14:00:00.000Z', body: { data: { level: 3, name: 'x' }, is_new: true, code: '007' } }],
  });
});

test('durations are shown in their two largest units', () => {
  expect(lengthBetween('2026-05-04T12:00:00Z', '2026-05-04T12:00:00.5Z')).toBe(undefined);
  expect(lengthBetween('2026-05-04T12:00:00Z', '2026-05-05T13:02:00Z')).toBe('P1DT1H');
  expect(lengthBetween('2026-05-04T12:00:00Z', '2026-05-04T12:02:03Z')).toBe('PT2M3S');
  expect(millisecondsOf('P1DT1H')).toBe(25 * 3_600_000);
  expect(durationWords('P1DT1H', 'en')).toBe('1 day 1 hour');
  expect(durationWords('P7D', 'de')).toBe('7 Tage');
  expect(durationWords('soon', 'en')).toBe('soon');
});
