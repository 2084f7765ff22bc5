import { describe, expect, test } from 'vitest';
import { maxVersions } from '../../versions.ts';
import { addEvent, classify, type PaymentEvent, type PaymentStatus, settle } from './payment.ts';

let made = 0;

/** `Approved@3 20` is an event Approved at second 3 with the amount 20. The default amount is 10. */
function event(text: string): PaymentEvent {
  const match = /^(\w+)@(\d+)(?: (\S+))?$/.exec(text);
  if (match === null) throw new Error(text);
  made += 1;
  return {
    status: match[1] as PaymentStatus,
    timestamp: Number(match[2]) * 1_000_000,
    amount: match[3] ?? '10',
    currency: 'EUR',
    exchange_rate: '1',
    vendor_id: 'v',
    origin: 'o',
    fingerprint: String(made).padStart(32, '0'),
  };
}

function versions(texts: readonly string[]): readonly PaymentEvent[] {
  return texts.map(event).reduce<readonly PaymentEvent[]>(addEvent, []);
}

describe('effective status and the event in force (docs/reference/decisions.md 2.5)', () => {
  test.each<[events: string[], status: PaymentStatus, inForce: string | null, marks: string]>([
    [['Requested@1'], 'Requested', null, ''],
    [['Requested@1', 'Approved@2'], 'Approved', '2', ''],
    [['Approved@2'], 'Approved', '2', ''],
    [['Approved@2', 'Requested@3'], 'Approved', '2', ''],
    [['Requested@1', 'Rejected@2'], 'Rejected', null, ''],
    [['Requested@1', 'Cancelled@2'], 'Cancelled', null, ''],
    [['Rejected@2'], 'Rejected', null, 'orphan'],
    [['Cancelled@2'], 'Cancelled', null, 'orphan'],
    [['Rollback@2'], 'Rollback', null, 'orphan'],
    [['Rejected@2', 'Rollback@3'], 'Rollback', null, 'orphan'],
    [['Requested@1', 'Rollback@2'], 'Rollback', null, ''],
    [['Approved@1', 'Rollback@2'], 'Rollback', null, ''],
    [['Approved@1', 'Rollback@2 999'], 'Rollback', null, ''],
    [['Rollback@1', 'Approved@2'], 'Approved', '2', 'reapproved'],
    [['Approved@1', 'Rollback@2', 'Approved@3 20'], 'Approved', '3', 'reapproved'],
    [['Approved@1', 'Approved@2', 'Approved@3'], 'Approved', '1', ''],
    [['Approved@1', 'Rollback@2', 'Approved@3', 'Approved@4'], 'Approved', '3', 'reapproved'],
    [['Approved@1', 'Approved@2 20'], 'Approved', '1', '1 conflict'],
    [['Approved@1', 'Approved@1 20'], 'Approved', '1', '1 conflict'],
    [['Requested@1', 'Requested@1 11', 'Requested@1 12'], 'Requested', null, '2 conflict'],
    // Events at the same time are sorted: Rejected, Cancelled, Approved, Rollback.
    [['Rejected@5', 'Approved@5'], 'Approved', '5', ''],
    [['Approved@5', 'Cancelled@5'], 'Approved', '5', ''],
    [['Rollback@5', 'Approved@5'], 'Rollback', null, ''],
    [['Approved@1', 'Rejected@2', 'Approved@3'], 'Approved', '3', ''],
  ])('%j is %s', (texts, status, inForce, marks) => {
    const settled = settle(versions(texts));
    expect(settled.status).toBe(status);
    expect(settled.in_force?.timestamp).toBe(inForce === null ? undefined : Number(inForce) * 1_000_000);
    const { orphan, reapproved, conflicts } = settled;
    const found = [orphan && 'orphan', reapproved && 'reapproved', conflicts > 0 && `${conflicts} conflict`];
    expect(found.filter(Boolean).join()).toBe(marks);
  });
});

test('of two versions with one key, the one with the smaller fingerprint is in force, whichever arrives first', () => {
  const [small, large] = [event('Approved@1 10'), event('Approved@1 20')];
  for (const order of [
    [small, large],
    [large, small],
  ]) {
    const settled = settle(order.reduce<readonly PaymentEvent[]>(addEvent, []));
    expect(settled.in_force?.amount).toBe('10');
    expect(settled.conflicts).toBe(1);
  }
});

test('a key whose amount keeps changing stores a limited number of versions, the same ones in any order', () => {
  const events = Array.from({ length: 3 * maxVersions }, (_, i) => event(`Approved@1 ${i % 50}`));
  const orders = [events, events.toReversed(), events.toSorted((a, b) => Number(a.amount) - Number(b.amount))];
  const [kept = [], ...others] = orders.map((order) => order.reduce<readonly PaymentEvent[]>(addEvent, []));
  expect(kept).toEqual(events.slice(0, maxVersions));
  for (const other of others) expect(other).toEqual(kept);
  for (const each of events) expect(addEvent(kept, each)).toBe(kept);
  expect(classify(kept, event('Approved@1 999'))).toBe('conflict');
  expect(addEvent(kept, event('Approved@2 1'))).toHaveLength(maxVersions + 1);
});

test('of versions with one key and the same money, the one with the smallest fingerprint determines the other fields', () => {
  const first = { ...event('Approved@1'), note: 'kept' };
  const second = { ...event('Approved@1'), note: 'dropped' };
  expect(addEvent([second], first)).toEqual([first]);
  expect(addEvent([first], second)).toEqual([first]);
});

test('a rolled-back payment is shown by its former Approved', () => {
  expect(settle(versions(['Approved@1 20', 'Approved@2', 'Rollback@3 5'])).shown.amount).toBe('20');
  expect(settle(versions(['Requested@1 20', 'Rejected@3 5'])).shown.status).toBe('Rejected');
});

test('a refused payment is shown by the first of the consecutive refusals at its end', () => {
  const shown = (...texts: string[]) => {
    const { status, timestamp, amount } = settle(versions(texts)).shown;
    return `${status}@${timestamp / 1_000_000} ${amount}`;
  };
  expect(shown('Requested@1 20', 'Rejected@3 5', 'Rejected@4 6', 'Requested@5')).toBe('Rejected@3 5');
  expect(shown('Requested@1 20', 'Rejected@3 5', 'Cancelled@4 6')).toBe('Cancelled@4 6');
  expect(shown('Approved@1 20', 'Rejected@3 5')).toBe('Rejected@3 5');
});

describe('how a new event compares with its payment', () => {
  test.each<[held: string[], arrives: string, met: string]>([
    [[], 'Approved@1', 'new'],
    [['Approved@1'], 'Approved@1', 'repeat'],
    [['Approved@1'], 'Approved@1 20', 'conflict'],
    [['Approved@1', 'Approved@1 20'], 'Approved@1 20', 'repeat'],
    [['Approved@1'], 'Approved@2', 'repeat'],
    [['Approved@1'], 'Approved@2 20', 'conflict'],
    [['Approved@1', 'Rollback@2'], 'Approved@3', 'new'],
    [['Approved@1'], 'Rollback@2', 'new'],
    [['Approved@1'], 'Requested@0', 'new'],
    [['Rollback@2'], 'Rollback@3', 'new'],
  ])('%j, then %s: %s', (held, arrives, outcome) => {
    expect(classify(versions(held), event(arrives))).toBe(outcome);
  });
});
