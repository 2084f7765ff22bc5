import { expect, test } from 'vitest';
import type { Written } from '../load/messages.ts';
import type { Connection, OpenPage, Told } from '../load/open-pages.ts';
import { judgeKnown, judgeReached, judgeRecalled, judgeTold, type MessageEvidence } from './messages.ts';

/*
 * Breaks each check of messages on purpose. In the correct evidence, Anna's first connection listed message 1, received message 2
 * and ended at 10 s. Message 3 was written while she was not connected. Message 4 was recalled after it had arrived on the second
 * connection. Message 9 came last. Ben has read message 5 in another tab.
 */
const at = (seconds: number) => seconds * 1_000;
const inbox = (message_id: number): Told => ({ event: 'inbox', message_id, at: 0 });
const withdrawn = (message_id: number): Told => ({ event: 'withdrawn', message_id, at: 0 });

function message(message_id: number, user_id: string, ordered: number, more: Partial<Written> = {}): Written {
  const times = { ordered_at: at(ordered), acknowledged_at: at(ordered) + 100 };
  return { ...times, message_id, user_id, title: `No. ${message_id}`, state: 'live', recalled: false, ...more };
}

const first: Connection = { upAt: at(0), downAt: at(10), listed: new Set([1]), told: [inbox(2)] };
/** Message 2 arrived once more, on another connection. This is allowed. */
const second: Connection = {
  upAt: at(12),
  listed: new Set([1, 2, 3]),
  told: [inbox(2), inbox(4), withdrawn(4), inbox(9)],
};
const learned = [1, 2, 3, 4].map((id): [number, number] => [id, at(12)]);

function anna(connections = [first, second], more: [number, number][] = [...learned, [9, at(21)]]): OpenPage {
  return { user_id: 'anna', connections, learned: new Map(more) };
}
const ben: OpenPage = {
  user_id: 'ben',
  connections: [{ upAt: at(0), listed: new Set(), told: [] }],
  learned: new Map(),
};

function evidence(changes: Partial<MessageEvidence> = {}): MessageEvidence {
  return {
    written: [
      message(1, 'anna', -1),
      message(2, 'anna', 1),
      message(3, 'anna', 11),
      message(5, 'ben', -1),
      message(4, 'anna', 13, { recalled: true }),
      message(6, 'ben', 2, { state: 'withheld' }),
    ],
    last: [message(9, 'anna', 20)],
    read: new Set([5]),
    gone: new Set([4]),
    pages: [anna(), ben],
    inboxes: new Map([
      ['anna', new Set([1, 2, 3, 9])],
      ['ben', new Set([5])],
    ]),
    allowance: 1,
    ...changes,
  };
}

const judges = [judgeKnown, judgeTold, judgeRecalled, judgeReached];

test('correct evidence passes, and is counted', () => {
  const outcomes = judges.map((judge) => judge(evidence()));
  expect(outcomes.flatMap(({ broken }) => broken)).toEqual([]);
  expect(Object.assign({}, ...outcomes.map(({ counts }) => counts))).toMatchObject({
    messages: 7,
    owed: 5,
    withheld: 1,
    connections: 3,
    reconnects: 1,
    arrived: 4,
    again: 1,
    due: 2,
    recalled: 1,
    reached: 1,
    slowest_reach_ms: 1_000,
  });
});

const inboxes = (ofAnna: number[]) =>
  new Map([
    ['anna', new Set(ofAnna)],
    ['ben', new Set([5])],
  ]);
const told = (events: Told[]) => ({ pages: [anna([first, { ...second, told: events }]), ben] });

test.each<[string, (typeof judges)[number], Partial<MessageEvidence>, RegExp]>([
  ['a lost message', judgeKnown, { pages: [anna(undefined, [...learned.slice(1), [9, 1]]), ben] }, /1 .* unknown/],
  ['a message that is only in an inbox', judgeKnown, { read: new Set() }, /5 .* unknown/],
  [
    'a message of another player',
    judgeKnown,
    { pages: [anna(), { ...ben, learned: new Map([[1, 1]]) }] },
    /page of ben/,
  ],
  [
    'an order that created two messages',
    judgeKnown,
    { pages: [anna(undefined, [...learned, [9, 1], [7, 1]]), ben] },
    /7 .* never/,
  ],
  [
    'a message that arrived twice on a connection',
    judgeTold,
    told([...second.told, inbox(2)]),
    /2 arrived twice on connection 2/,
  ],
  [
    'a message that did not arrive while the connection was up',
    judgeTold,
    told(second.told.slice(0, -1)),
    /9 .* did not arrive on connection 2/,
  ],
  [
    'a message that only the list contained',
    judgeTold,
    { pages: [anna([{ ...first, told: [] }, second]), ben] },
    /2 .* connection 1/,
  ],
  [
    'a message that arrived after its recall',
    judgeTold,
    told([withdrawn(4), inbox(4), inbox(9)]),
    /4 arrived after its recall/,
  ],
  ['a recalled message that is listed', judgeRecalled, { inboxes: inboxes([1, 2, 3, 4, 9]) }, /4 .* is listed/],
  ['a recalled message that is still shown', judgeRecalled, told([inbox(4), inbox(9)]), /4 .* is still on/],
  ['a message that became unknown without a recall', judgeRecalled, { gone: new Set([3]) }, /3 .* was unknown/],
  ['a message that is not listed, without a recall', judgeRecalled, { inboxes: inboxes([1, 2, 9]) }, /3 .* not listed/],
  [
    'a last message that arrived late',
    judgeReached,
    { pages: [anna(undefined, [...learned, [9, at(61)]]), ben] },
    /took 41000 ms/,
  ],
  ['a last message that never arrived', judgeReached, { pages: [anna(undefined, learned), ben] }, /took Infinity/],
])('%s: found', (_, judge, changes, found) => {
  const { kept, broken } = judge(evidence(changes));
  expect(broken).toEqual([expect.stringMatching(found)]);
  expect(kept).toBe(false);
});

test('a page without a socket shows the messages that it polled', () => {
  const away = { ...second, downAt: at(30), told: [inbox(4), inbox(9)] };
  expect(judgeRecalled(evidence({ pages: [anna([first, away]), ben] })).kept).toBe(false);
  const polled = new Set([1, 2, 3, 9]);
  expect(judgeRecalled(evidence({ pages: [{ ...anna([first, away]), polled }, ben] })).kept).toBe(true);
});

test('a message that was acknowledged shortly before its socket was closed is not required on it', () => {
  const late = message(8, 'anna', 9);
  const pages = [anna(undefined, [...learned, [8, at(12)], [9, at(21)]]), ben];
  expect(judgeTold(evidence({ written: [late], pages })).kept).toBe(true);
});
