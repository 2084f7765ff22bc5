import { type Campaign, checkCampaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import type { Brand } from '../../brands/index.ts';
import { ruleCatalog } from '../../segments/fields/index.ts';
import { knownEvents } from './known.ts';

const catalog = ruleCatalog({ settings: {} } as Brand, {
  segmentation: [],
  consents: [],
  blocks: [],
  segments: new Set(),
  tags: new Set(),
});

test.each([
  ['bet', 'status', '=', 'Approved', null],
  ['bet', 'status', '=', 'open', 'the status of the event bet is Approved or Rollback, never open'],
  [
    'bet',
    'status',
    'in',
    ['Approved', 'settled'],
    'the status of the event bet is Approved or Rollback, never settled',
  ],
  ['payment', 'status', '!=', 'rejected', expect.stringContaining('never rejected')],
  ['payment', 'vendor_id', '=', 'anything', null],
  ['ticket', 'status', '=', 'open', null],
])('a condition on an event %s: %s %s %j', (event, field, operator, value, message) => {
  const group = { combinator: 'or' as const, rules: [{ field, operator, value }] };
  const where = { combinator: 'and' as const, rules: [group] };
  const document: Campaign = { code: 'any', name: 'Any', entry: { event, where }, steps: [] };
  const known = { catalog, segments: new Set<string>(), templates: new Map(), events: knownEvents };
  expect(checkCampaign(document, known)).toEqual(
    message === null ? [] : [{ path: '/entry/where/rules/0/rules/0/value', message }],
  );
});
