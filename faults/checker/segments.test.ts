import { describe, expect, test } from 'vitest';
import { judgeCauses, judgeTransitions, type SegmentEvidence, type ToldTransition } from './segments.ts';

const entered: ToldTransition = {
  user_id: 'ann',
  player_id: 1,
  code: 'vip',
  version: 1,
  transition: 'entered',
  at: 20,
  cause: { type: 'event', id: '1:1:0', kind: 'login', at: 10 },
  silent: false,
  kinds: ['login'],
  is_member: true,
};
const events = new Map([['1:1:0', { user_id: 'ann', kind: 'login', received_at: 15 }]]);
const left: ToldTransition = { ...entered, transition: 'left', at: 30, cause: { type: 'time', at: 29 } };
const of = (...transitions: ToldTransition[]): SegmentEvidence => ({ transitions, events });

test('correct evidence passes', () => {
  const evidence = of(entered, left, { ...entered, at: 40 });
  expect(judgeTransitions(evidence)).toMatchObject({ kept: true, counts: { transitions: 3, entered_or_left: 1 } });
  expect(judgeCauses(evidence)).toMatchObject({ kept: true, counts: { cause_event: 2, cause_time: 1 } });
});

describe('violations that are found', () => {
  test.each([
    ['entered twice', [entered, { ...entered, at: 25 }], 'entered twice'],
    ['a member who left last', [entered, left], 'left last, but is a member'],
    [
      'a player who entered last and is not a member',
      [{ ...entered, is_member: false }],
      'entered last, but is no member',
    ],
    ['times that go back', [entered, { ...left, at: 5 }, { ...entered, at: 6 }], 'is before'],
  ] as const)('%s', (_, transitions, told) => {
    expect(judgeTransitions(of(...transitions)).broken.join()).toContain(told);
  });

  test.each([
    ['an event that is not in the ledger', { id: '9:9:9' }, 'no such event'],
    ['an event of another kind', { kind: 'payment' }, 'of kind login'],
    ['a cause that is later', { at: 21 }, 'the cause is later'],
  ] as const)('%s', (_, cause, told) => {
    const one = { ...entered, cause: { ...entered.cause, ...cause } } as ToldTransition;
    expect(judgeCauses(of(one)).broken.join()).toContain(told);
  });

  test('an event of another player, an event received later, and an event that the rule does not read', () => {
    expect(judgeCauses(of({ ...entered, user_id: 'bob' })).broken.join()).toContain('the event belongs to ann');
    expect(judgeCauses(of({ ...entered, at: 12 })).broken.join()).toContain('received at 15');
    const other = { ...entered, kinds: ['casino'] };
    expect(judgeCauses(of(other, { ...other, transition: 'left', at: 22 })).broken.join()).toContain(
      'the rule reads only casino',
    );
  });
});
