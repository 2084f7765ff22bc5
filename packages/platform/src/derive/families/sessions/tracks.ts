import type { Micros } from '@croupier/contracts';
import { keyOf, type Track } from './session.ts';
import { type SessionRoundChange, type Span, spansOf } from './session-round.ts';

/** One track and how a batch changed its rounds. */
export interface TrackWork {
  track: Track;
  gap: Micros;
  timeZone: string;
  changes: readonly SessionRoundChange[];
}

/** The tracks that changed rounds belong to. Each round belongs to its game's track and to the track of all games. */
export function tracksOf(changes: readonly SessionRoundChange[]): TrackWork[] {
  const works = new Map<string, TrackWork & { changes: SessionRoundChange[] }>();
  for (const change of changes) {
    const round = change.after ?? change.before;
    if (round === undefined) continue;
    const { player_id, vendor_id, game_id } = round;
    add(works, { player_id, scope: 'play', vendor_id: '', game_id: '' }, change);
    add(works, { player_id, scope: 'game', vendor_id, game_id }, change);
  }
  return [...works.values()];
}

function add(
  works: Map<string, TrackWork & { changes: SessionRoundChange[] }>,
  track: Track,
  change: SessionRoundChange,
): void {
  const name = keyOf(track);
  const work = works.get(name);
  if (work !== undefined) {
    work.changes.push(change);
    return;
  }
  const { session_gap_minutes, time_zone } = change.settings;
  works.set(name, { track, gap: session_gap_minutes * 60_000_000, timeZone: time_zone, changes: [change] });
}

/**
 * Where sessions may change: everything within one gap of what the rounds covered before or cover now. Sessions outside
 * keep all their rounds and get no new ones.
 */
export function reachOf({ changes, gap }: TrackWork): Span[] {
  const spans = changes.flatMap(({ before, after }) =>
    [before, after].flatMap((round) => (round ? spansOf(round) : [])),
  );
  return merged(spans.map(({ from, to }) => ({ from: from - gap, to: to + gap })));
}

/** Joins spans that touch or overlap. The result covers the same times in as few spans as possible, in order. */
export function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
