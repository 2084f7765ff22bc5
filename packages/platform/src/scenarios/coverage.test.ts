import { fileURLToPath } from 'node:url';
import { stepKinds } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { decidedBothWays, featuresOf } from '../../testing/scenarios/covered.ts';
import { playerChannels } from '../channels/index.ts';
import { readScenarios, type Scenario } from './index.ts';

/*
 * What the scenarios of this repository prove. Features are recognized by the content of scenarios and their expected outcomes.
 * A new kind of step, entry or wait needs a scenario.
 */
const scenarios = (await readScenarios(fileURLToPath(new URL('../../testing/scenarios', import.meta.url)))).map(
  ({ scenario }) => scenario,
);
const features = new Set(scenarios.flatMap((scenario) => [...featuresOf(scenario)]));
const missing = (wanted: readonly string[]) => wanted.filter((one) => !features.has(one));

test('at least 80 scenarios, each with an expectation and a unique name', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(80);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  expect(scenarios.filter((one) => !one.steps.some((step) => 'expect' in step)).map(({ name }) => name)).toEqual([]);
});

test('every kind of step has its outcome', () => {
  expect(missing(stepKinds.map((kind) => `step: ${kind}`))).toEqual([]);
  expect(
    missing([...['when', 'otherwise', 'split'].map((arm) => `step after an arm: ${arm}`), 'arm: control']),
  ).toEqual([]);
});

test('every channel sends', () => {
  expect(missing(playerChannels.names.map((name) => `channel: ${name}`))).toEqual([]);
});

test('every kind of wait ends', () => {
  const kinds = ['for', 'until a time', 'until a date', 'event', 'event, timeout', 'rule', 'rule, timeout'];
  expect(missing(kinds.map((kind) => `wait: ${kind}`))).toEqual([]);
});

test('a player enters by every kind of entry', () => {
  const kinds = [
    'event',
    'event where',
    'api',
    'segment entered',
    'segment left',
    'schedule, once',
    'schedule, repeated',
    'schedule, clock of the brand',
    'schedule, clock of the player',
    'schedule to a segment',
  ];
  expect(missing(kinds.map((kind) => `entry: ${kind}`))).toEqual([]);
});

test.each(['before', 'after', 'inLast', 'notInLast', 'inNext', 'anniversaryWithin', 'within'])(
  'the operator of time %s holds and does not hold',
  (operator) => expect(decidedBothWays(scenarios, operator)).toBe(true),
);

test.each(['wait until', 'wait for', 'schedule'])('summer time begins and ends: %s', (what) => {
  const timed = what === 'wait for' ? [] : ['a time that the clocks skip', 'a time that occurs twice'];
  expect(missing(['summer time begins', 'summer time ends', ...timed].map((one) => `${what}: ${one}`))).toEqual([]);
});

test('leap days are covered', () => {
  expect(missing(['wait until', 'wait for', 'schedule'].map((what) => `${what}: leap day`))).toEqual([]);
  expect(missing(['02-28', '02-29'].map((day) => `yearly from a leap day: ${day}`))).toEqual([]);
  expect(missing(['02-28', '02-29'].map((day) => `birthday on a leap day: ${day}`))).toEqual([]);
});

test('quiet hours are covered', () => {
  const kinds = [
    'within a day',
    'from before midnight',
    'from after midnight',
    'across midnight, summer time begins',
    'across midnight, summer time ends',
  ];
  expect(missing(kinds.map((kind) => `quiet hours: ${kind}`))).toEqual([]);
});

test('caps, corrections, versions, ramps and halts are covered', () => {
  const wanted = [
    'frequency cap: withheld',
    'frequency cap: room again',
    'rollback of the cause: the run exits',
    'rollback of the cause: after the first effect',
    'new version: the run finishes on its own',
    'new version: the run moves',
    'ramp: no player at 0 percent',
    'ramp: every player at 100 percent',
    'halt: entered_per_day',
    'halt: withheld',
    'pause and resume',
    'stop',
    'goal',
    'exit_when',
  ];
  expect(missing(wanted)).toEqual([]);
});

test('features follow from the content, not from the name', () => {
  const quiet: Scenario = {
    name: 'x',
    at: '2026-03-28T22:30:00Z',
    brand: { quiet_hours: { from: '22:00', to: '08:00' } },
    player: { profile: { time_zone: 'Europe/Malta' } },
    campaigns: [],
    steps: [
      { event: 'payment' },
      { expect: [{ held: 'hello', reason: 'quiet_hours', until: '2026-03-29T06:00:00Z' }] },
    ],
  };
  expect(featuresOf(quiet)).toContain('quiet hours: across midnight, summer time begins');
  const inUtc = { ...quiet, name: 'a leap day on which summer time begins and ends', player: {} };
  expect([...featuresOf(inUtc)]).toEqual(['quiet hours: from before midnight']);
});
