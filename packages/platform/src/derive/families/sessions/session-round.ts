import type { DecimalText, Micros } from '@croupier/contracts';
import type { BrandSettings } from '../../../brands/index.ts';

/** The fields of a round that sessions need. derive/families/rounds passes them whenever a round changes. */
export interface SessionRound {
  player_id: number;
  vendor_id: string;
  game_id: string;
  /**
   * Its first and last activity, including rolled-back ones. For a message without activities both are its timestamp.
   */
  first_at: Micros;
  last_at: Micros;
  bet_count: number;
  /** In the base currency, all parts. */
  bet_sum: DecimalText;
  win_sum: DecimalText;
}

/** One round before and after a batch; undefined if it did not exist or no longer exists. Both are in the same game. */
export interface SessionRoundChange {
  before: SessionRound | undefined;
  after: SessionRound | undefined;
  settings: SessionSettings;
}

/** The settings of the round's brand. */
export type SessionSettings = Pick<BrandSettings, 'session_gap_minutes' | 'time_zone'>;

/** A time span in which the player was playing. `from` equals `to` for a single moment. */
export interface Span {
  from: Micros;
  to: Micros;
}

/**
 * If a round is longer than this, the player left it and resumed it later. Then only its two ends count as time played
 * (docs/reference/decisions.md 2.8).
 */
const longestSpan: Micros = 4 * 3_600_000_000;

/**
 * Column `long_end_at` of a round: the end, if it does not belong to the stretch in which the round began; null for
 * most rounds.
 */
export function longEndOf({ first_at, last_at }: Pick<SessionRound, 'first_at' | 'last_at'>): Micros | null {
  return last_at - first_at > longestSpan ? last_at : null;
}

/** The spans of time that a round counts for, in order: either its whole time, or its two ends as single moments. */
export function spansOf(round: Pick<SessionRound, 'first_at' | 'last_at'>): Span[] {
  const { first_at, last_at } = round;
  if (longEndOf(round) === null) return [{ from: first_at, to: last_at }];
  return [
    { from: first_at, to: first_at },
    { from: last_at, to: last_at },
  ];
}
