import { expect, test } from 'vitest';
import { namedIn } from './named-in.ts';

test('the segments and templates of a document are found in its entry and in the steps of its arms', () => {
  const document = {
    name: 'Welcome',
    entry: { segment: 'newcomers', on: 'entered' },
    steps: [
      { id: 'hello', send: { channel: 'email', template: 'welcome' } },
      { id: 'pause', wait: { for: 'P1D' } },
      {
        id: 'fork',
        branch: [{ name: 'vip', steps: [{ id: 'call', call_list: { template: 'vip_call' } }] }, { name: 'rest' }],
      },
      { id: 'new', send: { channel: 'sms', template: '' } },
    ],
  };
  expect(namedIn(document)).toEqual([{ segment: 'newcomers' }, { template: 'welcome' }, { template: 'vip_call' }]);
  expect(namedIn(undefined)).toEqual([]);
});
