import type { Micros } from '@croupier/contracts';
import type { IntentState } from '../intent.ts';

/** What proved an end: who or what said that it was, or was not, credited. */
export type ResolvedBy =
  | 'answer'
  | 'late_answer'
  /** A bonus event that carries the intent's reference. */
  | 'reference'
  /** A bonus event that fits (docs/reference/decisions.md 5); the only proof that can be withdrawn. */
  | 'match'
  | 'person'
  | 'gate'
  | 'budget'
  | 'protection'
  | 'expiry'
  | 'cancellation'
  | 'retries';

/**
 * What happens when `due_at` comes. call: gate and operator are asked. answer: a call is under way, and its worker has then
 * been silent too long. expiry: nobody claimed the offer. deadline: unknown for too long.
 */
export type DueFor = 'call' | 'answer' | 'expiry' | 'deadline';

/** Where an intent stands: the part of its row that the machine reads and writes. */
export interface IntentPosition {
  state: IntentState;
  /** Why it waits, or why it ended so. A code. Null: nothing to explain. */
  reason: string | null;
  resolved_by: ResolvedBy | null;
  claimed_at: Micros | null;
  /** Calls begun. */
  attempts: number;
  /** Number of the call under way. */
  open_attempt: number | null;
  /** Numbers of the calls of which nobody knows whether they credited. */
  doubts: readonly number[];
  /** Calls in a row that did nothing; of an unknown intent, its repeats. */
  tries: number;
  /** Since when it waits to be credited, without a call that may have done it. */
  waits_since: Micros | null;
  first_attempt_at: Micros | null;
  last_attempt_at: Micros | null;
}

/** What the machine reads beside the position, and never changes. */
export interface IntentTerms {
  /** Of an offer: until when it may be claimed, and then the claim counts. Of any other: when it is not credited any more. */
  expires_at: Micros | null;
}

/** When the row falls due next, counted from now: the database's clock is the one clock of all claims. */
export interface Due {
  for: DueFor;
  in_ms: number;
}
