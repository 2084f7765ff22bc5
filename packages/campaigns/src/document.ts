import type { Rule } from '@croupier/rules';
import type { HaltLimits } from './halt.ts';
import type { Schedule } from './schedule.ts';

/*
 * A campaign as the API, the console and files represent it. Steps are a tree. At the end of an arm, the run
 * continues with the step after the branch or split.
 */
export interface Campaign {
  code: string;
  name: string;
  entry: Entry;
  /** Who may enter. Default: all players. */
  audience?: Rule;
  /** Default: once. */
  reentry?: Reentry;
  /** Default: marketing. */
  purpose?: 'marketing' | 'service';
  /** 0 to 100; default: 50. If a frequency cap does not allow the messages of all campaigns, the one with the highest priority sends first. */
  priority?: number;
  /** Products of its messages and bonuses, such as casino or betting. Market policies read them. */
  products?: string[];
  goal?: EventMatcher & { within?: string };
  /** Checked before each step. */
  exit_when?: Rule;
  /** Outside these limits the campaign halts automatically. */
  halt?: HaltLimits;
  steps: Step[];
}

export interface EventMatcher {
  event: string;
  where?: Rule;
}

/**
 * A schedule starts a run for every player of the segment `to`, or for every player. The audience applies as with every entry.
 */
export type Entry =
  | EventMatcher
  | { segment: string; on: 'entered' | 'left' }
  | { schedule: Schedule; to?: string }
  | { api: true };

export type Reentry = { times: number | 'unlimited'; while_running?: boolean } | { after: string };

export const channels = ['site', 'push', 'email', 'sms', 'telephone', 'post_mail', 'webhook', 'operator'] as const;
export type Channel = (typeof channels)[number];

/**
 * `wagering` is the number of times that a bonus has to be wagered. If it is omitted, the operator decides. `products` are the
 * products that the bonus concerns, in addition to those of the campaign.
 */
export type Step = { id: string } & (
  | { send: { channel: Channel; template: string } }
  | { wait: Wait }
  | { branch: ({ when: Rule; steps: Step[] } | { otherwise: Step[] })[] }
  | { split: { name: string; share: number; control?: boolean; steps?: Step[] }[] }
  | { credit: { bonus_code: string; wagering?: number; products?: string[] } }
  | { credit_funds: { bonus_code: string; amount: string; currency: string; wagering?: number; products?: string[] } }
  | { offer: { bonus_code: string; expires_in?: string; wagering?: number; products?: string[] } }
  | { tag: string }
  | { untag: string }
  | { webhook: { template: string } }
  | { call_list: { template: string } }
  | { exit: { reason?: string } }
);

/**
 * `until` is a time of day (the wait ends when it occurs next) or a local date, with or without a time. By default, it is in the
 * player's zone.
 */
export type Wait =
  | { for: string }
  | { until: string; zone?: 'player' | 'brand' }
  | (EventMatcher & { timeout: string })
  | { rule: Rule; timeout: string };

export const stepKinds = [
  'send',
  'wait',
  'branch',
  'split',
  'credit',
  'credit_funds',
  'offer',
  'tag',
  'untag',
  'webhook',
  'call_list',
  'exit',
] as const;
export type StepKind = (typeof stepKinds)[number];

export function kindOf(step: Step): StepKind | undefined {
  return stepKinds.find((kind) => kind in step);
}

/** The lists of steps inside a step. */
export function innerSteps(step: Step): readonly Step[][] {
  if ('branch' in step) return step.branch.map((arm) => ('when' in arm ? arm.steps : arm.otherwise));
  if ('split' in step) return step.split.map(({ steps = [] }) => steps);
  return [];
}

/** All steps, in the order of the document. */
export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...innerSteps(step).flatMap(allSteps)]);
}

/** All rules about the player; with `waits` only those that runs wait for. */
export function rulesOf({ audience, exit_when, steps }: Campaign, of?: 'waits'): Rule[] {
  const waits = allSteps(steps).flatMap((step) => ('wait' in step && 'rule' in step.wait ? [step.wait.rule] : []));
  if (of === 'waits') return waits;
  const branches = allSteps(steps).flatMap((step) =>
    'branch' in step ? step.branch.flatMap((arm) => ('when' in arm ? [arm.when] : [])) : [],
  );
  return [audience, exit_when, ...branches, ...waits].filter((rule) => rule !== undefined);
}

/** Names of the events that may start or move a run. */
export function eventKindsOf({ entry, goal, steps }: Campaign): string[] {
  const waits = allSteps(steps).flatMap((step) => ('wait' in step && 'event' in step.wait ? [step.wait.event] : []));
  return [...new Set([...('event' in entry ? [entry.event] : []), ...(goal ? [goal.event] : []), ...waits])];
}
