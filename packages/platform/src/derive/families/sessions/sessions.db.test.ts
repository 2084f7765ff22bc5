import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../../../testing/database.ts';
import { testSettings } from '../../../../testing/derive/event.ts';
import { plainSessions, sessionRound } from '../../../../testing/derive/families/sessions/plain.ts';
import { timestamptzText, transaction } from '../../../database/index.ts';
import { changeSessions, listSessions, longEndOf, readSessionTotals, type SessionRound } from './index.ts';

/** Uses the real tables of sessions and rounds. Columns of rounds that sessions do not read have constant values. */
const { pool } = await setupDatabase();
const settings = testSettings({ time_zone: 'Europe/Malta' });
const minute = 60_000_000;
let players = 0;

/**
 * Applies new states of rounds, by their ids, as the derivation of rounds does: first the rounds, then their sessions.
 */
async function become(
  rounds: Map<number, SessionRound>,
  states: ReadonlyMap<number, SessionRound | undefined>,
): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query('set local search_path = live, public');
    const changes = [];
    for (const [id, after] of states) {
      const before = rounds.get(id);
      if (before !== undefined)
        await tx.query('delete from round where player_id = $1 and round_key = $2', [before.player_id, id]);
      if (after === undefined) rounds.delete(id);
      else {
        rounds.set(id, after);
        await insertRound(id, after, tx);
      }
      changes.push({ before, after, settings });
    }
    await changeSessions(tx, changes);
  });
}

async function insertRound(id: number, round: SessionRound, tx: Pick<typeof pool, 'query'>): Promise<void> {
  const longEnd = longEndOf(round);
  await tx.query(
    `insert into round (player_id, round_key, first_at, last_at, long_end_at, day, bet_count, win_count, conflicts, orphans,
                        from_casino, from_gameround, played, counted, closed, unpriced, bet_sum, win_sum, vendor_id, game_id,
                        round_id, events)
     values ($1, $2, $3, $4, $5, '2026-03-28', $6, 0, 0, 0, true, false, true, true, false, false, $7, $8, $9, $10, '', '')`,
    [
      round.player_id,
      id,
      timestamptzText(round.first_at),
      timestamptzText(round.last_at),
      longEnd === null ? null : timestamptzText(longEnd),
      round.bet_count,
      round.bet_sum,
      round.win_sum,
      round.vendor_id,
      round.game_id,
    ],
  );
}

async function sessionsOf(player_id: number) {
  const scopes = await Promise.all(
    (['game', 'play'] as const).map((scope) => listSessions(pool, { player_id, brand_id: 1 }, { scope }, 1_000)),
  );
  return scopes.flat().map((session) => ({
    of: session.scope === 'play' ? `${player_id}/*` : `${player_id}/${session.vendor_id}-${session.game_id}`,
    started_at: session.started_at,
    ended_at: session.ended_at,
    rounds: session.round_count,
    bets: session.bet_count,
    stake: Number(session.bet_sum),
    won: Number(session.win_sum),
  }));
}

test('in the database, the sessions depend only on the existing rounds, and equal those of the plain implementation', async () => {
  const state = fc.option(sessionRound, { nil: undefined, freq: 5 });
  const batch = fc.array(fc.tuple(fc.nat(11), state), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 6 }), async (batches) => {
      players += 1;
      const rounds = new Map<number, SessionRound>();
      for (const states of batches) {
        // A round never changes its player or game, so the id determines the game.
        const own = states.map(([id, round]) => {
          const game = { player_id: players, vendor_id: 'v', game_id: `g${id % 3}` };
          return [id, round && { ...round, ...game }] as const;
        });
        await become(rounds, new Map(own));
      }
      const byName = (a: { of: string; started_at: number }, b: typeof a) =>
        a.of === b.of ? a.started_at - b.started_at : a.of < b.of ? -1 : 1;
      expect((await sessionsOf(players)).sort(byName)).toEqual(plainSessions([...rounds.values()], 30 * minute));
    }),
    { numRuns: 150 },
  );
}, 60_000);

const start = Date.UTC(2026, 4, 1, 8) * 1000;

function round(player_id: number, from: number, to: number, more: Partial<SessionRound> = {}): SessionRound {
  return {
    player_id,
    vendor_id: 'v',
    game_id: 'g',
    bet_count: 1,
    bet_sum: '0.1',
    win_sum: '0.2',
    first_at: start + from * minute,
    last_at: start + to * minute,
    ...more,
  };
}

test('sums are exact, and a new round does not rewrite the sessions of earlier days', async () => {
  const player_id = ++players;
  const rounds = new Map<number, SessionRound>();
  const months = Array.from({ length: 60 }, (_, i) => [i, round(player_id, -i * 60 * 24, -i * 60 * 24 + 5)] as const);
  await become(rounds, new Map(months));
  await become(rounds, new Map([[100, round(player_id, 10, 12, { bet_sum: '0.2' })]]));
  const [last] = await listSessions(pool, { player_id, brand_id: 1 }, { scope: 'play' }, 1);
  expect([last?.round_count, last?.bet_sum, last?.win_sum]).toEqual([2, '0.3', '0.4']);
  const { rows } = await pool.query<{ xmins: number }>(
    'select count(distinct xmin::text) as xmins from live.session where player_id = $1 and started_at < $2',
    [player_id, timestamptzText(start - minute)],
  );
  expect(rows[0]?.xmins).toBe(1);
});

test('a long round counts once if both of its ends are in the same session', async () => {
  const player_id = ++players;
  const rounds = new Map<number, SessionRound>();
  await become(rounds, new Map([[1, round(player_id, 0, 240)]]));
  await become(rounds, new Map([[2, round(player_id, 0, 241)]]));
  const sessions = await listSessions(pool, { player_id, brand_id: 1 }, { scope: 'play' }, 9);
  expect(sessions.map(({ round_count, bet_sum }) => [round_count, bet_sum])).toEqual([[2, '0.2']]);
});

test('the list supports pages and filters', async () => {
  const player_id = ++players;
  const states = [0, 1, 2, 3].map((i) => [i, round(player_id, i * 60, i * 60 + 1, { game_id: `g${i % 2}` })] as const);
  await become(new Map(), new Map([...states, [4, round(player_id, 180, 181, { game_id: 'g0' })]]));
  const player = { player_id, brand_id: 1 };
  const first = await listSessions(pool, player, { scope: 'game' }, 2);
  const rest = await listSessions(pool, player, { scope: 'game' }, 9, first.at(-1));
  expect([...first, ...rest].map(({ game_id, started_at }) => [game_id, (started_at - start) / minute])).toEqual([
    ['g1', 180],
    ['g0', 180],
    ['g0', 120],
    ['g1', 60],
    ['g0', 0],
  ]);
  const filter = { scope: 'game', game_id: 'g0', from: start, to: start + 120 * minute } as const;
  expect((await listSessions(pool, player, filter, 9)).length).toBe(2);
  expect((await listSessions(pool, player, { scope: 'play' }, 9))[0]).toMatchObject({
    vendor_id: null,
    round_count: 2,
  });
});

test('totals of sessions: a session counts in the window in which it began', async () => {
  const player_id = ++players;
  await become(
    new Map(),
    new Map([
      [1, round(player_id, 0, 10)],
      [2, round(player_id, 20, 21, { game_id: 'h', bet_sum: '5', win_sum: '0.5' })],
      // 22:30 UTC is the next day in Malta.
      [3, round(player_id, 870, 900)],
    ]),
  );
  const now = start + 900 * minute;
  const windows = [{ unit: 'days', count: 1 } as const, { unit: 'hours', count: 2 } as const];
  const player = { player_id, time_zone: 'Europe/Malta' };
  const { lifetime, windows: byWindow } = await readSessionTotals(pool, player, now, windows);
  expect(lifetime).toEqual({
    counts: { game_session_count: 3, play_session_count: 2 },
    sums: { game_session_length: '2460', play_session_length: '3060' },
    biggest: {
      game_session_longest: '1800',
      game_session_loss_biggest: '4.5',
      game_session_last_loss: '-0.1',
      play_session_longest: '1800',
      play_session_loss_biggest: '4.4',
      play_session_last_loss: '-0.1',
    },
    dates: {
      game_session_first_at: start,
      game_session_last_at: start + 870 * minute,
      play_session_first_at: start,
      play_session_last_at: start + 870 * minute,
    },
  });
  for (const window of ['today', '2h']) expect(byWindow.get(window)?.counts.play_session_count).toBe(1);
  const later = await readSessionTotals(pool, player, now + 120 * minute, windows);
  expect([later.windows.get('today'), later.windows.get('2h')].map((w) => w?.counts.play_session_count)).toEqual([
    1, 0,
  ]);
});
