import type { Call } from '@croupier/sandbox';
import { expect, test } from 'vitest';
import { type BehindEvidence, judgeBehind, judgeOthersServed, judgeReasons } from './behind.ts';

const acknowledged = 10_000;
const call = (user_id: string, at: number, intent: string) =>
  ({ user_id, at, headers: { 'idempotency-key': intent } }) as unknown as Call;
const order = (user_id: string, intent_id: string, ordered_at: number) => {
  return { user_id, intent_id, ordered_at, bonus_code: 'B', key: intent_id };
};
const evidence = (changes: Partial<BehindEvidence>): BehindEvidence => ({
  calls: [],
  orders: [],
  messages: [],
  lists: [],
  intents: [],
  troubles: [],
  shown: [],
  imported: 0,
  allowance: 1,
  excluded: new Map([['ann', acknowledged]]),
  ...changes,
});

test('a call for a bonus ordered after the exclusion is found, however soon it arrived', () => {
  const late = { orders: [order('ann', 'late', acknowledged + 1)], calls: [call('ann', acknowledged + 5, 'late')] };
  expect(judgeBehind(evidence(late)).kept).toBe(false);
});

test('a call for a bonus ordered before the exclusion may arrive within a second', () => {
  const orders = [order('ann', 'early', acknowledged - 1)];
  const calledAt = (ms: number) => judgeBehind(evidence({ orders, calls: [call('ann', acknowledged + ms, 'early')] }));
  expect(calledAt(900)).toMatchObject({ kept: true, counts: { under_way: 1 } });
  expect(calledAt(1_001).kept).toBe(false);
});

test('a message that was live at any time is found', () => {
  const message = (...states: string[]) => evidence({ messages: [{ message_id: 1, user_id: 'ann', states }] });
  expect(judgeBehind(message('held', 'withheld')).kept).toBe(true);
  expect(judgeBehind(message('live', 'withdrawn')).kept).toBe(false);
  expect(judgeBehind(message('held', 'live')).kept).toBe(false);
});

test('marketing that a page shows after the exclusion is found, whenever it was ordered', () => {
  const asked = (ms: number, ...message_ids: number[]) =>
    judgeBehind(evidence({ lists: [{ user_id: 'ann', asked_at: acknowledged + ms, message_ids }] }));
  expect(asked(-1, 1)).toMatchObject({ kept: true, counts: { shown_before: 1, lists_after: 0 } });
  expect(asked(1)).toMatchObject({ kept: true, counts: { shown_before: 0, lists_after: 1 } });
  expect(asked(1, 1).kept).toBe(false);
});

test('a fault during which no other player was credited is found', () => {
  const troubles = [{ from: 100, to: 200 }];
  expect(judgeOthersServed(evidence({ troubles, calls: [call('bob', 150, 'b')] })).kept).toBe(true);
  expect(judgeOthersServed(evidence({ troubles, calls: [call('bob', 250, 'b'), call('ann', 150, 'a')] })).kept).toBe(
    false,
  );
});

test('an intent that does not end with the exclusion is found', () => {
  const orders = [order('ann', 'late', acknowledged + 1)];
  const ended = (state: string, reason: string | null) =>
    judgeReasons(
      evidence({ orders, intents: [{ intent_id: 'late', user_id: 'ann', bonus_code: 'B', state, reason }] }),
    );
  expect(ended('rejected', 'excluded').kept).toBe(true);
  expect(ended('pending', 'update_pending').kept).toBe(false);
});
