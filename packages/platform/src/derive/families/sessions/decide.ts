import { dayOf } from '@croupier/contracts';
import type { Played, Session } from './session.ts';
import { type SessionRound, type SessionRoundChange, type Span, spansOf } from './session-round.ts';
import { less, nothing, type Stretch, sweep } from './sweep.ts';
import { merged, type TrackWork } from './tracks.ts';

/*
 * Sessions change in one of two ways.
 *
 *   growing    no round covers less time than before: new rounds, further activities. Everything that the sessions covered
 *              stays covered, so the old sessions are joined with the new spans: sessions grow, join or appear. No round is read
 *   shrinking  a round was removed, begins later or ends earlier. A session may now split, and only its rounds show
 *              where. The rounds of the sessions within reach are read again
 *
 * Nearly every batch only grows, because a rolled-back activity still counts for the span of its round. Shrinking
 * requires a version of an activity with another timestamp, a round that splits in two, or raw events that follow the
 * message of their round.
 */

export interface SessionDecision {
  /** Rows to be written: new ones, and those that changed. */
  changed: Session[];
  /** Rows to be removed: the session now begins at another time, or was joined to another session. */
  gone: Session[];
}

/** True if every changed round still covers everything that it covered before. */
export function onlyGrows({ changes }: Pick<TrackWork, 'changes'>): boolean {
  return changes.every(({ before, after }) => {
    if (before === undefined) return true;
    const now = after === undefined ? [] : spansOf(after);
    return spansOf(before).every(({ from, to }) => now.some((span) => span.from <= from && to <= span.to));
  });
}

/**
 * Where to read the rounds again after something shrank: everything that the sessions within reach cover, and what the
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
 * @param held the sessions that touch `reachOf`, before the batch
 * @param reread the stretches of all rounds in `groundOf`, after the batch; undefined if the changes only grow
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

/** The stretches of a round. Its counts belong to the session in which it began. */
export function stretchesOf(round: SessionRound): Stretch[] {
  return spansOf(round).map((span, i) => ({ ...span, played: i === 0 ? playedIn(round) : null }));
}

/**
 * The stretches of a growing round, with the difference between its new and its former counts. A round that is now longer than four
 * hours because it starts earlier may have begun in another session before. Its former counts are then subtracted there.
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
