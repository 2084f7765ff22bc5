import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testSettings } from '../../../../testing/derive/event.ts';
import {
  type PlainSession,
  plainSessions,
  sessionRound,
  sorted,
} from '../../../../testing/derive/families/sessions/plain.ts';
import { decide, groundOf, onlyGrows, stretchesOf } from './decide.ts';
import { keyOf, type Session } from './session.ts';
import type { SessionRound, SessionRoundChange, Span } from './session-round.ts';
import type { Stretch } from './sweep.ts';
import { reachOf, type TrackWork, tracksOf } from './tracks.ts';

/*
 * Rounds come, grow, shrink, move and leave in any order and in batches of any size. After every batch the sessions
 * must equal those of a plain recomputation from the existing rounds. A failure prints its seed and path; pass them to
 * fc.assert to reproduce it.
 */
const settings = testSettings({ time_zone: 'Europe/Malta' });
const gap = 30 * 60_000_000;

/** The new state of a round, or its removal. There are few ids, so rounds change repeatedly. */
const step = fc.record({
  id: fc.nat(11),
  becomes: fc.oneof(
    { weight: 4, arbitrary: sessionRound },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 60 }).map((minutes) => ({ longer: minutes * 60_000_000 })) },
    { weight: 1, arbitrary: fc.constant({ shorter: true as const }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test('P3: after every batch, sessions are a function of the existing rounds', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 12 }), (batches) => {
      const tables: Tables = { rounds: new Map(), sessions: [] };
      for (const batch of batches) {
        applyBatch(tables, batch);
        expect(sorted(tables.sessions.map(asPlain))).toEqual(plainSessions([...tables.rounds.values()], gap));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('rounds that only come and grow update their sessions without reading any round again', () => {
  fc.assert(
    fc.property(fc.array(sessionRound, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (rounds, size) => {
      const tables: Tables = { rounds: new Map(), sessions: [], unreadable: true };
      for (let from = 0; from < rounds.length; from += size) {
        applyBatch(
          tables,
          rounds.slice(from, from + size).map((becomes, i) => ({ id: from + i, becomes })),
        );
      }
      expect(sorted(tables.sessions.map(asPlain))).toEqual(plainSessions(rounds, gap));
    }),
    { numRuns: 1_000 },
  );
});

interface Tables {
  rounds: Map<number, SessionRound>;
  sessions: Session[];
  unreadable?: boolean;
}

/** Does the same as `changeSessions`, with arrays instead of tables. */
function applyBatch(tables: Tables, batch: readonly Step[]): void {
  const { rounds } = tables;
  const before = new Map(rounds);
  for (const { id, becomes } of batch) {
    const next = nextOf(rounds.get(id), becomes);
    if (next === undefined) rounds.delete(id);
    else rounds.set(id, next);
  }
  const changes = [...new Set(batch.map(({ id }) => id))].flatMap((id) => changesOf(before.get(id), rounds.get(id)));
  for (const work of tracksOf(changes)) {
    const own = tables.sessions.filter((session) => keyOf(session) === keyOf(work.track));
    const held = own.filter(({ started_at, ended_at }) => meets(reachOf(work), { from: started_at, to: ended_at }));
    const { changed, gone } = decide(work, held, onlyGrows(work) ? undefined : reread(tables, work, held));
    const replaced = new Set([...changed, ...gone].map(({ started_at }) => started_at));
    tables.sessions = tables.sessions.filter(
      (session) => keyOf(session) !== keyOf(work.track) || !replaced.has(session.started_at),
    );
    tables.sessions.push(...changed);
  }
}

function nextOf(round: SessionRound | undefined, becomes: Step['becomes']): SessionRound | undefined {
  if (becomes === undefined || 'player_id' in becomes) return becomes;
  if (round === undefined) return undefined;
  if ('longer' in becomes) return { ...round, last_at: round.last_at + becomes.longer };
  return { ...round, last_at: round.first_at };
}

/** A round never changes its player or game. If an id gets another player or game, the test removes one round and adds another. */
function changesOf(before: SessionRound | undefined, after: SessionRound | undefined): SessionRoundChange[] {
  if (before === undefined && after === undefined) return [];
  const isOne =
    before === undefined ||
    after === undefined ||
    (['player_id', 'vendor_id', 'game_id'] as const).every((name) => before[name] === after[name]);
  if (isOne) return [{ before, after, settings }];
  return [
    { before, after: undefined, settings },
    { before: undefined, after, settings },
  ];
}

function reread({ rounds, unreadable }: Tables, work: TrackWork, held: readonly Session[]): Stretch[] {
  expect(unreadable).not.toBe(true);
  const { scope, player_id, vendor_id, game_id } = work.track;
  const ground = groundOf(work, held);
  return [...rounds.values()]
    .filter((round) => round.player_id === player_id)
    .filter((round) => scope === 'play' || (round.vendor_id === vendor_id && round.game_id === game_id))
    .flatMap(stretchesOf)
    .filter(({ from }) => meets(ground, { from, to: from }));
}

function meets(spans: readonly Span[], { from, to }: Span): boolean {
  return spans.some((span) => span.from <= to && from <= span.to);
}

function asPlain(session: Session): PlainSession {
  const { scope, player_id, vendor_id, game_id, started_at, ended_at } = session;
  return {
    of: scope === 'play' ? `${player_id}/*` : `${player_id}/${vendor_id}-${game_id}`,
    started_at,
    ended_at,
    rounds: session.round_count,
    bets: session.bet_count,
    stake: Number(session.bet_sum),
    won: Number(session.win_sum),
  };
}
