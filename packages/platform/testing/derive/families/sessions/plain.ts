import fc from 'fast-check';
import type { SessionRound } from '../../../../src/derive/families/sessions/session-round.ts';

/*
 * A simple implementation of sessions, for tests. It takes all rounds at once, and joins pairs of spans until no two are close
 * enough. It uses no earlier state, and money is in whole units.
 */

export interface PlainSession {
  /** `player/game`, or `player/*` for play sessions. */
  of: string;
  started_at: number;
  ended_at: number;
  rounds: number;
  bets: number;
  stake: number;
  won: number;
}

const minute = 60_000_000;
const hour = 60 * minute;

/** Few points in time, one gap apart or a microsecond more, so that spans often touch, miss and enclose each other. */
const begin = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(0, 0, 0, 1))
  .map(([tens, more]) => Date.UTC(2026, 2, 28, 20) * 1000 + tens * 10 * minute + more);
const length = fc.constantFrom(0, 0, 5 * minute, 10 * minute, 40 * minute, 4 * hour, 4 * hour + 1, 7 * hour);

export const sessionRound: fc.Arbitrary<SessionRound> = fc
  .record({
    player_id: fc.constantFrom(1, 1, 2),
    vendor_id: fc.constantFrom('v', 'v', 'w'),
    game_id: fc.constantFrom('g', 'h'),
    begin,
    length,
    bet_count: fc.nat(3),
    stake: fc.nat(5),
    won: fc.nat(5),
  })
  .map(({ begin, length, stake, won, ...round }) => ({
    ...round,
    first_at: begin,
    last_at: begin + length,
    bet_sum: String(stake),
    win_sum: String(won),
  }));

/** Sessions of both scopes from the set of all rounds, in a fixed order. */
export function plainSessions(rounds: readonly SessionRound[], gap: number): PlainSession[] {
  const ofGames = Map.groupBy(rounds, (round) => `${round.player_id}/${round.vendor_id}-${round.game_id}`);
  const ofPlayers = Map.groupBy(rounds, (round) => `${round.player_id}/*`);
  return sorted([...ofGames, ...ofPlayers].flatMap(([of, own]) => plainTrack(of, own, gap)));
}

function plainTrack(of: string, rounds: readonly SessionRound[], gap: number): PlainSession[] {
  let sessions = rounds.flatMap((round): PlainSession[] => {
    const counts = { rounds: 1, bets: round.bet_count, stake: Number(round.bet_sum), won: Number(round.win_sum) };
    const nothing = { rounds: 0, bets: 0, stake: 0, won: 0 };
    if (round.last_at - round.first_at <= 4 * hour) {
      return [{ of, started_at: round.first_at, ended_at: round.last_at, ...counts }];
    }
    return [
      { of, started_at: round.first_at, ended_at: round.first_at, ...counts },
      { of, started_at: round.last_at, ended_at: round.last_at, ...nothing },
    ];
  });
  for (;;) {
    const joined = joinOnePair(sessions, gap);
    if (joined === undefined) return sessions;
    sessions = joined;
  }
}

function joinOnePair(sessions: readonly PlainSession[], gap: number): PlainSession[] | undefined {
  for (const a of sessions) {
    const b = sessions.find((b) => b !== a && b.started_at <= a.ended_at + gap && a.started_at <= b.ended_at + gap);
    if (b === undefined) continue;
    const both: PlainSession = {
      of: a.of,
      started_at: Math.min(a.started_at, b.started_at),
      ended_at: Math.max(a.ended_at, b.ended_at),
      rounds: a.rounds + b.rounds,
      bets: a.bets + b.bets,
      stake: a.stake + b.stake,
      won: a.won + b.won,
    };
    return [...sessions.filter((one) => one !== a && one !== b), both];
  }
  return undefined;
}

export function sorted(sessions: readonly PlainSession[]): PlainSession[] {
  return [...sessions].sort((a, b) => (a.of === b.of ? a.started_at - b.started_at : a.of < b.of ? -1 : 1));
}
