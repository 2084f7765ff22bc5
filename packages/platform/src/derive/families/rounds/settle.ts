import type { Micros } from '@croupier/contracts';
import type { PartsChange } from '../../totals/index.ts';
import { type BaseAmounts, baseAmountsOf } from './base-amounts.ts';
import { sameMessageMoney } from './message.ts';
import { type HeldRound, messageInForce, type Round, type RoundFact, type RoundState } from './round.ts';

/** The largest smallint. */
const most = 32_767;

/** Computes the state of a round from everything that it contains. Pure. */
export function settle(round: Round, baseValue: BaseAmounts): RoundState {
  const span = spanOf(round);
  const message = messageInForce(round);
  let conflicts = contradictingMessages(round);
  let orphans = 0;
  let closed = message !== undefined;
  let counted = closed;
  for (const { resolution, status, type, is_round_end } of round.activities) {
    if (resolution === 'superseded') conflicts += 1;
    else if (resolution === 'orphan') orphans += 1;
    else if (resolution === 'in_force' && status === 'Approved') {
      counted = true;
      closed ||= is_round_end || type === 'Loss';
    }
  }
  const { bet_count, win_count, bet_sum, win_sum, unpriced } = baseValue;
  const usual = isUsual(baseValue, span);
  return {
    ...span,
    bet_count,
    win_count,
    bet_sum,
    win_sum,
    unpriced,
    conflicts: Math.min(conflicts, most),
    orphans: Math.min(orphans, most),
    from_casino: round.activities.length > 0,
    from_gameround: message !== undefined,
    counted,
    closed,
    usual,
    far_to: !usual && isFar(span) ? span.held_to : null,
  };
}

/** In most rounds, everything that counts is within this time of first_at (extremes.ts). */
const reach: Micros = 4 * 3_600_000_000;

function isFar({ first_at, held_from, held_to }: SpanOfRound): boolean {
  return held_to - first_at > reach || first_at - held_from > reach;
}

/** Nearly every round is usual: its extremes can be read without its events (extremes.ts). */
function isUsual({ parts, bet_count, win_count, bet_sum, win_sum }: BaseAmounts, span: SpanOfRound): boolean {
  if (bet_count > 1 || win_count > 1) return false;
  return parts.every(({ at, day, biggest, dated = [] }) =>
    dated.every((word) => {
      const expected = word === 'bet' ? { at: span.first_at, size: bet_sum } : { at: span.last_at, size: win_sum };
      return at === expected.at && day === span.day && biggest?.[`${word}_biggest`] === expected.size;
    }),
  );
}

type SpanOfRound = Pick<RoundState, 'first_at' | 'last_at' | 'held_from' | 'held_to' | 'day' | 'played'>;

/**
 * A round lasts from its first to its last activity, including rolled-back ones. Without activities it is the moment of
 * its message (docs/reference/decisions.md 2.8). Rollbacks and contradictions are not play: they are stored in the row,
 * but do not extend the round.
 */
function spanOf(round: Round): SpanOfRound {
  const { activities, runs } = round;
  let first: { timestamp: Micros; day: string } | undefined;
  let last: Micros = 0;
  for (const activity of activities) {
    if (activity.status !== 'Approved' || activity.resolution === 'superseded') continue;
    first ??= activity;
    last = activity.timestamp;
  }
  const message = messageInForce(round);
  const earliest = activities[0];
  const latest = activities.at(-1);
  const held_from = Math.min(earliest?.timestamp ?? Infinity, message?.timestamp ?? Infinity);
  const held_to = Math.max(latest?.timestamp ?? -Infinity, ...runs.map(({ until }) => until));
  if (first !== undefined) {
    return { first_at: first.timestamp, last_at: last, held_from, held_to, day: first.day, played: true };
  }
  if (message !== undefined) {
    const { timestamp, day } = message;
    return { first_at: timestamp, last_at: timestamp, held_from, held_to, day, played: true };
  }
  const day = earliest?.day ?? '';
  return { first_at: held_from, last_at: held_to, held_from, held_to, day, played: false };
}

function contradictingMessages(round: Round): number {
  const message = messageInForce(round);
  if (message === undefined) return 0;
  let count = 0;
  for (const { versions } of round.runs) {
    for (const version of versions) if (version !== message && !sameMessageMoney(version, message)) count += 1;
  }
  return count;
}

export interface RoundChange {
  before: HeldRound | undefined;
  after: RoundFact | undefined;
}

/**
 * How one round changes the totals of its player.
 *
 * @param amounts the base amounts of the round after the change
 */
export function partsChange(
  { before, after }: RoundChange,
  amounts: BaseAmounts | undefined,
  of: { brand_id: number; base_currency: string },
): PartsChange {
  const own = amounts?.parts ?? [];
  const { brand_id } = of;
  if (before === undefined) return { brand_id, before: [], after: [...own, ...roundPart(after)] };
  const held = baseAmountsOf(before.round, of.base_currency).parts;
  // Most activities of a round do not change, so their parts are the same objects.
  const retained = new Set(held);
  const still = new Set(own);
  const gone = held.filter((part) => !still.has(part));
  const come = own.filter((part) => !retained.has(part));
  if (beginsAlike(before.state, after?.state)) return { brand_id, before: gone, after: come };
  return { brand_id, before: [...gone, ...roundPart(before)], after: [...come, ...roundPart(after)] };
}

function beginsAlike(before: HeldRound['state'], after: RoundState | undefined): boolean {
  return after !== undefined && before.counted === after.counted && before.first_at === after.first_at;
}

/** A round counts at the time when it begins, so that a session or a day counts the rounds that began in it. */
function roundPart(fact: HeldRound | undefined) {
  if (fact === undefined || !fact.state.counted) return [];
  const { player_id, vendor_id, game_id } = fact.round;
  const { first_at, day } = fact.state;
  return [{ player_id, at: first_at, day, by: { vendor_id, game_id }, counts: { round_count: 1 } }];
}
