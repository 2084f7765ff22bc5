import { allSteps, type Campaign, playerZone, rulesOf, type Step, stepKinds } from '@croupier/campaigns';
import { dayOf, fromLocalTime, type Micros, readTimestampText, zoneOffsetMinutes } from '@croupier/contracts';
import { type Rule, type RuleNode, readDuration } from '@croupier/rules';
import type { Scenario } from '../../src/scenarios/index.ts';
import type { Expected } from '../../src/scenarios/scenario.ts';

/*
 * Determines what a scenario proves from its content: its document, its inputs, its zones, and the outcomes and times that it expects. Its
 * name is ignored, and so is a feature without an expected outcome.
 */

const usualStart = '2026-05-04T12:00:00Z';

/** An outcome that the scenario expects, with the time of the inputs before it. */
interface Expectation {
  expected: Expected;
  /** Time of the expectation before it, or of the start. */
  from: Micros;
  /** Time of the expectation. */
  to: Micros;
}

/** The features of one scenario, as the lists of coverage.test.ts name them. */
export function featuresOf(scenario: Scenario): Set<string> {
  const expectations = expectationsOf(scenario);
  return new Set([
    ...stepFeatures(scenario, expectations),
    ...entryFeatures(scenario, expectations),
    ...timeFeatures(scenario, expectations),
    ...quietFeatures(scenario, expectations),
    ...birthdayFeatures(scenario, expectations),
    ...changeFeatures(scenario, expectations),
  ]);
}

export function campaignsOf({ campaigns, steps }: Scenario): Campaign[] {
  return [...campaigns, ...steps.flatMap((step) => ('publish' in step ? [step.publish.campaign] : []))];
}

function expectationsOf(scenario: Scenario): Expectation[] {
  let now = momentOf(scenario.at ?? usualStart);
  let from = now;
  const found: Expectation[] = [];
  for (const step of scenario.steps) {
    if ('after' in step) now += readDuration(step.after) ?? 0;
    else if ('until' in step) now = momentOf(step.until);
    else if ('expect' in step) {
      if (step.expect !== 'nothing') found.push(...step.expect.map((expected) => ({ expected, from, to: now })));
      from = now;
    }
  }
  return found;
}

function momentOf(text: string): Micros {
  const moment = readTimestampText(text);
  if (moment === undefined || moment === null) throw new Error(`${text} is not a time`);
  return moment.micros;
}

type StepKind = (typeof stepKinds)[number];

const outcomesOf: Record<StepKind, readonly (keyof Expected)[]> = {
  send: ['sent'],
  wait: ['waiting', 'went_on'],
  branch: ['branched'],
  split: ['chose', 'control'],
  credit: ['credited'],
  credit_funds: ['credited'],
  offer: ['offered'],
  tag: ['tagged'],
  untag: ['untagged'],
  webhook: ['sent'],
  call_list: ['listed'],
  exit: ['exited'],
};

/** The step that an expectation names, if its outcome is one of the given ones. */
function stepNamed(scenario: Scenario, { expected }: Expectation, outcomes: readonly string[]): Step | undefined {
  const ids = outcomes.map((outcome) => expected[outcome as keyof Expected]);
  return campaignsOf(scenario)
    .flatMap(({ steps }) => allSteps(steps))
    .find(({ id }) => ids.includes(id));
}

/** `step: <kind>`, for steps whose outcome is expected, with the kind of wait and of arm. */
function stepFeatures(scenario: Scenario, expectations: readonly Expectation[]): string[] {
  return expectations.flatMap((one) => {
    const features = stepKinds.flatMap((kind) => {
      const step = stepNamed(scenario, one, outcomesOf[kind]);
      return step !== undefined && kind in step ? [`step: ${kind}`] : [];
    });
    const exits = campaignsOf(scenario).flatMap(({ steps }) => allSteps(steps).filter((step) => 'exit' in step));
    const hasExited = exits.some((step) => 'exit' in step && one.expected.exited === (step.exit.reason ?? 'exit'));
    const wait = stepNamed(scenario, one, ['went_on']);
    const sent = stepNamed(scenario, one, ['sent', 'listed']);
    return [
      ...features,
      ...(hasExited ? ['step: exit'] : []),
      ...(wait !== undefined && 'wait' in wait ? waitFeatures(wait.wait, one.expected) : []),
      ...(sent === undefined ? [] : [`step after an arm: ${armOf(scenario, sent) ?? 'none'}`]),
      ...(sent === undefined || one.expected.channel === undefined ? [] : [`channel: ${one.expected.channel}`]),
      ...(one.expected.control === undefined ? [] : ['arm: control']),
    ];
  });
}

function waitFeatures(wait: Extract<Step, { wait: unknown }>['wait'], { reason }: Expected): string[] {
  if ('for' in wait) return ['wait: for'];
  if ('until' in wait) return [/^\d+:/.test(wait.until) ? 'wait: until a time' : 'wait: until a date'];
  const kind = 'event' in wait ? 'event' : 'rule';
  return [reason === 'timeout' ? `wait: ${kind}, timeout` : `wait: ${kind}`];
}

/** The kind of arm in which a step is. */
function armOf(scenario: Scenario, { id }: Step): string | undefined {
  for (const step of campaignsOf(scenario).flatMap(({ steps }) => allSteps(steps))) {
    if ('branch' in step)
      for (const arm of step.branch) {
        const steps = 'when' in arm ? arm.steps : arm.otherwise;
        if (allSteps(steps).some((one) => one.id === id)) return 'when' in arm ? 'when' : 'otherwise';
      }
    if ('split' in step && step.split.some(({ steps = [] }) => allSteps(steps).some((one) => one.id === id)))
      return 'split';
  }
  return undefined;
}

/** `entry: <kind>`, if a player enters. */
function entryFeatures(scenario: Scenario, expectations: readonly Expectation[]): string[] {
  return expectations.flatMap(({ expected }) => {
    if (expected.entered === undefined) return [];
    return scenario.campaigns
      .filter(({ code }) => expected.entered === true || expected.entered === code)
      .flatMap(({ entry }) => {
        if ('event' in entry) return [entry.where === undefined ? 'entry: event' : 'entry: event where'];
        if ('api' in entry) return ['entry: api'];
        if ('segment' in entry) return [`entry: segment ${entry.on}`];
        const { schedule, to } = entry;
        const kind = 'every' in schedule ? 'entry: schedule, repeated' : 'entry: schedule, once';
        const zone = `entry: schedule, clock of the ${schedule.zone ?? 'brand'}`;
        return [kind, zone, ...(to === undefined ? [] : ['entry: schedule to a segment'])];
      });
  });
}

interface Zones {
  brand: string;
  player: string;
}

function zonesOf({ brand = {}, player = {} }: Scenario): Zones {
  const { time_zone = 'UTC', country_time_zones = {} } = brand as {
    time_zone?: string;
    country_time_zones?: Record<string, string>;
  };
  const { time_zone: zone = null, country = null } = (player.profile ?? {}) as { time_zone?: string; country?: string };
  return { brand: time_zone, player: playerZone({ zone, country }, { time_zone, country_time_zones }) };
}

/** Whether summer time `begins` or `ends` between two times in a zone. */
function summerTime(zone: string, from: Micros, to: Micros): 'begins' | 'ends' | undefined {
  const change = zoneOffsetMinutes(zone, to) - zoneOffsetMinutes(zone, from);
  return change === 0 ? undefined : change > 0 ? 'begins' : 'ends';
}

/** Waits and schedules with an expected time: across a change of clocks, and on a leap day. */
function timeFeatures(scenario: Scenario, expectations: readonly Expectation[]): string[] {
  const zones = zonesOf(scenario);
  return expectations.flatMap((one) => {
    const { expected } = one;
    if (expected.at === undefined) return [];
    const at = momentOf(expected.at);
    const step = stepNamed(scenario, one, ['went_on']);
    if (step !== undefined && 'wait' in step) {
      const { wait } = step;
      if ('for' in wait) return atTime('wait for', zones.brand, { from: one.from, at });
      if (!('until' in wait)) return [];
      const zone = wait.zone === 'brand' ? zones.brand : zones.player;
      const time = /^\d+:/.test(wait.until) ? wait.until : undefined;
      return atTime('wait until', zone, { from: one.from, at, time });
    }
    if (expected.entered === undefined) return [];
    return scenario.campaigns.flatMap(({ entry }) => {
      if (!('schedule' in entry)) return [];
      const { schedule } = entry;
      const zone = schedule.zone === 'player' ? zones.player : zones.brand;
      const features = atTime('schedule', zone, { from: startOf(scenario), at, time: schedule.at.split('T').at(-1) });
      const isYearly = 'every' in schedule && schedule.every === 'P1Y' && schedule.from?.endsWith('-02-29') === true;
      return isYearly ? [...features, `yearly from a leap day: ${dayOf(zone, at).slice(5)}`] : features;
    });
  });
}

function startOf({ at = usualStart }: Scenario): Micros {
  return momentOf(at);
}

function atTime(what: string, zone: string, of: { from: Micros; at: Micros; time?: string | undefined }): string[] {
  const day = dayOf(zone, of.at);
  const change = summerTime(zone, of.from, of.at);
  const { flag } = of.time === undefined ? {} : fromLocalTime(zone, Date.parse(`${day}T${of.time}Z`) * 1_000);
  return [
    ...(change === undefined ? [] : [`${what}: summer time ${change}`]),
    ...(flag === 'skipped_local_time' ? [`${what}: a time that the clocks skip`] : []),
    ...(flag === 'ambiguous_local_time' ? [`${what}: a time that occurs twice`] : []),
    ...(day.endsWith('-02-29') ? [`${what}: leap day`] : []),
  ];
}

/** Messages that quiet hours hold until an expected time. */
function quietFeatures(scenario: Scenario, expectations: readonly Expectation[]): string[] {
  const { player: zone } = zonesOf(scenario);
  const { from = '', to = '' } = (scenario.brand?.quiet_hours ?? {}) as { from?: string; to?: string };
  return expectations.flatMap(({ expected, to: heldAt }) => {
    if (expected.held === undefined || expected.reason !== 'quiet_hours' || expected.until === undefined) return [];
    const until = momentOf(expected.until);
    if (from <= to) return ['quiet hours: within a day'];
    const isNextDay = dayOf(zone, heldAt) !== dayOf(zone, until);
    const change = summerTime(zone, heldAt, until);
    return [
      isNextDay ? 'quiet hours: from before midnight' : 'quiet hours: from after midnight',
      ...(isNextDay && change !== undefined ? [`quiet hours: across midnight, summer time ${change}`] : []),
    ];
  });
}

/** A birthday on February 29: on its day, in years with and without that day. */
function birthdayFeatures(scenario: Scenario, expectations: readonly Expectation[]): string[] {
  const birthday = String(scenario.player?.profile?.birth_date ?? '');
  const isUsed = rulesIn(scenario).some((rule) => operatorsIn(rule).includes('anniversaryWithin'));
  if (!birthday.endsWith('-02-29') || !isUsed) return [];
  const { brand } = zonesOf(scenario);
  return expectations.flatMap(({ expected, to }) =>
    expected.entered === undefined
      ? []
      : [`birthday on a leap day: ${dayOf(brand, expected.at === undefined ? to : momentOf(expected.at)).slice(5)}`],
  );
}

/** Rules of contact, corrections, versions, shares and halts, each with the outcome that shows it. */
function changeFeatures(scenario: Scenario, expectations: readonly Expectation[]): string[] {
  const { steps, brand = {} } = scenario;
  const campaigns = campaignsOf(scenario);
  const expects = (test: (expected: Expected) => boolean) => expectations.some(({ expected }) => test(expected));
  const has = (name: string) => steps.some((step) => name in step);
  const paid = steps.flatMap((step) => ('event' in step && step.event === 'payment' ? [step.body ?? {}] : []));
  const isRolledBack = paid.some(
    ({ payment_id, status }, place) =>
      status === 'Rollback' && paid.slice(0, place).some((other) => other.payment_id === payment_id),
  );
  const caps = (brand.frequency_caps ?? []) as unknown[];
  const shares = steps.flatMap((step) => ('ramp' in step ? [step.ramp.share] : []));
  const found: Record<string, boolean> = {
    'frequency cap: withheld': caps.length > 0 && expects(({ reason }) => reason === 'frequency_cap'),
    'frequency cap: room again':
      caps.length > 0 && expectations.filter(({ expected }) => expected.sent !== undefined).length > 1,
    'rollback of the cause: the run exits': isRolledBack && expects(({ exited }) => exited === 'cause_withdrawn'),
    'rollback of the cause: after the first effect':
      isRolledBack && expectations.filter(({ expected }) => expected.sent !== undefined).length > 1,
    'new version: the run finishes on its own':
      has('publish') && !expects(({ moved }) => moved !== undefined) && expects(({ sent }) => sent !== undefined),
    'new version: the run moves':
      steps.some((step) => 'publish' in step && step.publish.move_runs === true) &&
      expects(({ moved }) => moved !== undefined),
    'ramp: no player at 0 percent':
      shares.includes(0) && steps.some((step) => 'expect' in step && step.expect === 'nothing'),
    'ramp: every player at 100 percent': shares.includes(100) && expects(({ entered }) => entered !== undefined),
    'pause and resume': has('pause') && has('resume') && expects(({ resumed }) => resumed !== undefined),
    stop: has('stop') && expects(({ exited }) => exited === 'stopped'),
    goal: campaigns.some(({ goal }) => goal !== undefined) && expects(({ goal_reached }) => goal_reached !== undefined),
    exit_when:
      campaigns.some(({ exit_when }) => exit_when !== undefined) && expects(({ exited }) => exited === 'exit_when'),
  };
  const bounds = expects(({ halted }) => halted !== undefined)
    ? campaigns.flatMap(({ halt = {} }) => Object.keys(halt).map((bound) => `halt: ${bound}`))
    : [];
  return [...Object.keys(found).filter((name) => found[name]), ...bounds];
}

/** The rules about the player, of campaigns and segments. */
export function rulesIn(scenario: Scenario): Rule[] {
  return [
    ...campaignsOf(scenario).flatMap((campaign) => rulesOf(campaign)),
    ...(scenario.segments ?? []).map(({ rule }) => rule),
  ];
}

/** The operators of a rule, and `within` for counts of a duration. */
export function operatorsIn(rule: Rule): string[] {
  const of = (node: RuleNode): string[] => {
    if ('rules' in node) return node.rules.flatMap(of);
    if ('within' in node && node.within !== undefined) return ['within'];
    return 'operator' in node ? [node.operator] : [];
  };
  return rule.rules.flatMap(of);
}

/** For operators whose results change as time passes: whether scenarios with the same documents expect different results. */
export function decidedBothWays(scenarios: readonly Scenario[], operator: string): boolean {
  const using = scenarios.filter((one) => rulesIn(one).some((rule) => operatorsIn(rule).includes(operator)));
  const documents = Map.groupBy(using, ({ campaigns, segments = [] }) => JSON.stringify([campaigns, segments]));
  const resultOf = ({ steps }: Scenario) => {
    const expected = steps.flatMap((step) => ('expect' in step && step.expect !== 'nothing' ? step.expect : []));
    return JSON.stringify(expected.map(({ at: _at, until: _until, ...outcome }) => outcome));
  };
  return [...documents.values()].some((own) => new Set(own.map(resultOf)).size > 1);
}
