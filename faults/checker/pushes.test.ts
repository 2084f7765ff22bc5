import { describe, expect, test } from 'vitest';
import { judgeForm, judgeGone, judgePushCalls, judgePushEnds, type KeptDelivery, type PushEvidence } from './pushes.ts';

const device = { name: 'ann-0', user_id: 'ann', subscription_id: 7 };
const push = { key: 'paid ping a-1', device: 'ann-0', at: 1_000, answer: 'accepted' } as const;
const refused = { ...push, at: 500, answer: 'refused' } as const;
const unanswered = { ...push, at: 500, answer: 'none' } as const;
const isGone = { ...push, answer: 'gone' } as const;
const sent: KeptDelivery = {
  key: push.key,
  subscription_id: 7,
  state: 'sent',
  reason: null,
  attempts: 1,
  ended_at: 1_010,
};
const twice = { ...sent, attempts: 2 };
const gone = { ...sent, state: 'failed', reason: 'gone' };
const sound: PushEvidence = {
  devices: [device],
  pushed: [push],
  deliveries: [sent],
  announced: new Map([[push.key, { user_id: 'ann', isLive: true }]]),
  allowance: 1,
};
const withEnd = (state: string, reason: string | null, ...pushed: PushEvidence['pushed']) => ({
  ...sound,
  pushed,
  deliveries: [{ ...sent, state, reason }],
});

describe('violations that are found', () => {
  test.each([
    ['nothing if the push was accepted', judgePushCalls, sound, []],
    [
      'nothing if a push is repeated after a refusal',
      judgePushCalls,
      { ...sound, pushed: [refused, push], deliveries: [twice] },
      [],
    ],
    [
      'a push that is repeated although it may have arrived',
      judgePushCalls,
      { ...sound, pushed: [unanswered, push], deliveries: [twice] },
      ['pushed again after the answer: none'],
    ],
    [
      'a second push',
      judgePushCalls,
      { ...sound, pushed: [push, push], deliveries: [twice] },
      ['pushed again after the answer: accepted'],
    ],
    [
      'a call that is not recorded',
      judgePushCalls,
      { ...sound, pushed: [refused, push] },
      ['pushed 2 times, of which 1 are recorded'],
    ],
    ['a push without a delivery', judgePushCalls, { ...sound, deliveries: [] }, ['no delivery is stored']],
    [
      "a push to another player's device",
      judgePushCalls,
      { ...sound, devices: [{ ...device, user_id: 'ben' }] },
      ["another player's device"],
    ],
    ['nothing if every state agrees', judgePushEnds, sound, []],
    ['a live message without a delivery', judgePushEnds, { ...sound, deliveries: [] }, ['live without a delivery']],
    [
      'nothing for a message that was withheld',
      judgePushEnds,
      { ...sound, deliveries: [], announced: new Map([[push.key, { user_id: 'ann', isLive: false }]]) },
      [],
    ],
    [
      'a sent push without a call',
      judgePushEnds,
      { ...sound, pushed: [] },
      ['is sent (no reason), after the answer: no call'],
    ],
    ['a sent push without an answer', judgePushEnds, { ...sound, pushed: [unanswered] }, ['after the answer: none']],
    [
      'a refused push that counts as sent',
      judgePushEnds,
      { ...sound, pushed: [refused] },
      ['after the answer: refused'],
    ],
    ['an end without a reason', judgePushEnds, withEnd('unknown', null, unanswered), ['is unknown (no reason)']],
    ['nothing for an unknown outcome', judgePushEnds, withEnd('unknown', 'timeout', unanswered), []],
    ['nothing for a push that waits with a reason', judgePushEnds, withEnd('waiting', 'server_error', refused), []],
    ['a push that waits without a reason', judgePushEnds, withEnd('waiting', null), ['is waiting (no reason)']],
    ['a push that never ends', judgePushEnds, withEnd('sending', 'x', unanswered), ['is sending']],
    ['nothing for a player without a device', judgePushEnds, withEnd('dropped', 'no_device'), []],
    [
      'a dropped push that arrived',
      judgePushEnds,
      withEnd('dropped', 'excluded', push),
      ['after the answer: accepted'],
    ],
    [
      'a failed push that may have arrived',
      judgePushEnds,
      withEnd('failed', 'invalid', unanswered),
      ['is failed (invalid)'],
    ],
    ['nothing if the device is gone', judgeGone, { ...sound, pushed: [isGone], deliveries: [gone] }, []],
    [
      'nothing for a call that was under way',
      judgeGone,
      { ...sound, pushed: [isGone, { ...push, key: 'paid ping a-2', at: 2_000 }], deliveries: [gone] },
      [],
    ],
    [
      'a later push to a device that is gone',
      judgeGone,
      { ...sound, pushed: [isGone, { ...push, key: 'paid ping a-2', at: 2_100 }], deliveries: [gone] },
      ['paid ping a-2 was pushed to ann-0, 1090 ms after it was gone'],
    ],
    ['an answer that was ignored', judgeGone, { ...sound, pushed: [isGone] }, ['the device is gone, and is sent']],
    [
      'nothing if the worker died before it read the answer',
      judgeGone,
      { ...sound, pushed: [isGone], deliveries: [{ ...sent, state: 'unknown', reason: 'lost' }] },
      [],
    ],
  ] as const)('%s', (_, judge, evidence, told) => {
    const { broken } = judge(evidence);
    expect(broken).toHaveLength(told.length);
    for (const [n, part] of told.entries()) expect(broken[n]).toContain(part);
  });
});

test('a push that cannot be decrypted is found', () => {
  expect(judgeForm(['no TTL', 'no TTL']).broken).toEqual(['no TTL']);
  expect(judgeForm([]).kept).toBe(true);
});
