import { expect, test } from 'vitest';
import { type ConcernFacts, concernCodes, concernsOf } from './concerns.ts';

const nothing: ConcernFacts = {
  quarantined: 0,
  parked_players: 0,
  players_not_synchronized: 0,
  holds: { held: 0, oldest_at: null },
  messages: { held: 0, oldest_at: null },
  failed_messages: { failed: 0, oldest_at: null, since: 0 },
  intents: [],
  write_backs: { waiting: 0, oldest_waiting_at: null },
  drift: { differences: 0, oldest_at: null, reconciliation_id: null },
};

test('each concern is listed, even if its count is zero', () => {
  const concerns = concernsOf(nothing);
  expect(concerns.map(({ code }) => code)).toEqual(concernCodes);
  expect(concerns.every(({ count, oldest_at }) => count === 0 && oldest_at === null)).toBe(true);
});

test.each<[string, Partial<ConcernFacts>, object]>([
  [
    'unknown bonuses',
    { intents: [{ state: 'unknown', count: 2, oldest_at: 5 }] },
    { code: 'bonuses_unknown', count: 2, oldest_at: 5, list: '/bonus-intents?state=unknown' },
  ],
  [
    'failed messages lead to the list of exactly those that were counted',
    { failed_messages: { failed: 2, oldest_at: 9, since: 8 } },
    {
      code: 'failed_messages',
      count: 2,
      oldest_at: 9,
      list: '/sent-messages?state=failed_or_unknown&ended_from=1970-01-01T00:00:00.000008Z',
    },
  ],
  ['holds', { holds: { held: 3, oldest_at: 7 } }, { code: 'holds', count: 3, oldest_at: 7, list: '/holds' }],
  [
    'drift leads to the run that found it',
    { drift: { differences: 4, oldest_at: 9, reconciliation_id: 11 } },
    { code: 'drift', count: 4, oldest_at: 9, list: '/reconciliations/11/drift' },
  ],
])('%s', (_name, facts, concern) => {
  expect(concernsOf({ ...nothing, ...facts })).toContainEqual(concern);
});
