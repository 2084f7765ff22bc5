import type { DecimalText, Micros } from '@croupier/contracts';
import type { Activity } from './activity.ts';
import type { RoundIds } from './keys.ts';
import type { MessageRun, RoundMessage } from './message.ts';

/** What is held of a round: nothing else makes it up (docs/reference/decisions.md 2.6 and 2.7). Immutable. */
export interface Round extends RoundIds {
  readonly player_id: number;
  readonly round_key: number;
  /** Sorted by (timestamp, fingerprint). */
  readonly activities: readonly Activity[];
  /** Sorted by time. */
  readonly runs: readonly MessageRun[];
}

/**
 * What follows from it and is stored beside it: the columns of live.round.
 *
 *   shell   not played   nothing but rollbacks and contradictions: shown, and no round of which sessions would know
 *   void    not counted  everything that was played was taken back
 *   open    counted      something is in force, and nothing says that it was all
 *   closed               is_round_end on an activity in force, a Loss in force, or a message
 *
 * Every event may move a round from any of these to any other: they follow from the set.
 */
export interface RoundState {
  first_at: Micros;
  last_at: Micros;
  /** First and last of all that is held. */
  held_from: Micros;
  held_to: Micros;
  /** Of first_at. */
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
  /** One bet at most, at first_at, and one win at most, at last_at, as big as bet_sum and win_sum, all on `day`. */
  usual: boolean;
  /** Null, or held_to of a round that is not usual and holds something more than 4 hours from first_at. */
  far_to: Micros | null;
  /** In the base currency, all parts. */
  bet_sum: DecimalText;
  win_sum: DecimalText;
}

/** A round as it is loaded: with what a change needs of what it was. */
export interface HeldRound {
  round: Round;
  state: Pick<RoundState, 'first_at' | 'last_at' | 'day' | 'played' | 'counted' | 'bet_count' | 'bet_sum' | 'win_sum'>;
}

/** A round as it is saved. */
export interface RoundFact extends HeldRound {
  state: RoundState;
}

/** The message that stands: the earliest of all that the round holds. */
export function standingMessage({ runs }: Pick<Round, 'runs'>): RoundMessage | undefined {
  return runs[0]?.versions[0];
}

export function inOrderOfTime(a: MessageRun, b: MessageRun): number {
  return (a.versions[0]?.timestamp ?? a.until) - (b.versions[0]?.timestamp ?? b.until);
}
