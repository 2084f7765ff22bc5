import { describe, expect, test } from 'vitest';
import { detailLines, detailText } from './detail-lines.ts';

describe('the lines of a record', () => {
  test('are its fields, with those of the records in it', () => {
    expect(detailLines({ channel: 'site', funds: { amount: '5', currency: 'EUR' }, none: {} })).toEqual([
      { path: ['channel'], value: 'site' },
      { path: ['funds', 'amount'], value: '5' },
      { path: ['funds', 'currency'], value: 'EUR' },
      { path: ['none'], value: {} },
    ]);
  });

  test('of a change are the fields that differ, before and after', () => {
    const before = { name: 'Old', settings: { zone: 'UTC', caps: [1] }, gone: 1 };
    const after = { name: 'New', settings: { zone: 'UTC', caps: [2] }, came: true };
    expect(detailLines({ before, after, by: 'ann' })).toEqual([
      { path: ['name'], before: 'Old', value: 'New' },
      { path: ['settings', 'caps'], before: [1], value: [2] },
      { path: ['gone'], before: 1, value: null },
      { path: ['came'], before: null, value: true },
      { path: ['by'], value: 'ann' },
    ]);
  });

  test('of something that is only named before are no change', () => {
    expect(detailLines({ before: 'x' })).toEqual([{ path: ['before'], value: 'x' }]);
  });
});

test.each([
  [null, '–'],
  ['', '–'],
  [[], '–'],
  [true, 'yes'],
  [false, 'no'],
  [5, '5'],
  ['site', 'Site'],
  [['site', 'x'], 'Site, x'],
  [[{ brand: 'malta', role: 'crm' }], 'brand malta role crm'],
])('%j is shown as %s', (value, text) => {
  const say = { yes: 'yes', no: 'no', none: '–', code: (code: string) => (code === 'site' ? 'Site' : code) };
  expect(detailText(value, say)).toBe(text);
});
