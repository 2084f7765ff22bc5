import type { DecimalText, Micros } from '@croupier/contracts';
import { sumOf } from '../../money.ts';
import type { Played } from './session.ts';
import type { Span } from './session-round.ts';

/** A span of play, and what it brings to the session that it falls into: null for the far end of a long round. */
export interface Stretch extends Span {
  played: Played | null;
}

/** A session, without the names of its player and game. */
export interface Run extends Span {
  played: Played;
}

/**
 * Joins stretches into runs: in the order of their beginnings, each belongs to the run before if it begins no later than
 * `gap` after the latest end so far (docs/reference/decisions.md 2.8; the gap itself included). The order given does not matter.
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

/** `a - b`: what is to be added where `b` was already. */
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
