import type { Micros } from '@croupier/contracts';
import type { DerivedEvent } from './event.ts';

/** What a fact is called where a contradiction is shown. */
export const factWords = ['payment', 'round', 'bet', 'purchase', 'ticket', 'bonus', 'cart', 'balance'] as const;
export type FactWord = (typeof factWords)[number];

/**
 * The fact that an event belongs to, as far as a person needs it to judge a contradiction. Each family with conflicts or
 * orphans finds its own (`families/<family>/of-event.ts`) by the key under which `apply` finds it, so both mean the same fact.
 *
 * It names the events rather than holding them: facts keep of a version only what rules need, while the ledger has the
 * whole event, and its repeats.
 */
export interface FactOfEvent {
  readonly fact: FactWord;
  /** What names it, by the interface's words: payment_id and type, user_bonus_id, ... */
  readonly key: Readonly<Record<string, string>>;
  /** What all its events say together by now, in the words of its list. */
  readonly status: string;
  /** Still without its counterpart. */
  readonly orphan: boolean;
  /** Timestamps of the versions that it holds. */
  readonly times: readonly Micros[];
  /** Fingerprints of the events that count: their amounts are the fact's. */
  readonly inForce: ReadonlySet<string>;
  /** Whether an event at one of these times, or the one asked about, is of this fact. */
  isOf(event: DerivedEvent): boolean;
}
