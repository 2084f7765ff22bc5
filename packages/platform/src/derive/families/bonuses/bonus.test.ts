import { describe, expect, test } from 'vitest';
import { addEvent, type BonusEvent, classify, settle } from './bonus.ts';

let made = 0;

/** `Ongoing@3 5` is an event Ongoing at second 3, with 5 turned real. Without the last number, no amount turned real. */
function event(text: string): BonusEvent {
  const match = /^(\w+)@(\d+)(?: (\S+))?$/.exec(text);
  if (match === null) throw new Error(text);
  made += 1;
  return {
    status: String(match[1]),
    timestamp: Number(match[2]) * 1_000_000,
    amount: '10',
    currency: 'EUR',
    exchange_rate: '1',
    product: 'Casino',
    type: 'Undefined',
    bonus_id: '1',
    origin: 'o',
    fingerprint: String(made).padStart(32, '0'),
    ...(match[3] !== undefined && { bonus_turned_real: match[3] }),
  };
}

function versions(texts: readonly string[]): readonly BonusEvent[] {
  return allOf(texts.map(event));
}

function allOf(events: readonly BonusEvent[]): readonly BonusEvent[] {
  return events.reduce<readonly BonusEvent[]>((held, one) => addEvent(held, one), []);
}

const seconds = (at: number | undefined) => (at === undefined ? undefined : at / 1_000_000);

describe("a bonus's state, and when it was reached and granted (docs/reference/decisions.md 2.9)", () => {
  test.each<[events: string[], status: string, reached: number, granted: number | null]>([
    [['Created@1'], 'Created', 1, 1],
    [['Completed@3', 'Created@1', 'Ongoing@2'], 'Completed', 3, 1],
    [['Forfeited@4'], 'Forfeited', 4, 4],
    // Repeating a status changes neither time.
    [['Created@1', 'Expired@2', 'Expired@5'], 'Expired', 2, 1],
    [['Created@1', 'Ongoing@2', 'Created@3'], 'Created', 3, 1],
    // The order of `bonusStatuses` decides between events with the same time. Statuses that are not in the list come first.
    [['Completed@2', 'Created@2', 'Ongoing@2'], 'Completed', 2, 2],
    [['Pending@2', 'Paused@2'], 'Pending', 2, 2],
    [['Paused@2', 'Awaiting@2'], 'Paused', 2, 2],
    [['Pending@1', 'Paused@2'], 'Paused', 2, 1],
    [['paused@1', 'PAUSED@2'], 'PAUSED', 1, 1],
    [['Created@1', 'Reversed@2'], 'Reversed', 2, null],
    [['Reversed@2'], 'Reversed', 2, null],
    [['Created@1', 'Reversed@2', 'Created@3', 'Lost@4'], 'Lost', 4, 3],
  ])('%j is %s', (texts, status, reached, granted) => {
    const settled = settle(versions(texts));
    expect([settled.state.status, seconds(settled.reached_at)]).toEqual([status, reached]);
    expect(settled.granted ? seconds(settled.granted_at) : null).toBe(granted);
  });
});

test.each<[events: string[], amount: string | undefined, at: number | undefined]>([
  [['Created@1'], undefined, undefined],
  [['Created@1 0', 'Completed@2 7'], '7', 2],
  [['Completed@2 7', 'AutoCompleted@3 7', 'AutoCompleted@4'], '7', 2],
  [['Ongoing@1 3', 'Ongoing@2 5', 'Completed@3 3'], '3', 3],
  [['Completed@2 7', 'Forfeited@3 0'], '0', 3],
  // Amounts that had turned real before the bonus was reversed do not count.
  [['Completed@2 7', 'Reversed@3', 'Created@4'], undefined, undefined],
  [['Completed@2 7', 'Reversed@3 7', 'Completed@4 7'], '7', 4],
])('bonus_turned_real of %j: %s', (texts, amount, at) => {
  const { turned_real, turned_real_at } = settle(versions(texts));
  expect([turned_real?.bonus_turned_real, seconds(turned_real_at)]).toEqual([amount, at]);
});

test('of two versions with one key, the one with the smaller fingerprint is in force; any different amount is a conflict', () => {
  const [first, second, again] = [event('Ongoing@1 5'), event('Ongoing@1 6'), event('Ongoing@1 6')];
  const held = allOf([second, first]);
  expect(settle(held)).toMatchObject({ state: first, conflicts: 1 });
  expect(classify([first], second)).toBe('conflict');
  expect(classify(held, again)).toBe('repeat');
  expect(addEvent(held, again)).toBe(held);
  expect(classify(held, event('Ongoing@2 5'))).toBe('new');
});
