import { fileURLToPath } from 'node:url';
import { allSteps, type Entry, rulesOf, type Step, stepKinds } from '@croupier/campaigns';
import type { Rule, RuleNode } from '@croupier/rules';
import { expect, test } from 'vitest';
import { readScenarios, type Scenario, type ScenarioStep } from './index.ts';

/* What the scenarios of this repository cover. A new kind of step, entry or wait needs a scenario. */
const scenarios = (await readScenarios(fileURLToPath(new URL('../../testing/scenarios', import.meta.url)))).map(
  ({ scenario }) => scenario,
);
const campaigns = scenarios.flatMap(({ campaigns: own, steps }) => [
  ...own,
  ...steps.flatMap((step) => ('publish' in step ? [step.publish.campaign] : [])),
]);
const steps = campaigns.flatMap((campaign) => allSteps(campaign.steps));

test('at least 80 scenarios, each with an expectation and a unique name', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(80);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  expect(scenarios.filter((one) => !one.steps.some((step) => 'expect' in step)).map(({ name }) => name)).toEqual([]);
});

test('every kind of step', () => {
  expect(
    missing(
      stepKinds,
      steps.flatMap((step) => Object.keys(step)),
    ),
  ).toEqual([]);
  const shapes = steps.flatMap((step) => [
    ...('branch' in step ? step.branch.map((arm) => ('when' in arm ? 'when' : 'otherwise')) : []),
    ...('split' in step ? step.split.map(({ control }) => (control ? 'control' : 'arm')) : []),
  ]);
  expect(missing(['when', 'otherwise', 'arm', 'control'], shapes)).toEqual([]);
});

test('every kind of wait', () => {
  const waits = steps.flatMap((step) => ('wait' in step ? kindsOfWait(step.wait) : []));
  expect(missing(['for', 'until a time', 'until a date', 'zone', 'event', 'rule'], waits)).toEqual([]);
});

function kindsOfWait(wait: Extract<Step, { wait: unknown }>['wait']): string[] {
  if ('until' in wait)
    return [wait.until.includes('-') ? 'until a date' : 'until a time', ...('zone' in wait ? ['zone'] : [])];
  return ['for', 'event', 'rule'].filter((kind) => kind in wait);
}

test('every kind of entry', () => {
  const kinds = ['event', 'event where', 'api', 'entered', 'left', 'at', 'every', 'to', 'zone player', 'zone brand'];
  expect(
    missing(
      kinds,
      campaigns.flatMap(({ entry }) => kindsOfEntry(entry)),
    ),
  ).toEqual([]);
});

function kindsOfEntry(entry: Entry): string[] {
  if ('event' in entry) return [entry.where === undefined ? 'event' : 'event where'];
  if ('api' in entry) return ['api'];
  if ('segment' in entry) return [entry.on];
  const { schedule, to } = entry;
  const zone = schedule.zone === 'player' ? 'zone player' : 'zone brand';
  return ['every' in schedule ? 'every' : 'at', zone, ...(to === undefined ? [] : ['to'])];
}

test('every operator of time', () => {
  const rules = [
    ...campaigns.flatMap((campaign) => rulesOf(campaign)),
    ...scenarios.flatMap(({ segments = [] }) => segments.map(({ rule }) => rule)),
  ];
  const times = ['before', 'after', 'inLast', 'notInLast', 'inNext', 'anniversaryWithin'];
  expect(missing(times, rules.flatMap(operatorsIn))).toEqual([]);
});

function operatorsIn(rule: Rule): string[] {
  const of = (node: RuleNode): string[] => {
    if ('rules' in node) return node.rules.flatMap(of);
    return 'operator' in node ? [node.operator] : [];
  };
  return rule.rules.flatMap(of);
}

test('the rules of contact, corrections, versions, ramps and the halt', () => {
  const has = {
    'quiet hours across midnight': brandHas((brand) => {
      const { from = '', to = '' } = (brand.quiet_hours ?? {}) as { from?: string; to?: string };
      return from > to;
    }),
    caps: brandHas(({ frequency_caps }) => Array.isArray(frequency_caps) && frequency_caps.length > 0),
    'rollback of the cause': someStep((step) => 'event' in step && step.body?.status === 'Rollback'),
    'a new version': someStep((step) => 'publish' in step && step.publish.move_runs !== true),
    'moved runs': someStep((step) => 'publish' in step && step.publish.move_runs === true),
    ramp: someStep((step) => 'ramp' in step),
    pause: someStep((step) => 'pause' in step),
    resume: someStep((step) => 'resume' in step),
    stop: someStep((step) => 'stop' in step),
    halt: expects('halted'),
    goal: expects('goal_reached'),
    exit_when: campaigns.some(({ exit_when }) => exit_when !== undefined),
    'a leap day': named('leap day'),
    'summer time begins': named('summer time begins'),
    'summer time ends': named('summer time ends'),
  };
  expect(Object.entries(has).flatMap(([name, isThere]) => (isThere ? [] : [name]))).toEqual([]);
});

function missing(all: readonly string[], present: readonly string[]): string[] {
  return all.filter((one) => !present.includes(one));
}
function brandHas(test: (brand: NonNullable<Scenario['brand']>) => boolean): boolean {
  return scenarios.some(({ brand }) => brand !== undefined && test(brand));
}
function someStep(test: (step: ScenarioStep) => boolean): boolean {
  return scenarios.some((scenario) => scenario.steps.some(test));
}
function expects(outcome: 'halted' | 'goal_reached'): boolean {
  return someStep((step) => 'expect' in step && step.expect !== 'nothing' && step.expect.some((one) => outcome in one));
}
function named(words: string): boolean {
  return scenarios.some(({ name }) => name.includes(words));
}
