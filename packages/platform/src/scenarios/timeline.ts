import type { Micros } from '@croupier/contracts';
import type { TraceRow } from '@croupier/rules';
import type { Outcome } from './scenario.ts';

/** One result of a scenario. */
export interface TimelineEntry {
  at: Micros;
  campaign: string;
  version: number;
  /** Null if the result concerns the whole run. */
  step: string | null;
  /** The kind of step, or `run`. */
  what: string;
  outcome: Outcome;
  reason: string | null;
  variant: string | null;
  channel: string | null;
  template: string | null;
  bonus_code: string | null;
  /** Until when the run waits or is held. */
  until: Micros | null;
  /** The content of the message. */
  rendered: string | null;
  /** Only for a transition of a segment: the rule of the segment in words. */
  sentence?: string;
  /** Only for a transition of a segment: each condition with the player's value. */
  trace?: readonly TraceRow[];
}

/** What a scenario did, in order: its inputs, their results, and the failed expectations. */
export type TimelineLine =
  | { kind: 'given'; at: Micros; text: string }
  | { kind: 'came'; entry: TimelineEntry }
  | { kind: 'failed'; at: Micros; text: string };
