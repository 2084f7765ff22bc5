import { expect, test } from 'vitest';
import { dataLines } from './data-lines.ts';

test('an object becomes lines; nested objects have longer paths, and plain lists are one line', () => {
  const value = {
    reason: 'Ticket 4711',
    saved: false,
    limit: null,
    grants: [{ brand: 'demo', role: 'crm' }, { brand: null }],
    fields: ['email', 'phone'],
    none: [],
    gone: undefined,
    content: { en: { title: 'Hi' } },
  };
  expect(dataLines(value)).toEqual([
    { path: ['reason'], values: ['Ticket 4711'] },
    { path: ['saved'], values: [false] },
    { path: ['limit'], values: [null] },
    { path: ['grants', '1', 'brand'], values: ['demo'] },
    { path: ['grants', '1', 'role'], values: ['crm'] },
    { path: ['grants', '2', 'brand'], values: [null] },
    { path: ['fields'], values: ['email', 'phone'] },
    { path: ['none'], values: [] },
    { path: ['content', 'en', 'title'], values: ['Hi'] },
  ]);
  expect(dataLines({})).toEqual([]);
});
