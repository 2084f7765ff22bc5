import { expect, test } from 'vitest';
import { safeReason } from './failure.ts';

const error = (message: string, code?: string) => Object.assign(new Error(message), { code });

test.each([
  [error('Key (user_id)=(ann) is still referenced', '23503'), 'the database refused a statement (SQLSTATE 23503)'],
  [
    error('canceling statement due to user request', '57014'),
    'the database cancelled it or is stopping (SQLSTATE 57014)',
  ],
  [
    error('could not write ann to disk', '53100'),
    'the database has too little memory, disk or connections (SQLSTATE 53100)',
  ],
  [error('connect ECONNREFUSED', 'ECONNREFUSED'), 'the database does not answer'],
  [new TypeError('ann is not a function'), 'TypeError'],
  ['ann', 'an unknown error'],
])('%s', (thrown, reason) => {
  expect(safeReason(thrown).en).toBe(`the step failed: ${reason}`);
});

test('a reason has a German text with the same code', () => {
  expect(safeReason(error('canceling statement due to user request', '57014')).de).toBe(
    'Der Schritt ist fehlgeschlagen: die Datenbank hat ihn abgebrochen oder wird beendet (SQLSTATE 57014)',
  );
});
