import type { Micros } from '@croupier/contracts';
import type { DerivedEvent } from './event.ts';

/** The kinds of facts whose contradictions are shown to people. */
export const factWords = ['payment', 'round', 'bet', 'purchase', 'ticket', 'bonus', 'cart', 'balance'] as const;
export type FactWord = (typeof factWords)[number];

/**
 * The fact that an event belongs to, with what a person needs to judge a contradiction. Each family with conflicts or orphans finds its own
 * facts (`families/<family>/of-event.ts`) by the same key as `apply`, so both find the same fact.
 *
 * It identifies its events, but does not contain them. A fact stores only those fields of a version that rules need. The complete events,
 * including repeats, are in the ledger.
 */
export interface FactOfEvent {
  readonly fact: FactWord;
  /** The key of the fact, with the field names of the interface: payment_id and type, user_bonus_id, ... */
  readonly key: Readonly<Record<string, string>>;
  /** The status that follows from all its events, as the API's list of these facts shows it. */
  readonly status: string;
  /** True if its counterpart is still missing. */
  readonly orphan: boolean;
  /** Timestamps of the versions that it stores. */
  readonly times: readonly Micros[];
  /** Fingerprints of the events in force, which determine the fact's amounts. */
  readonly inForce: ReadonlySet<string>;
  /** True if an event at one of these times, or the event in question, belongs to this fact. */
  isOf(event: DerivedEvent): boolean;
}
