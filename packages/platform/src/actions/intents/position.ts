import type { Micros } from '@croupier/contracts';
import type { IntentState } from '../intent.ts';

/** The proof of an end: who or what showed that it was, or was not, credited. */
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
 * What happens at `due_at`.
 * - call: the gate and the operator are called
 * - answer: a call is open, and its worker has not reported in time
 * - expiry: the offer was not claimed
 * - deadline: the intent has been unknown for too long
 */
export type DueFor = 'call' | 'answer' | 'expiry' | 'deadline';

/** The position of an intent: the part of its row that the machine reads and writes. */
export interface IntentPosition {
  state: IntentState;
  /** A code for why it waits, or why it ended. Null if there is nothing to explain. */
  reason: string | null;
  resolved_by: ResolvedBy | null;
  claimed_at: Micros | null;
  /** Number of calls that have started. */
  attempts: number;
  /** Number of the open call. */
  open_attempt: number | null;
  /** Numbers of the calls that may or may not have credited. */
  doubts: readonly number[];
  /**
   * The number of consecutive calls that did nothing for reasons with the same waits (retry.ts). For an unknown intent, the number of its
   * repeats.
   */
  tries: number;
  /** Since when the intent has waited to be credited without a call that may have credited it. */
  waits_since: Micros | null;
  first_attempt_at: Micros | null;
  last_attempt_at: Micros | null;
}

/** What the machine reads besides the position, and never changes. */
export interface IntentTerms {
  /**
   * For an offer: the end of the time in which it can be claimed; a claim in time stays valid. For other intents: the time
   * after which it is no longer credited.
   */
  expires_at: Micros | null;
}

/** When the row becomes due next, counted from now, because all claims use the database's clock. */
export interface Due {
  for: DueFor;
  in_ms: number;
}
