import type { Catalog, PlayerView, Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { advance, type Campaign, type Context, type Input, newRun, type Run } from '../src/index.ts';
import { reactions } from '../src/state.ts';

const at = Date.parse('2026-06-17T12:00Z') * 1000;
const hour = 3_600_000_000;
const day = 24 * hour;
const player: PlayerView = { value: () => null, changesAfter: () => undefined, facts: () => [] };
const catalog: Catalog = { field: () => undefined, fact: () => undefined };
const always: Rule = { combinator: 'and', rules: [] };

type Parts = Partial<Campaign>;
const campaignOf = (parts: Parts): Campaign => ({
  code: 'any',
  name: 'Any',
  entry: { api: true },
  goal: { event: 'bet', within: 'P7D' },
  steps: [{ id: 'mark', tag: 'x' }],
  ...parts,
});
const contextOf = (parts: Parts, now: number): Context => ({
  campaign: campaignOf(parts),
  at: now,
  zone: 'UTC',
  brandZone: 'UTC',
  player,
  catalog,
  seed: 'any anna',
  enteredAt: at,
  causedAt: at - hour,
});
const event = (kind: string, when: number): Input => ({
  kind: 'event',
  event: { id: '1', kind, at: when, row: { at: when } },
});
const begun = (parts: Parts): Run => advance(newRun(), { kind: 'begin' }, contextOf(parts, at)).run;
const after = (run: Run, input: Input, now: number, parts: Parts = {}): Run =>
  advance(run, input, contextOf(parts, now)).run;

const control: Parts = { steps: [{ id: 'test', split: [{ name: 'nothing', share: 100, control: true }] }] };

test.each([
  ['whose steps are over', {}, null],
  ['of a control arm', control, 'control'],
])('a run %s is done, and reaches its goal in the window', (_name, parts, reason) => {
  const run = begun(parts);
  expect(run).toMatchObject({ state: 'done', reason, goalUntil: at + 7 * day });
  expect(after(run, event('login', at + hour), at + hour, parts)).toEqual(run);
  const reached = after(run, event('bet', at + hour), at + hour, parts);
  expect(reached).toMatchObject({ state: 'goal_reached', reason: null, goalUntil: null });
  expect(reached.variants).toEqual(run.variants);
  expect(after(reached, event('bet', at + hour), at + hour, parts)).toEqual(reached);
});

test.each([
  ['before the cause', at - hour - 1, 'done'],
  ['at the cause', at - hour, 'goal_reached'],
  ['at the end of the window', at + 7 * day, 'goal_reached'],
  ['after the end of the window', at + 7 * day + 1, 'done'],
])('an event %s: the time of the event counts, not its arrival', (_name, when, state) => {
  expect(after(begun({}), event('bet', when), at + 8 * day).state).toBe(state);
});

test('a goal without a time limit counts while the run is open, and for 30 days after the entry once it is done', () => {
  const parts: Parts = { goal: { event: 'bet' } };
  const run = begun(parts);
  expect(run.goalUntil).toBe(at + 30 * day);
  expect(after(run, event('bet', at + 30 * day), at + 30 * day, parts).state).toBe('goal_reached');
  const waits: Parts = { ...parts, steps: [{ id: 'rest', wait: { for: 'P60D' } }] };
  expect(after(begun(waits), event('bet', at + 40 * day), at + 40 * day, waits).state).toBe('goal_reached');
});

test('a run that ends after the window, a run that exits, and a run without a goal do not watch', () => {
  const waits: Parts = { steps: [{ id: 'rest', wait: { for: 'P9D' } }] };
  expect(after(begun(waits), { kind: 'due' }, at + 9 * day, waits)).toMatchObject({ state: 'done', goalUntil: null });
  const exits: Parts[] = [{ steps: [{ id: 'leave', exit: {} }] }, { exit_when: always }];
  for (const parts of exits) {
    const run = begun(parts);
    expect(run).toMatchObject({ state: 'exited', goalUntil: null });
    expect(after(run, event('bet', at), at, parts)).toEqual(run);
  }
  const { goal: _none, ...without } = campaignOf({});
  expect(advance(newRun(), { kind: 'begin' }, { ...contextOf({}, at), campaign: without }).run).toMatchObject({
    state: 'done',
    goalUntil: null,
  });
});

test.each([
  ['a step exit', { steps: [{ id: 'leave', exit: {} }] }],
  ['exit_when', { exit_when: always, steps: [] }],
])('after a split, a run that exits by %s watches like the control arm', (_name, { steps, ...parts }) => {
  const arms = [{ name: 'a', share: 100, steps: [{ id: 'rest', wait: { for: 'P1D' } }, ...steps] }];
  const waits: Parts = { goal: { event: 'bet' }, steps: [{ id: 'test', split: arms }] } as Parts;
  const exits: Parts = { ...waits, ...parts };
  const run = after(begun(waits), { kind: 'due' }, at + day, exits);
  expect(run).toMatchObject({ state: 'exited', goalUntil: at + 30 * day });
  expect(after(run, event('bet', at + 30 * day), at + 30 * day, exits).state).toBe('goal_reached');
  expect(after(run, event('bet', at + 31 * day), at + 31 * day, exits)).toEqual(run);
  expect(after(run, { kind: 'stopped' }, at + 2 * day, exits)).toMatchObject({ state: 'exited', goalUntil: null });
  // An open run of the arm has the same window.
  const long: Parts = {
    ...waits,
    steps: [{ id: 'test', split: [{ name: 'a', share: 100, steps: [{ id: 'rest', wait: { for: 'P60D' } }] }] }],
  } as Parts;
  expect(after(begun(long), event('bet', at + 31 * day), at + 31 * day, long).state).toBe('waiting');
});

test.each([{ kind: 'protected', reason: 'excluded' }, { kind: 'stopped' }] as const)(
  'a run that is done stays done and no longer watches after the input %j',
  (input) => {
    const run = after(begun({}), input, at + hour);
    expect(run).toMatchObject({ state: 'done', goalUntil: null });
    expect(after(run, event('bet', at + hour), at + hour).state).toBe('done');
  },
);

test('no other input changes a run that is done', () => {
  const changing = Object.entries(reactions.done).filter(([, reaction]) => reaction !== 'ignore');
  expect(changing).toEqual([
    ['event', 'goal'],
    ['protected', 'unwatch'],
    ['stopped', 'unwatch'],
  ]);
});
