import type { DecimalText, Micros } from '@croupier/contracts';

/** `game`: rounds of one game, even if other games are played in between. `play`: rounds of all games. */
export const sessionScopes = ['game', 'play'] as const;
export type SessionScope = (typeof sessionScopes)[number];

/**
 * A player's sessions in one game, or over all games. They never overlap, and the distance between any two exceeds the
 * gap. Sessions are computed per track. Every game session lies within one play session.
 */
export interface Track {
  player_id: number;
  scope: SessionScope;
  /** `vendor_id` and `game_id` are empty in scope `play`. */
  vendor_id: string;
  game_id: string;
}

/** The sums over the rounds that began in a session. */
export interface Played {
  round_count: number;
  bet_count: number;
  /** In the base currency. */
  bet_sum: DecimalText;
  win_sum: DecimalText;
}

/** The row of live.session. */
export interface Session extends Track, Played {
  started_at: Micros;
  ended_at: Micros;
  /** YYYY-MM-DD of `started_at` in the brand's time zone. */
  day: string;
}

/** The key of a track as text. It is unambiguous, whatever characters the ids contain. */
export function keyOf({ player_id, vendor_id, game_id, scope }: Track): string {
  return scope === 'play' ? `${player_id}` : `${player_id}:${vendor_id.length}:${vendor_id}${game_id}`;
}
