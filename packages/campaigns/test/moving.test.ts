import type { Catalog, PlayerView, Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import {
  advance,
  type Campaign,
  type Context,
  dueOf,
  goneSteps,
  type Input,
  newRun,
  swappedSteps,
} from '../src/index.ts';

const at = Date.parse('2026-06-17T12:00Z') * 1000;
const hour = 3_600_000_000;
const player: PlayerView = { value: () => null, changesAfter: () => undefined, facts: () => [] };
const catalog: Catalog = { field: () => undefined, fact: () => undefined };
const never: Rule = { combinator: 'and', rules: [], not: true };

type Steps = Campaign['steps'];
const campaignOf = (...steps: Steps): Campaign => ({ code: 'any', name: 'Any', entry: { api: true }, steps });
const contextOf = (campaign: Campaign, now = at, effectsHeld?: Context['effectsHeld']): Context => ({
  campaign,
  at: now,
  zone: 'UTC',
  brandZone: 'UTC',
  player,
  catalog,
  seed: 'any anna',
  enteredAt: at,
  causedAt: at,
  effectsHeld,
});
const rest = (time: string): Steps[number] => ({ id: 'rest', wait: { for: time } });
const hello = (template = 'hello'): Steps[number] => ({ id: 'hello', send: { channel: 'site', template } });
const tag: Steps[number] = { id: 'mark', tag: 'x' };
const moved = (from: Campaign): Input => ({ kind: 'moved', from, version: 1 });

test('a run can move if every step exists with the same kind', () => {
  const from = campaignOf({ id: 'fork', branch: [{ when: never, steps: [hello()] }] }, rest('PT1H'));
  expect(
    goneSteps(from, campaignOf(tag, hello('other'), rest('P1D'), { id: 'fork', branch: [{ otherwise: [] }] })),
  ).toEqual([]);
  expect(goneSteps(from, campaignOf({ id: 'hello', tag: 'x' }, rest('PT1H')))).toEqual(['fork', 'hello']);
});

const go = (id: string): Steps[number] => ({ id, tag: 'x' });
const fork = (...arms: Steps[]): Steps[number] => ({
  id: 'fork',
  branch: arms.map((steps) => ({ when: never, steps })),
});
test.each<[name: string, from: Steps, to: Steps, swapped: [string, string] | undefined]>([
  ['the same steps', [go('a'), rest('P1D'), go('b')], [go('a'), rest('P2D'), go('b')], undefined],
  ['new steps between', [go('a'), go('b')], [go('new'), go('a'), rest('P1D'), go('b'), go('last')], undefined],
  [
    'a wait before the steps that it followed',
    [hello(), go('a'), rest('P1D')],
    [rest('P1D'), hello(), go('a')],
    ['a', 'rest'],
  ],
  ['the last steps in another order', [rest('P1D'), go('a'), go('b')], [rest('P1D'), go('b'), go('a')], ['a', 'b']],
  ['a step that moves into a branch', [rest('P1D'), go('a')], [rest('P1D'), fork([go('a')])], undefined],
  ['a step that moves into a later branch', [go('a'), rest('P1D')], [rest('P1D'), fork([go('a')])], ['a', 'rest']],
  ['a step that leaves a branch', [fork([go('a')]), rest('P1D')], [fork([]), go('a'), rest('P1D')], undefined],
  [
    'a step that leaves a branch backwards',
    [fork([rest('P1D')], [go('a')])],
    [go('a'), fork([rest('P1D')])],
    ['rest', 'a'],
  ],
  ['arms in another order', [fork([go('a')], [go('b')])], [fork([go('b')], [go('a')])], ['a', 'b']],
  ['steps that are gone', [go('gone'), go('a'), rest('P1D')], [go('a'), rest('P1D')], undefined],
])('the order of the steps of another version: %s', (_name, from, to, swapped) => {
  const found = swappedSteps(campaignOf(...from), campaignOf(...to));
  expect(found && [found.first, found.second]).toEqual(swapped);
});

test('an unchanged wait continues to its end, and then follows the new version', () => {
  const from = campaignOf(rest('PT1H'));
  const to = campaignOf(rest('PT1H'), tag);
  const { run } = advance(newRun(), { kind: 'begin' }, contextOf(from));
  const move = advance(run, moved(from), contextOf(to, at + hour / 2));
  expect(move).toEqual({
    run,
    effects: [],
    heldEffect: null,
    records: [{ step: 'rest', state: 'moved', at: at + hour / 2, reason: 'from version 1' }],
  });
  const end = advance(move.run, { kind: 'due' }, contextOf(to, at + hour));
  expect(end.effects).toMatchObject([{ kind: 'tag' }]);
});

test('a changed wait starts again; if its new end has passed, the run continues immediately', () => {
  const from = campaignOf(rest('PT1H'));
  const { run } = advance(newRun(), { kind: 'begin' }, contextOf(from));
  const longer = advance(run, moved(from), contextOf(campaignOf(rest('PT2H')), at + hour / 2));
  expect(longer.run.wait).toEqual({ until: at + 2.5 * hour, for: 'time' });
  expect(longer.records.map(({ state }) => state)).toEqual(['moved', 'waiting']);
  const over: Steps[number] = { id: 'rest', wait: { until: '2026-01-01' } };
  expect(advance(run, moved(from), contextOf(campaignOf(over, tag), at)).run.state).toBe('done');
});

test('an effect at which a run is held is requested as the new version defines it', () => {
  const from = campaignOf(hello());
  const to = campaignOf(hello('better'));
  const asked = advance(newRun(), { kind: 'begin' }, contextOf(from));
  const hold: Input = {
    kind: 'verdict',
    step: 'hello',
    verdict: { outcome: 'hold', reason: 'paused', until: null, for: 'gate' },
  };
  const { run } = advance(asked.run, hold, contextOf(from));
  const held = advance(run, moved(from), contextOf(to));
  expect([held.heldEffect, held.run]).toEqual([null, run]);
  const resumed = advance(held.run, { kind: 'resumed' }, contextOf(to));
  expect(resumed.heldEffect).toMatchObject({ template: 'better' });
  expect(resumed.records).toMatchObject([{ step: 'hello', state: 'resumed' }]);
});

test('when a pause ends, an effect that is held for another reason is not requested again', () => {
  const document = campaignOf(hello());
  const asked = advance(newRun(), { kind: 'begin' }, contextOf(document));
  const verdict = { outcome: 'hold', reason: 'quiet_hours', until: at + hour, for: 'quiet_hours' } as const;
  const { run } = advance(asked.run, { kind: 'verdict', step: 'hello', verdict }, contextOf(document));
  expect(advance(run, { kind: 'resumed' }, contextOf(document))).toEqual({
    run,
    effects: [],
    heldEffect: null,
    records: [],
  });
});

test.each(['tag', 'untag'] as const)('a pause holds %s; when it ends, the step runs once', (kind) => {
  const step = { id: 'mark', [kind]: 'x' } as Steps[number];
  const document = campaignOf(step, hello());
  const begun = advance(newRun(), { kind: 'begin' }, contextOf(document, at, 'paused'));
  expect(begun).toMatchObject({
    run: { state: 'held', reason: 'paused', step: 'mark', hadEffect: false },
    effects: [],
    heldEffect: null,
    records: [{ step: 'mark', state: 'held', reason: 'paused' }],
  });
  expect(dueOf(begun.run)).toBe(null);
  const resumed = advance(begun.run, { kind: 'resumed' }, contextOf(document, at + hour));
  expect(resumed).toMatchObject({
    run: { state: 'held', step: 'hello' },
    effects: [{ step: 'mark', kind, tag: 'x' }],
    heldEffect: { step: 'hello' },
  });
  expect(resumed.records.map(({ step: id, state }) => [id, state])).toEqual([
    ['mark', 'resumed'],
    ['mark', 'done'],
  ]);
  expect(advance(resumed.run, { kind: 'resumed' }, contextOf(document, at + hour)).effects).toEqual([]);
});

test('a tag that is held follows the version to which its run moves, and is dropped by a stop, a protection or exit_when', () => {
  const from = campaignOf(tag);
  const { run } = advance(newRun(), { kind: 'begin' }, contextOf(from, at, 'paused'));
  const other = campaignOf({ id: 'mark', tag: 'y' });
  const move = advance(run, moved(from), contextOf(other, at, 'paused'));
  expect([move.run, move.effects]).toEqual([run, []]);
  expect(advance(move.run, { kind: 'resumed' }, contextOf(other)).effects).toMatchObject([{ tag: 'y' }]);
  for (const input of [{ kind: 'stopped' }, { kind: 'protected', reason: 'excluded' }] as const)
    expect(advance(run, input, contextOf(from, at, 'paused'))).toMatchObject({ run: { state: 'exited' }, effects: [] });
  const exits: Campaign = { ...from, exit_when: { combinator: 'and', rules: [] } };
  expect(advance(run, { kind: 'resumed' }, contextOf(exits))).toMatchObject({
    run: { state: 'exited', reason: 'exit_when' },
    effects: [],
  });
});

test('a run of a stopped campaign that has not ended yet sets no tag', () => {
  const { run, effects } = advance(newRun(), { kind: 'begin' }, contextOf(campaignOf(tag), at, 'stopped'));
  expect([run.state, run.reason, effects]).toEqual(['held', 'stopped', []]);
});

test('a wait for a rule is checked when time alone may make the rule true, and then ends', () => {
  const holdsAt = at + 2 * hour;
  const rule: Rule = { combinator: 'and', rules: [{ field: 'trait.days', operator: '=', value: true }] };
  const known: Catalog = {
    field: (name) => ({ name, kind: 'flag', title: name }),
    fact: () => undefined,
  };
  const late: PlayerView = {
    value: (_field, now) => now >= holdsAt,
    changesAfter: (_field, now) => (now < holdsAt ? holdsAt : undefined),
    facts: () => [],
  };
  const document = campaignOf({ id: 'rest', wait: { rule, timeout: 'P1D' } }, tag);
  const context = (now: number): Context => ({ ...contextOf(document, now), player: late, catalog: known });
  const { run } = advance(newRun(), { kind: 'begin' }, context(at));
  expect([run.wait, dueOf(run)]).toEqual([{ until: at + 24 * hour, for: 'rule', look: holdsAt }, holdsAt]);
  const early = advance(run, { kind: 'due' }, context(at + hour));
  expect([early.run.state, early.records]).toEqual(['waiting', []]);
  const end = advance(run, { kind: 'due' }, context(holdsAt));
  expect([end.run.state, end.records]).toMatchObject([
    'done',
    [{ step: 'rest', state: 'done', reason: null }, { step: 'mark' }],
  ]);
});
