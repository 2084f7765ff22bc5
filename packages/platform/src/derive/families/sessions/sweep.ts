import type { DecimalText, Micros } from '@croupier/contracts';
import { sumOf } from '../../money.ts';
import type { Played } from './session.ts';
import type { Span } from './session-round.ts';

/** A span of play, and what it adds to the session that contains it. `played` is null for the end of a long round, which adds nothing. */
export interface Stretch extends Span {
  played: Played | null;
}

/** A session, without its player and game. */
export interface Run extends Span {
  played: Played;
}

/**
 * Joins stretches into runs. Ordered by beginning, a stretch belongs to the previous run if it begins at most `gap`
 * after that run's latest end (docs/reference/decisions.md 2.8; exactly `gap` still belongs). The given order does not
 * matter.
 *
 * @returns runs in order, further apart than `gap`
 */
export function sweep(stretches: readonly Stretch[], gap: Micros): Run[] {
  const runs: Run[] = [];
  let members: Stretch[] = [];
  let end = Number.NEGATIVE_INFINITY;
  const close = () => {
    const first = members[0];
    if (first !== undefined) runs.push({ from: first.from, to: end, played: addedUp(members) });
  };
  for (const stretch of [...stretches].sort((a, b) => a.from - b.from)) {
    if (stretch.from > end + gap) {
      close();
      members = [];
      end = stretch.to;
    }
    members.push(stretch);
    end = Math.max(end, stretch.to);
  }
  close();
  return runs;
}

function addedUp(members: readonly Stretch[]): Played {
  const played = members.flatMap((member) => member.played ?? []);
  return {
    round_count: played.reduce((sum, { round_count }) => sum + round_count, 0),
    bet_count: played.reduce((sum, { bet_count }) => sum + bet_count, 0),
    bet_sum: sumOf(played.map(({ bet_sum }) => bet_sum)),
    win_sum: sumOf(played.map(({ win_sum }) => win_sum)),
  };
}

export const nothing: Played = { round_count: 0, bet_count: 0, bet_sum: '0', win_sum: '0' };

/** Returns `a - b`, which has to be added if `b` is already counted. */
export function less(a: Played, b: Played): Played {
  return {
    round_count: a.round_count - b.round_count,
    bet_count: a.bet_count - b.bet_count,
    bet_sum: difference(a.bet_sum, b.bet_sum),
    win_sum: difference(a.win_sum, b.win_sum),
  };
}

function difference(a: DecimalText, b: DecimalText): DecimalText {
  if (a === b) return '0';
  return b === '0' ? a : sumOf([a, b.startsWith('-') ? b.slice(1) : `-${b}`]);
}
