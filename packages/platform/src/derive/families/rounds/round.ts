import type { DecimalText, Micros } from '@croupier/contracts';
import type { Activity } from './activity.ts';
import type { RoundIds } from './keys.ts';
import type { MessageRun, RoundMessage } from './message.ts';

/**
 * All that is stored of a round. Everything else is computed from it (docs/reference/decisions.md 2.6 and 2.7).
 * Immutable.
 */
export interface Round extends RoundIds {
  readonly player_id: number;
  readonly round_key: number;
  /** Sorted by (timestamp, fingerprint). */
  readonly activities: readonly Activity[];
  /** Sorted by time. */
  readonly runs: readonly MessageRun[];
}

/**
 * What is computed from a round and stored with it: the columns of live.round.
 *
 *   unplayed  not played   only rollbacks and contradictions: shown, but ignored by sessions
 *   void      not counted  everything that was played was rolled back
 *   open      counted      something is in force, and nothing marks the end
 *   closed                 is_round_end on an activity in force, a Loss in force, or a message
 *
 * Every event may move a round from any of these states to any other, because the state follows from the set of events.
 */
export interface RoundState {
  first_at: Micros;
  last_at: Micros;
  /** The first and last time of everything stored. */
  held_from: Micros;
  held_to: Micros;
  /** The brand's day of first_at. */
  day: string;
  bet_count: number;
  win_count: number;
  conflicts: number;
  orphans: number;
  from_casino: boolean;
  from_gameround: boolean;
  played: boolean;
  counted: boolean;
  closed: boolean;
  unpriced: boolean;
  /**
   * True if the round has at most one bet, at first_at, and at most one win, at last_at, with the sizes bet_sum and
   * win_sum, all on `day`.
   */
  usual: boolean;
  /** Equal to held_to if the round is not usual and contains an event more than 4 hours from first_at; otherwise null. */
  far_to: Micros | null;
  /** In the base currency, all parts. */
  bet_sum: DecimalText;
  win_sum: DecimalText;
}

/** A round as loaded, with those parts of its former state that a change needs. */
export interface HeldRound {
  round: Round;
  state: Pick<RoundState, 'first_at' | 'last_at' | 'day' | 'played' | 'counted' | 'bet_count' | 'bet_sum' | 'win_sum'>;
}

/** A round as saved. */
export interface RoundFact extends HeldRound {
  state: RoundState;
}

/** The message in force: the earliest of all messages of the round. */
export function messageInForce({ runs }: Pick<Round, 'runs'>): RoundMessage | undefined {
  return runs[0]?.versions[0];
}

export function inOrderOfTime(a: MessageRun, b: MessageRun): number {
  return (a.versions[0]?.timestamp ?? a.until) - (b.versions[0]?.timestamp ?? b.until);
}
