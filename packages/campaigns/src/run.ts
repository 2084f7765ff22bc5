import type { Micros } from '@croupier/contracts';
import type { Catalogue, PlayerView } from '@croupier/rules';
import type { Campaign, Channel } from './document.ts';
import type { RunEvent } from './events.ts';

/*
 * The words of a run.
 *
 *   active --a wait--> waiting --due, event, rule--> active
 *     |                   '--goal--> goal_reached
 *     |--an effect--> held --verdict--> active
 *     |--no step left--> done
 *     '--protected, stopped, exit_when, exit--> exited
 *
 * Moved to another version a run stays where it is, and goes on as the new version says.
 *
 * A run is active only while it is being moved: between two moves it waits, is held, or has ended.
 */
export const runStates = ['active', 'waiting', 'held', 'done', 'goal_reached', 'exited', 'failed'] as const;
export type RunState = (typeof runStates)[number];

export interface Run {
  state: RunState;
  /** Why it exited, failed or is held. */
  reason: string | null;
  /** Where it stands; null once it ended, and before its first step. */
  step: string | null;
  wait: Waiting | null;
  /** By split. */
  variants: Readonly<Record<string, string>>;
  /** A cause that is taken back ends it only before the first effect. */
  hadEffect: boolean;
}

export interface Waiting {
  until: Micros | null;
  for: WaitReason;
  /** When time alone may make the rule hold that is waited for: it is read then, though nothing happened. */
  look?: Micros | null;
}

/** When time has something for a run: the end of its wait, or a look before. */
export function dueOf({ wait }: Pick<Run, 'wait'>): Micros | null {
  if (wait === null) return null;
  const { until, look = null } = wait;
  return until === null || look === null ? (until ?? look) : Math.min(until, look);
}

export type WaitReason = 'time' | 'event' | 'rule' | HoldReason;
export type HoldReason = 'gate' | 'quiet_hours' | 'cap' | 'rate';

export function newRun(): Run {
  return { state: 'active', reason: null, step: null, wait: null, variants: {}, hadEffect: false };
}

export type Verdict =
  | { outcome: 'allowed' }
  | { outcome: 'withheld'; reason: string }
  /** To be asked again at `until`; null: when somebody says so. */
  | { outcome: 'hold'; reason: string; until: Micros | null; for: HoldReason };

export type Input =
  | { kind: 'begin' }
  | { kind: 'due' }
  | { kind: 'event'; event: RunEvent }
  /** What rules read may have changed. */
  | { kind: 'changed' }
  | { kind: 'verdict'; step: string; verdict: Verdict }
  | { kind: 'protected'; reason: string }
  | { kind: 'cause_withdrawn' }
  | { kind: 'stopped' }
  /** Its campaign goes on after a pause. */
  | { kind: 'resumed' }
  /** The context has the new version; `from` is the document that the run was on, and `version` its number. */
  | { kind: 'moved'; from: Campaign; version: number };

export interface Context {
  campaign: Campaign;
  at: Micros;
  /** Of the player. */
  zone: string;
  brandZone: string;
  player: PlayerView;
  catalogue: Catalogue;
  /** Campaign and player: splits are decided by it. */
  seed: string;
  enteredAt: Micros;
}

export interface StepRecord {
  step: string;
  state: 'done' | 'waiting' | 'held' | 'withheld' | 'control' | 'resumed' | 'moved';
  at: Micros;
  reason: string | null;
  variant?: string;
}

type Purpose = 'marketing' | 'service';
export type Effect = { step: string } & (
  | { kind: 'send' | 'webhook' | 'call_list'; channel: Channel; template: string; purpose: Purpose }
  | { kind: 'credit'; bonus_code: string; wagering?: number }
  | { kind: 'credit_funds'; bonus_code: string; amount: string; currency: string; wagering?: number }
  | { kind: 'offer'; bonus_code: string; expires_at: Micros | null; wagering?: number }
  | { kind: 'tag' | 'untag'; tag: string }
);

export interface Move {
  run: Run;
  /** To be performed in the transaction of the move. */
  effects: Effect[];
  /** The effect that the run is held at until a verdict comes; null: none. */
  asks: Effect | null;
  /** To be appended. */
  story: StepRecord[];
}
