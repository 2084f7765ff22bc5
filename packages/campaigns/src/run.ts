import type { Micros } from '@croupier/contracts';
import type { Catalog, PlayerView } from '@croupier/rules';
import type { Campaign, Channel } from './document.ts';
import type { RunEvent } from './events.ts';

/*
 * The states of a run.
 *
 *   active --a wait--> waiting --due, event, rule--> active
 *     |                   '--goal--> goal_reached
 *     |--an effect--> held --verdict--> active
 *     |--no step left--> done --goal in time--> goal_reached
 *     '--protected, stopped, exit_when, exit--> exited --goal in time, after a split--> goal_reached
 *
 * A run that is moved to another version keeps its step and continues as the new version defines it.
 *
 * A run that is done is no longer open. If its campaign has a goal, it only watches for the goal until the window ends. This also
 * applies to control arms, and to runs that passed a split and then exited by `exit` or `exit_when`, so that arms can be compared.
 *
 * A run is active only while it is being moved: between two moves it waits, is held, or has ended.
 */
export const runStates = ['active', 'waiting', 'held', 'done', 'goal_reached', 'exited', 'failed'] as const;
export type RunState = (typeof runStates)[number];

export interface Run {
  state: RunState;
  /** Why it exited, failed or is held. */
  reason: string | null;
  /** The current step; null before its first step and after its end. */
  step: string | null;
  wait: Waiting | null;
  /** Variants by split. */
  variants: Readonly<Record<string, string>>;
  /** If the cause of the run is withdrawn, the run ends only if it has had no effect yet. */
  hadEffect: boolean;
  /** For a run that is over: the end of the window in which its goal still counts. Null if the run does not watch for a goal. */
  goalUntil: Micros | null;
}

export interface Waiting {
  until: Micros | null;
  for: WaitReason;
  /** When time alone may make the awaited rule true. At this time, the rule is evaluated even without an event. */
  look?: Micros | null;
}

/** When time next moves a run: the end of its wait, or a check before that. */
export function dueOf({ wait }: Pick<Run, 'wait'>): Micros | null {
  if (wait === null) return null;
  const { until, look = null } = wait;
  return until === null || look === null ? (until ?? look) : Math.min(until, look);
}

export type WaitReason = 'time' | 'event' | 'rule' | HoldReason;
export type HoldReason = 'gate' | 'quiet_hours' | 'cap' | 'rate';

export function newRun(): Run {
  return { state: 'active', reason: null, step: null, wait: null, variants: {}, hadEffect: false, goalUntil: null };
}

export type Verdict =
  | { outcome: 'allowed' }
  | { outcome: 'withheld'; reason: string }
  /** The decision is requested again at `until`; if it is null, when the reason for the hold has changed. */
  | { outcome: 'hold'; reason: string; until: Micros | null; for: HoldReason };

export type Input =
  | { kind: 'begin' }
  /** Changes nothing before the time of `dueOf`. */
  | { kind: 'due' }
  | { kind: 'event'; event: RunEvent }
  /** Values that rules read may have changed. */
  | { kind: 'changed' }
  | { kind: 'verdict'; step: string; verdict: Verdict }
  | { kind: 'protected'; reason: string }
  | { kind: 'cause_withdrawn' }
  | { kind: 'stopped' }
  /** The campaign continues after a pause. */
  | { kind: 'resumed' }
  /** The context contains the new version. `from` is the previous document of the run, and `version` is the number of the new one. */
  | { kind: 'moved'; from: Campaign; version: number };

export interface Context {
  campaign: Campaign;
  at: Micros;
  /** The time zone of the player. */
  zone: string;
  brandZone: string;
  player: PlayerView;
  catalog: Catalog;
  /** Campaign and player, from which splits are computed. */
  seed: string;
  enteredAt: Micros;
  /**
   * When the cause of the run happened; at most `enteredAt`. The run enters when the cause is processed, which may be minutes later if
   * events wait. Events before the cause end no wait and reach no goal, for example if an import brings them while the run waits.
   */
  causedAt: Micros;
  /**
   * Why no step may have an effect at present. Absent: effects are allowed. For a tag, only this is checked, because a tag contacts
   * no player. For all other effects, the gate and the rules of contact decide, too.
   */
  effectsHeld?: 'paused' | 'stopped' | undefined;
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
  | { kind: 'credit'; bonus_code: string; wagering?: number; products?: string[] }
  | {
      kind: 'credit_funds';
      bonus_code: string;
      amount: string;
      currency: string;
      wagering?: number;
      products?: string[];
    }
  | { kind: 'offer'; bonus_code: string; expires_at: Micros | null; wagering?: number; products?: string[] }
  | { kind: 'tag' | 'untag'; tag: string }
);

export interface Move {
  run: Run;
  /** The caller performs these effects in the transaction of the move. */
  effects: Effect[];
  /** The effect at which the run is held until a verdict arrives; null if there is none. */
  heldEffect: Effect | null;
  /** The caller appends these records to the history of the run. */
  records: StepRecord[];
}
