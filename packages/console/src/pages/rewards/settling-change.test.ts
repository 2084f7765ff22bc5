import { expect, test } from 'vitest';
import { settlingChange } from './settling-change.ts';

const began = { event: 'attempt_began', state: 'pending', actor: null };
const lost = { event: 'attempt_lost', state: 'unknown', actor: null };
const overdue = { event: 'unknown_deadline', state: 'needs_person', actor: null };
const byPerson = { event: 'person', state: 'retry', actor: 'ann@example.com' };
const matched = { event: 'event_matched', state: 'credited', actor: null };
const referenced = { event: 'event_reference', state: 'credited', actor: null };

test('an outcome is settled by the change that follows the last open state, not by later proofs', () => {
  expect(settlingChange([began, lost, overdue, matched, referenced])).toBe(matched);
  expect(settlingChange([began, lost, byPerson])).toBe(byPerson);
});

test('an outcome that became unknown again is settled by the change after that', () => {
  expect(settlingChange([began, lost, byPerson, lost, matched])).toBe(matched);
  expect(settlingChange([began, lost, byPerson, lost])).toBeUndefined();
});

test('a bonus whose outcome was never unknown has no such change', () => {
  expect(settlingChange([began, { event: 'answered', state: 'credited', actor: null }])).toBeUndefined();
});
