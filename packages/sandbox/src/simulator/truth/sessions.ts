import type { DecimalText, Micros } from '@croupier/contracts';
import { type BaseUnits, baseText } from '../money.ts';

/** A series of a player's rounds with no pause longer than the gap (docs/reference/decisions.md 2.8). */
export interface SessionTruth {
  /** `game`: rounds of one game. `play`: rounds of all games; vendor_id and game_id are then ''. */
  scope: 'game' | 'play';
  vendor_id: string;
  game_id: string;
  started_at: Micros;
  ended_at: Micros;
  /** The following figures are about the rounds that start in the session. */
  round_count: number;
  bet_count: number;
  bet_sum: DecimalText;
  win_sum: DecimalText;
}

/** A round as an observer of the player sees it. Money of all parts, in base currency. */
export interface WatchedRound {
  vendor_id: string;
  game_id: string;
  first_at: Micros;
  last_at: Micros;
  bet_count: number;
  bet: BaseUnits;
  win: BaseUnits;
}

const minute = 60_000_000;
const gap = 30 * minute;
/** A round that takes longer was paused and continued. It counts as its two ends. */
const longest = 240 * minute;

/** Returns a player's sessions, as an observer of all rounds from the first to the last sees them. */
export function sessionsOf(rounds: readonly WatchedRound[]): SessionTruth[] {
  const games = Map.groupBy(rounds, ({ vendor_id, game_id }) => JSON.stringify([vendor_id, game_id]));
  const ofGames = [...games.values()].flatMap((own) =>
    joinRounds(own).map((session) => truthOf(session, 'game', own[0])),
  );
  return [...ofGames, ...joinRounds(rounds).map((session) => truthOf(session, 'play', undefined))];
}

interface SessionSpan {
  from: Micros;
  to: Micros;
  rounds: WatchedRound[];
}

function joinRounds(rounds: readonly WatchedRound[]): SessionSpan[] {
  const roundSpans = rounds.flatMap((round): SessionSpan[] => {
    const { first_at, last_at } = round;
    if (last_at - first_at <= longest) return [{ from: first_at, to: last_at, rounds: [round] }];
    return [
      { from: first_at, to: first_at, rounds: [round] },
      { from: last_at, to: last_at, rounds: [] },
    ];
  });
  roundSpans.sort((a, b) => a.from - b.from);
  const sessionSpans: SessionSpan[] = [];
  for (const span of roundSpans) {
    const open = sessionSpans.at(-1);
    if (open === undefined || span.from > open.to + gap) {
      sessionSpans.push(span);
      continue;
    }
    open.to = Math.max(open.to, span.to);
    open.rounds.push(...span.rounds);
  }
  return sessionSpans;
}

function truthOf(
  { from, to, rounds }: SessionSpan,
  scope: SessionTruth['scope'],
  game: WatchedRound | undefined,
): SessionTruth {
  return {
    scope,
    vendor_id: game?.vendor_id ?? '',
    game_id: game?.game_id ?? '',
    started_at: from,
    ended_at: to,
    round_count: rounds.length,
    bet_count: rounds.reduce((sum, { bet_count }) => sum + bet_count, 0),
    bet_sum: baseText(rounds.reduce((sum, { bet }) => sum + bet, 0n)),
    win_sum: baseText(rounds.reduce((sum, { win }) => sum + win, 0n)),
  };
}
