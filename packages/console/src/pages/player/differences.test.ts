import { expect, test } from 'vitest';
import { differencesOf, type LookedUp } from './differences.ts';

const before: LookedUp = {
  profile: { country: 'MT', city: 'Valletta', roles: [], as_of: '2026-05-01T10:00:00Z' },
  consents: [{ type: 'Email', opted_in: true }],
  blocks: [{ type: 'Excluded', active: null }],
};

test('only changed values are reported; the time of the answer does not count', () => {
  const after: LookedUp = {
    profile: { country: 'SE', city: 'Valletta', roles: ['vip'], as_of: '2026-05-01T11:00:00Z' },
    consents: [
      { type: 'Email', opted_in: false },
      { type: 'SMS', opted_in: true },
    ],
    blocks: [{ type: 'Excluded', active: false }],
  };
  expect(differencesOf(before, after)).toEqual([
    { part: 'details', field: 'country', before: 'MT', after: 'SE' },
    { part: 'details', field: 'roles', before: '[]', after: '["vip"]' },
    { part: 'consents', field: 'Email', before: '✓', after: '✗' },
    { part: 'consents', field: 'SMS', before: '–', after: '✓' },
    { part: 'blocks', field: 'Excluded', before: '–', after: '✗' },
  ]);
  expect(differencesOf(before, before)).toEqual([]);
  expect(differencesOf({ ...before, profile: null }, before).map(({ field }) => field)).toEqual([
    'country',
    'city',
    'roles',
  ]);
});
