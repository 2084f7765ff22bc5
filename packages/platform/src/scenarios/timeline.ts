import type { Micros } from '@croupier/contracts';
import type { Outcome } from './scenario.ts';

/** One thing that came of a scenario. */
export interface TimelineEntry {
  at: Micros;
  campaign: string;
  version: number;
  /** Null: it is about the run as a whole. */
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
  /** What the message says. */
  rendered: string | null;
}

/** What a scenario did, in order: what was given, what came of it, and which expectations failed. */
export type TimelineLine =
  | { kind: 'given'; at: Micros; text: string }
  | { kind: 'came'; entry: TimelineEntry }
  | { kind: 'failed'; at: Micros; text: string };
