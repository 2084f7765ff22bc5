import type { Acknowledged, Message } from '@croupier/sandbox';
import { expect, test } from 'vitest';
import { type Evidence, judgeConservation, type StoredEvent } from './conservation.ts';

/*
 * A checker that cannot find a violation proves nothing. These tests start with correct evidence, and violate P1 in each possible way.
 */
const login = { kind: 'login', label: 'event', user_id: 'u' } as const;

function acknowledged(mark: string, more: Partial<Acknowledged> = {}): Acknowledged {
  return { ...login, number: 1, fingerprint: mark, attempts: 1, acknowledged_at: 0, quarantined: false, ...more };
}

function stored(position: string, mark: string, meaning = mark): StoredEvent {
  return { kind: 'login', position, mark, meaning };
}

/** Three logins, one of them stored twice; and an invalid message that was dropped at the end. */
function sound(): Evidence {
  return {
    sent: new Map(['a', 'b', 'c', 'x'].map((mark) => [mark, {} as Message])),
    acknowledged: [
      ...['a', 'b', 'c'].map((mark) => acknowledged(mark)),
      acknowledged('x', { label: 'invalid', quarantined: true }),
    ],
    stored: [stored('1:1:0', 'a'), stored('1:1:1', 'b'), stored('1:2:0', 'b'), stored('1:3:0', 'c')],
    stored_claimed: 4,
    quarantined: ['x'],
    journal: new Map([
      ['1:1:0', ['applied']],
      ['1:1:1', ['applied']],
      ['1:2:0', ['repeat']],
      ['1:3:0', ['applied']],
    ]),
  };
}

function found(evidence: Evidence): string[] {
  return judgeConservation(evidence).flatMap(({ broken }) => broken);
}

test('correct evidence passes', () => {
  const outcomes = judgeConservation(sound());
  expect(outcomes.every(({ kept }) => kept)).toBe(true);
  expect(Object.assign({}, ...outcomes.map(({ counts }) => counts))).toMatchObject({
    stored: 4,
    distinct: 3,
    repeats: 1,
  });
});

const without = (journal: Evidence['journal'], position: string) =>
  new Map([...journal].filter(([name]) => name !== position));

test.each<[string, (evidence: Evidence) => Evidence, string]>([
  [
    'an acknowledged event that is not stored',
    (e) => ({
      ...e,
      stored: e.stored.slice(0, 3),
      stored_claimed: 3,
      journal: without(e.journal, '1:3:0'),
    }),
    'acknowledged, but not in the ledger',
  ],
  [
    'a block that contains fewer events than it states',
    (e) => ({ ...e, stored_claimed: 5 }),
    'state 5 events, but contain 4',
  ],
  [
    'a stored event that was never sent',
    (e) => ({ ...e, sent: new Map([...e.sent].filter(([mark]) => mark !== 'c')) }),
    'never sent',
  ],
  ['an event that was not derived', (e) => ({ ...e, journal: without(e.journal, '1:3:0') }), '0 rows in the journal'],
  [
    'an event that was derived twice',
    (e) => ({ ...e, journal: new Map([...e.journal, ['1:3:0', ['applied', 'applied']]]) }),
    '2 rows in the journal',
  ],
  [
    'a repeat that was applied as a new event',
    (e) => ({ ...e, journal: new Map([...e.journal, ['1:2:0', ['applied']]]) }),
    '2 equal events were applied as new',
  ],
  [
    'an event that was left parked',
    (e) => ({ ...e, journal: new Map([...e.journal, ['1:3:0', ['parked']]]) }),
    'left parked',
  ],
  [
    'a row of the journal without an event',
    (e) => ({ ...e, journal: new Map([...e.journal, ['9:9:9', ['applied']]]) }),
    'where the ledger has no event',
  ],
  ['an invalid message that quarantine lost', (e) => ({ ...e, quarantined: [] }), 'not in quarantine'],
  ['a body that is in quarantine twice', (e) => ({ ...e, quarantined: ['x', 'x'] }), 'twice'],
  [
    'an invalid message that was accepted',
    (e) => ({ ...e, acknowledged: [...e.acknowledged, acknowledged('a', { label: 'invalid' })] }),
    'an invalid message was accepted',
  ],
  [
    'a valid message that was quarantined',
    (e) => ({ ...e, acknowledged: [...e.acknowledged, acknowledged('x', { quarantined: true })] }),
    'a valid message was put into quarantine',
  ],
])('finds %s', (_what, spoil, words) => {
  expect(found(spoil(sound()))).toEqual([expect.stringContaining(words)]);
});
