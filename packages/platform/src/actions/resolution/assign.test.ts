import { expect, test } from 'vitest';
import { intentStates } from '../intent.ts';
import { type AssignedIntent, assign, fits, type Grant } from './assign.ts';
import { certaintyOf, resolutionOf } from './resolve.ts';

const minute = 60_000_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 4, 1, 12) * 1_000;

const intent: AssignedIntent = {
  intent_id: 'a',
  certainty: 'in_doubt',
  first_attempt_at: start,
  last_attempt_at: start + 2 * hour,
  activity_id: 'spring',
  action_id: '7',
  action_group_id: null,
  trigger_hash: null,
};
const grant: Grant = { user_bonus_id: '1', references: null, at: start, status: 'Created' };

test.each<[string, Partial<Grant>, boolean]>([
  ['a minute before the first call', { at: start - minute }, true],
  ['earlier', { at: start - minute - 1 }, false],
  ['a day after the last call', { at: start + 26 * hour }, true],
  ['later', { at: start + 26 * hour + 1 }, false],
  ['any status of a bonus that was granted', { status: 'Forfeited' }, true],
  ['a status that the interface does not define', { status: 'Activated' }, true],
  ['Reversed', { status: 'Reversed' }, false],
  ['Expired, in upper case', { status: 'EXPIRED' }, false],
  ['Lost', { status: 'Lost' }, false],
  ['the same activity', { references: { activity_id: 'spring' } }, true],
  ['another activity', { references: { activity_id: 'autumn' } }, false],
  ['an action group, although the intent has none', { references: { action_group_id: 'g' } }, false],
])('whether a bonus fits: %s', (_, change, expected) => {
  expect(fits(intent, { ...grant, ...change })).toBe(expected);
});

test('an intent that was never called fits no bonus', () => {
  expect(fits({ ...intent, first_attempt_at: null, last_attempt_at: null }, grant)).toBe(false);
});

test('an old credited intent does not take the only bonus of a younger one, so a third intent is not proven', () => {
  const credited = (intent_id: string, first: number, last: number): AssignedIntent => {
    return { ...intent, intent_id, certainty: 'credited', first_attempt_at: first, last_attempt_at: last };
  };
  const old = credited('old', start, start + 40 * hour);
  const young = credited('young', start + minute, start + minute);
  const doubtful = { ...intent, first_attempt_at: start + 30 * hour, last_attempt_at: start + 30 * hour };
  const early = { ...grant, at: start + hour };
  const late = { ...grant, user_bonus_id: '2', at: start + 31 * hour };
  expect([...assign([old, young, doubtful], [early, late])]).toEqual([
    ['1', { intent_id: 'young', how: 'explained' }],
    ['2', { intent_id: 'old', how: 'explained' }],
  ]);
});

/*
 * Repeats the table of resolve.ts. Each row has a state, what resolved it, whether a call is open, and the effects of a reference, of a
 * match and of neither. An explanation never applies to an intent in doubt.
 */
test.each([
  ['offered', null, null, 'closed', 'event_reference', null],
  ['pending', null, null, 'closed', 'event_reference', null],
  ['pending', null, 1, 'credited', 'event_reference', null],
  ['retry', null, null, 'closed', 'event_reference', null],
  ['retry', null, 2, 'credited', 'event_reference', null],
  ['unknown', null, null, 'in_doubt', 'event_reference', null],
  ['unknown', null, 2, 'in_doubt', 'event_reference', null],
  ['needs_person', null, null, 'in_doubt', 'event_reference', null],
  ['credited', 'answer', null, 'credited', 'event_reference', null],
  ['credited', 'late_answer', null, 'credited', 'event_reference', null],
  ['credited', 'person', null, 'credited', 'event_reference', null],
  ['credited', 'match', null, 'in_doubt', 'event_reference', 'match_withdrawn'],
  ['credited', 'reference', null, 'credited', null, null],
  ['rejected', 'answer', null, 'closed', 'event_reference', null],
  ['rejected', 'person', null, 'closed', 'event_reference', null],
] as const)(
  '%s by %s, open call %s: its certainty is %s',
  (state, resolved_by, open_attempt, certainty, reference, none) => {
    const position = { state, resolved_by, open_attempt };
    expect(certaintyOf(position)).toBe(certainty);
    expect(resolutionOf(position, 'reference')).toBe(reference);
    expect(resolutionOf(position, undefined)).toBe(none);
    const isOpen = state === 'unknown' || state === 'needs_person';
    expect(resolutionOf(position, 'match')).toBe(isOpen ? 'event_matched' : null);
  },
);

test('every state has a certainty', () => {
  for (const state of intentStates) expect(certaintyOf({ state, resolved_by: null, open_attempt: null })).toBeTruthy();
});
