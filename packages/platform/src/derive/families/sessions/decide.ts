import { dayOf } from '@croupier/contracts';
import type { Played, Session } from './session.ts';
import { type SessionRound, type SessionRoundChange, type Span, spansOf } from './session-round.ts';
import { less, nothing, type Stretch, sweep } from './sweep.ts';
import { merged, type TrackWork } from './tracks.ts';

/*
 * Sessions change in one of two ways.
 *
 *   growing    no round covers less than before: new rounds, further activities. What the sessions covered stays covered, so
 *              they themselves are stretches, joined with what came: sessions grow, join, appear. No round is read
 *   shrinking  a round left, or begins later, or ends earlier: a session may now fall apart, and only its rounds know
 *              where. The rounds of the sessions within reach are read again
 *
 * Nearly every batch only grows: a rolled-back activity still counts for the span of its round. Shrinking takes a version
 * of an activity with another timestamp, a round that parts in two, raw events that follow the message of their round.
 */

export interface SessionDecision {
  /** Rows to be written: new ones, and those that differ. */
  changed: Session[];
  /** Rows that are no more: their beginning moved, or they joined another. */
  gone: Session[];
}

/** Whether every change leaves covered what was covered. */
export function onlyGrows({ changes }: Pick<TrackWork, 'changes'>): boolean {
  return changes.every(({ before, after }) => {
    if (before === undefined) return true;
    const now = after === undefined ? [] : spansOf(after);
    return spansOf(before).every(({ from, to }) => now.some((span) => span.from <= from && to <= span.to));
  });
}

/**
 * Where the rounds are to be read again when something shrank: all that the sessions within reach cover, and what the
 * changed rounds cover now.
 *
 * @param held the sessions that touch `reachOf`
 */
export function groundOf({ changes }: Pick<TrackWork, 'changes'>, held: readonly Session[]): Span[] {
  const now = changes.flatMap(({ after }) => (after === undefined ? [] : spansOf(after)));
  return merged([...held.map(({ started_at, ended_at }) => ({ from: started_at, to: ended_at })), ...now]);
}

/**
 * The sessions of a track after a batch. Pure.
 *
 * @param held the sessions that touch `reachOf`, as they were
 * @param reread the stretches of all rounds in `groundOf`, as they are now; undefined when the changes only grow
 */
export function decide(
  { track, gap, timeZone, changes }: TrackWork,
  held: readonly Session[],
  reread: readonly Stretch[] | undefined,
): SessionDecision {
  const stretches = reread ?? [...held.map(stretchOfSession), ...changes.flatMap(stretchesOfChange)];
  const before = new Map(held.map((session) => [session.started_at, session]));
  const decision: SessionDecision = { changed: [], gone: [] };
  for (const { from, to, played } of sweep(stretches, gap)) {
    const known = before.get(from);
    before.delete(from);
    if (known !== undefined && known.ended_at === to && isSame(known, played)) continue;
    const day = known?.day ?? dayOf(timeZone, from);
    decision.changed.push({ ...track, started_at: from, ended_at: to, day, ...played });
  }
  decision.gone.push(...before.values());
  return decision;
}

function stretchOfSession(session: Session): Stretch {
  const { started_at, ended_at, round_count, bet_count, bet_sum, win_sum } = session;
  return { from: started_at, to: ended_at, played: { round_count, bet_count, bet_sum, win_sum } };
}

/** What a round brings: its counts belong to the session in which it began. */
export function stretchesOf(round: SessionRound): Stretch[] {
  return spansOf(round).map((span, i) => ({ ...span, played: i === 0 ? playedIn(round) : null }));
}

/**
 * What a growing round brings beyond what it brought before: nothing is added up that only cancels out. Only a round that
 * became longer than four hours towards the past may have begun in another session than it does now.
 */
function stretchesOfChange({ before, after }: SessionRoundChange): Stretch[] {
  const now = after === undefined ? [] : stretchesOf(after);
  if (before === undefined) return now;
  const played = playedIn(before);
  const [first, ...rest] = now;
  if (first === undefined || first.played === null || before.first_at > first.to) {
    return [{ from: before.first_at, to: before.first_at, played: less(nothing, played) }, ...now];
  }
  return [{ ...first, played: less(first.played, played) }, ...rest];
}

function playedIn({ bet_count, bet_sum, win_sum }: SessionRound): Played {
  return { round_count: 1, bet_count, bet_sum, win_sum };
}

function isSame(a: Played, b: Played): boolean {
  return (
    a.round_count === b.round_count && a.bet_count === b.bet_count && a.bet_sum === b.bet_sum && a.win_sum === b.win_sum
  );
}
