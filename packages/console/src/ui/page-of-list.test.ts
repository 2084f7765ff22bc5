import { expect, test } from 'vitest';
import { pageOfList } from './page-of-list.ts';

test.each([
  ['/quarantine?state=open', 'integration/quarantine', { state: 'open' }],
  ['/bonus-intents?state=needs_person', 'rewards/intents', { state: 'needs_person' }],
  ['/conflicts?kind=casino', 'integration/conflicts', { kind: 'casino', list: 'conflicts' }],
  ['/reconciliations/17/drift', 'integration/reconciliations/17', {}],
  ['/messages?state=held', 'messages/sent', { list: 'site', state: 'held' }],
  [
    '/sent-messages?state=failed_or_unknown&ended_from=2026-05-01T08:00:00.000001Z',
    'messages/sent',
    { state: 'failed_or_unknown', ended_from: '2026-05-01T08:00:00.000001Z' },
  ],
  ['/feed?verdict=pending', 'integration/inspector', { verdict: 'pending' }],
  ['/segments', 'segments', {}],
  ['/push', 'settings/push', {}],
  ['/waiting-funds', 'rewards/intents', { kind: 'funds', state: 'credited' }],
  ['/operator-health', 'integration/operator', {}],
  ['/campaigns/welcome', 'campaigns/welcome', {}],
])('%s is shown at %s', (list, to, search) => {
  expect(pageOfList(list)).toEqual({ to, search });
});

test('a list without a page returns undefined', () => {
  expect(pageOfList('/rollups')).toBeUndefined();
});
