import type { Pool, PoolClient } from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { casino, custom, deposit, none, setupHistory } from '../../../testing/derive/history/history.ts';
import { watchedPool } from '../../../testing/derive/watched-pool.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import type { LedgerHistory } from '../../ledger/index.ts';
import { notedEntries } from '../journal/index.ts';
import { parkedCounts } from '../parking/index.ts';
import { rebuild } from '../rebuild/index.ts';
import { countTooOld, type HistoryRound, HistoryUpkeep, importTooOld, listTooOld, readSealedDays } from './index.ts';
import { forgetLateEvents } from './late.ts';
import { enterStep } from './step.ts';
import { day, dayName } from './too-old.ts';
import { historyLock } from './upkeep.ts';

/** Each step is followed by a rebuild of everything, which is slow while other test files run. */
vi.setConfig({ testTimeout: 120_000 });

async function lockIsFree(pool: Pool): Promise<boolean> {
  const held = `select from pg_locks where locktype = 'advisory' and objid = $1
    and database = (select oid from pg_database where datname = current_database())`;
  const { rowCount } = await pool.query(held, [historyLock]);
  return rowCount === 0;
}

const users = Array.from({ length: 8 }, (_, i) => `u${i}`);

describe('six days with a history of two', async () => {
  const history = await setupHistory();
  const { clock, pool, tell, nextDay, differences, keptDays, playerId } = history;

  test('days are packed, sealed and dropped while events arrive, and a rebuild finds no difference after each step', async () => {
    const rounds: HistoryRound[] = [];
    for (let n = 0; n < 6; n++) {
      const now = clock.now();
      await tell(
        ...users.flatMap((user, i) => [
          { kind: 'login' as const, body: { user_id: user, timestamp: timestamptzText(now - i * 1_000_000) } },
          deposit(user, `d${n}`, now - 60_000_000, { amount: n + i + 0.25 }),
          deposit(user, `d${n}`, now - 60_000_000, { amount: n + i + 0.25 }),
          casino(user, `r${n}`, now - 30_000_000, { amount: 10 * n + i }),
          casino(user, `r${n}`, now - 20_000_000, { activity_id: `r${n}-win`, type: 'Win', amount: 3 }),
          custom(user, now),
        ]),
        // Events of the previous days are repeated, contradicted and rolled back, whether their day is still kept or
        // not.
        deposit('u1', `d${n - 1}`, now - day - 60_000_000, { amount: n }),
        deposit('u2', `d${n - 2}`, now - 3_600_000_000, { status: 'Rollback' }),
        casino('u3', `r${n - 1}`, now - day - 30_000_000, { amount: 10 * Math.max(0, n - 1) + 3 }),
      );
      expect(await differences()).toEqual(none);
      rounds.push(await nextDay());
      expect(await differences()).toEqual(none);
    }
    expect(rounds.map(({ packed }) => packed)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(rounds.map(({ sealed, dropped }) => [sealed, dropped])).toEqual([
      ...Array(2).fill([0, 0]),
      ...Array(4).fill([1, 1]),
    ]);
    expect(await keptDays()).toEqual([dayName(clock.now() - 2 * day), dayName(clock.now() - day)]);
    const days = await readSealedDays(pool);
    expect(days.map(({ state }) => state)).toEqual(Array(4).fill('dropped'));
    expect(days[0]?.events).toBe(8 * 6 + 3);
  });

  test('rollbacks remove a bet and a deposit of dropped days', async () => {
    const player = await playerId('u4');
    const sums = async () => {
      const { rows } = await pool.query(
        `select real_bet_sum, bet_biggest, deposit_count from live.casino_total join live.payment_total using (player_id)
         where player_id = $1`,
        [player],
      );
      return rows[0];
    };
    expect(await sums()).toEqual({
      real_bet_sum: String(4 + 14 + 24 + 34 + 44 + 54),
      bet_biggest: '54',
      deposit_count: 6,
    });
    const now = clock.now();
    await tell(
      casino('u4', 'r1', now, { status: 'Rollback', amount: 14 }),
      deposit('u4', 'd0', now, { status: 'Rollback' }),
    );
    expect(await sums()).toEqual({ real_bet_sum: String(4 + 24 + 34 + 44 + 54), bet_biggest: '54', deposit_count: 5 });
    expect(await differences()).toEqual(none);
  });

  test('a rebuild of one player and a swap of an altered player also start with the baseline', async () => {
    const player = await playerId('u5');
    await pool.query('update live.payment_total set deposit_sum = 0 where player_id = $1', [player]);
    const scope = { of: 'player', brand_id: history.brand.brand_id, user_id: 'u5' } as const;
    const found = await rebuild({ ...history.options, scope, swap: true });
    expect(found).toMatchObject({ difference_count: 1, swapped: 1 });
    expect(found.differences[0]?.tables).toEqual(['payment_total']);
    expect(await differences()).toEqual(none);
  });

  test('the tables of the baseline have the columns of the live ones', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `select table_name as name, column_name, data_type, is_nullable from information_schema.columns
       where table_schema = 'baseline' except
       select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = 'live'`,
    );
    expect(rows).toEqual([]);
    await pool.query('alter table live.login add column later int');
    await expect(differences()).rejects.toThrow('alter table if exists baseline.');
    await pool.query('alter table live.login drop column later');
    expect(await differences()).toEqual(none);
  });
});

describe('a day that cannot be dropped', async () => {
  const history = await setupHistory();
  const { clock, pool, tell, nextDay, differences, poisoned, upkeep, worker } = history;
  const real = history.history;
  const upkeepWith = (changed: Partial<LedgerHistory>, from = pool) =>
    new HistoryUpkeep({
      ...history.options,
      pool: from,
      paced: false,
      history: {
        days: () => real.days(),
        pack: (name, ...rest) => real.pack(name, ...rest),
        readDay: (name) => real.readDay(name),
        drop: (name, options) => real.drop(name, options),
        hold: () => real.hold(),
        ...changed,
      },
    });

  test('is listed as held because of a parked event, and dropped after the event is applied', async () => {
    poisoned.add('stuck');
    await tell(deposit('stuck', '1', clock.now()), deposit('well', '1', clock.now()));
    expect(await parkedCounts(pool)).toEqual({ players: 1, events: 1 });
    expect(await nextDay(3)).toMatchObject({ packed: 1, sealed: 0, held: 1, dropped: 0 });
    expect(await readSealedDays(pool)).toMatchObject([{ state: 'held', reason: expect.stringContaining('parked') }]);
    expect(await differences()).toEqual(none);
    poisoned.clear();
    clock.advance(day);
    expect(await worker.retryOnce()).toMatchObject({ applied: 1 });
    expect(await upkeep.runOnce()).toMatchObject({ sealed: 1, dropped: 1, held: 0 });
    expect(await differences()).toEqual(none);
  });

  test('is sealed again after the process was killed while sealing', async () => {
    await tell(...users.map((user) => deposit(user, 'k', clock.now())), casino('u1', 'k', clock.now(), { amount: 7 }));
    clock.advance(3 * day);
    let read = 0;
    const killed = upkeepWith({
      async *readDay(name) {
        for await (const page of real.readDay(name)) {
          yield page.slice(0, 1);
          read += 1;
          if (read === 2) throw new Error('killed');
        }
      },
    });
    await expect(killed.runOnce()).rejects.toThrow('killed');
    expect(read).toBe(2);
    expect(await readSealedDays(pool)).toMatchObject([{ state: 'sealing' }, { state: 'dropped' }]);
    expect(await differences()).toEqual(none);
    expect(await upkeep.runOnce()).toMatchObject({ sealed: 1, dropped: 1 });
    expect(await differences()).toEqual(none);
  });

  test('is sealed again if it grows between sealing and dropping', async () => {
    const then = clock.now();
    await tell(deposit('u1', 'before', then));
    clock.advance(3 * day);
    const growing = upkeepWith({
      async drop(name, options) {
        const now = clock.now();
        clock.set(then);
        await tell(deposit('u1', 'slow', then));
        clock.set(now);
        return real.drop(name, options);
      },
    });
    expect(await growing.runOnce()).toMatchObject({ sealed: 1, held: 1, dropped: 0 });
    expect((await readSealedDays(pool))[0]).toMatchObject({ state: 'sealed', events: 1, reason: 'grown' });
    expect(await upkeep.runOnce()).toMatchObject({ packed: 1, dropped: 1 });
    expect((await readSealedDays(pool))[0]).toMatchObject({ state: 'dropped', events: 2 });
    expect(await differences()).toEqual(none);
  });

  test('a worker that loses its lock stops, and a second worker does not run during its last step', async () => {
    await tell(deposit('u1', 'n', clock.now()));
    clock.advance(3 * day);
    const clients: PoolClient[] = [];
    pool.once('acquire', (client) => clients.push(client));
    const losing = upkeepWith({
      async days() {
        clients[0]?.emit('error', new Error('terminated'));
        return real.days();
      },
    });
    await expect(losing.runOnce()).rejects.toThrow('the connection that holds the lock was lost');
    // The server releases the lock when it notices that the connection was closed.
    await expect.poll(() => lockIsFree(pool)).toBe(true);
    await transaction(pool, async (tx) => {
      await enterStep(tx);
      await expect(upkeep.runOnce()).rejects.toThrow('another worker is working on the history');
    });
    expect(await upkeep.runOnce()).toMatchObject({ dropped: 1 });
  });

  test('rows that belong to a dropped day are deleted in portions', async () => {
    const portions: (number | null)[] = [];
    const counting = {
      query: async (text: string, values: unknown[]) => {
        const result = await pool.query(text, values);
        portions.push(result.rowCount);
        return result;
      },
    };
    await pool.query(`insert into late_event select i, '2020-01-01', '2020-01-01' from generate_series(1, 10_001) i`);
    expect(await forgetLateEvents(counting, '2020-01-02')).toBe(10_001);
    expect(portions).toEqual([10_000, 1]);
  });

  test('packing pauses after each slice', async () => {
    await tell(deposit('u1', 'p', clock.now()));
    clock.advance(3 * day);
    let pauses = 0;
    const pausing = upkeepWith({
      pack: (name, signal, pause) =>
        real.pack(
          name,
          signal,
          pause &&
            (async () => {
              pauses += 1;
              await pause();
            }),
        ),
    });
    expect(await pausing.runOnce()).toMatchObject({ packed: 1, dropped: 1 });
    expect(pauses).toBe(1);
  });

  test('no day is packed or dropped while a rebuild runs', async () => {
    await tell(deposit('u1', 'm', clock.now()));
    clock.advance(3 * day);
    let round: HistoryRound | undefined;
    const result = await rebuild({
      ...history.options,
      scope: { of: 'everything' },
      onProgress: async ({ buckets }) => {
        if (buckets.done === 1) round = await upkeep.runOnce();
      },
    });
    expect(result.differences).toEqual([]);
    expect(round).toMatchObject({ packed: 0, dropped: 0 });
    expect(await upkeep.runOnce()).toMatchObject({ packed: 1, dropped: 1 });
  });
});

describe('too-old events', async () => {
  const history = await setupHistory(3);
  const { clock, pool, brand, tell, nextDay, differences, playerId, worker } = history;
  const list = () => listTooOld(pool, brand.brand_id, {}, 10);

  beforeAll(async () => {
    const now = clock.now();
    await tell(
      deposit('ann', 'new', now),
      deposit('ann', 'on-the-edge', now - 3 * day),
      deposit('ann', 'old', now - 3 * day - 1),
      casino('ann', 'old', now - 40 * day, { amount: 5 }),
      deposit('nobody', 'old', now - 4 * day),
    );
  });

  test('are listed and journaled, and have no effect', async () => {
    const { rows } = await pool.query('select payment_id from live.payment order by payment_id');
    expect(rows.map((row) => row.payment_id)).toEqual(['new', 'on-the-edge']);
    await expect(playerId('nobody')).rejects.toThrow();
    expect((await list()).map(({ kind, user_id, importable }) => `${kind} ${user_id} ${importable}`).sort()).toEqual([
      'casino ann true',
      'payment ann true',
      'payment nobody true',
    ]);
    expect((await notedEntries(pool, brand.brand_id, { verdict: 'too_old' }, 10)).entries).toHaveLength(3);
    expect(await parkedCounts(pool)).toEqual({ players: 0, events: 0 });
    clock.advance(day);
    expect(await worker.retryOnce()).toMatchObject({ tried: 0 });
    expect(await differences()).toEqual(none);
  });

  test('many of them are counted only up to the limit, and no query sorts them all', async () => {
    const many = `insert into parked_event (writer_id, seq, index, brand_id, player_hash, bucket, kind, received_at, cause, reason, at, parked_at)
      select 9, i, 0, $1, 0, 0, 1, now(), 'too_old', '', now(), now() from generate_series(1, 10_010) i`;
    await pool.query(many, [brand.brand_id]);
    expect(await countTooOld(pool, brand.brand_id)).toBe(10_000);
    const { pool: watched, onQuery } = watchedPool(pool);
    const order: string[] = [];
    onQuery(/with chosen/, async (text) => void order.push(/order by (.*) limit/.exec(text)?.[1] ?? ''));
    const one = { only: undefined, limit: 1, now: noon };
    await transaction(watched, (tx) => importTooOld(tx, brand.brand_id, { user_id: 'nobody at all' }, one));
    const { rows } = await pool.query(`select indexdef from pg_indexes where indexname = 'parked_event_too_old'`);
    expect(rows[0].indexdef.toLowerCase()).toContain(order[0]);
    await pool.query('delete from parked_event where writer_id = 9');
  });

  test('a person imports them, by filter or individually; a rebuild gives the same result', async () => {
    const now = clock.now();
    const all = { only: undefined, limit: 100, now };
    const imported = (filter: Parameters<typeof importTooOld>[2], options: Parameters<typeof importTooOld>[3]) =>
      transaction(pool, (tx) => importTooOld(tx, brand.brand_id, filter, options));
    expect(await imported({ kind: 'casino', user_id: 'ann' }, all)).toBe(1);
    // No difference, neither between the request and its application nor afterwards.
    expect(await differences()).toEqual(none);
    expect(await worker.retryOnce()).toMatchObject({ tried: 1, applied: 1 });
    expect(await differences()).toEqual(none);
    const [first] = (await list()).filter(({ user_id }) => user_id === 'ann');
    if (first === undefined) throw new Error('the list is empty');
    expect(await imported({}, { ...all, only: [first.position] })).toBe(1);
    await worker.retryOnce();
    expect(await list()).toMatchObject([{ user_id: 'nobody' }]);
    const { rows } = await pool.query('select bet_count from live.casino_total where player_id = $1', [
      await playerId('ann'),
    ]);
    expect(rows).toEqual([{ bet_count: 1 }]);
    expect(await differences()).toEqual(none);
  });

  test('events that were not imported lapse with their day; imported ones are in the baseline', async () => {
    expect(await nextDay(4)).toMatchObject({ dropped: 1, held: 0 });
    expect(await list()).toEqual([]);
    expect(await differences()).toEqual(none);
  });

  test('an event stays too old, or applied, when the setting changes', async () => {
    await tell(deposit('ann', 'older', clock.now() - 5 * day));
    await pool.query(`update brand set settings = settings || '{"history_days": 30}'`);
    await history.brands.refresh();
    expect(await differences()).toEqual(none);
    expect(await list()).toHaveLength(1);
  });
});

describe('facts that are kept only for the history', async () => {
  const history = await setupHistory();
  const { clock, pool, brand, tell, nextDay, differences, playerId, worker } = history;
  const counted = async (table: string) => {
    const { rows } = await pool.query<{ n: number }>(`select count(*) as n from ${table}`);
    return rows[0]?.n;
  };
  const casinoTotal = async () => {
    const { rows } = await pool.query('select * from live.casino_total where player_id = $1', [await playerId('bob')]);
    return rows[0];
  };

  test('are removed on both sides when no kept event can touch them; their counts stay', async () => {
    const start = clock.now();
    await tell(
      casino('bob', 'first', start - 60_000_000, { amount: 100 }),
      casino('bob', 'second', start, { amount: 50 }),
      custom('bob', start),
      deposit('bob', '1', start),
    );
    expect((await nextDay(4)).dropped).toBe(1);
    expect(await counted('live.round')).toBe(2);
    await tell(casino('bob', 'third', clock.now(), { amount: 20 }));
    for (let n = 0; n < 2; n++) {
      await nextDay(8);
      await tell(casino('bob', `later-${n}`, clock.now(), { amount: 1 + n }));
    }
    const last = await nextDay(8);
    expect(last.pruned).toBeGreaterThan(0);
    expect(await counted('live.round')).toBe(2);
    expect(await counted('live.casino_activity')).toBe(2);
    expect(await counted('live.custom_event')).toBe(0);
    expect(await counted('live.payment')).toBe(1);
    expect(await casinoTotal()).toMatchObject({ bet_count: 5, bet_biggest: '100', bet_first_at: start - 60_000_000 });
    expect(await differences()).toEqual(none);
  });

  test('a rollback of a remaining fact restores the first date and biggest amount of the removed facts', async () => {
    await tell(casino('bob', 'later-1', clock.now(), { status: 'Rollback' }));
    const total = await casinoTotal();
    expect(total).toMatchObject({ bet_count: 4, bet_biggest: '100', bet_first_at: noon - 60_000_000 });
    expect(await differences()).toEqual(none);
  });

  test('a round that a late rollback changed is only removed after the baseline contains the rollback', async () => {
    const before = await casinoTotal();
    const then = clock.now();
    await tell(casino('bob', 'huge', then, { amount: 1_000 }), casino('bob', 'beside', then + 1, { amount: 2 }));
    await nextDay(16);
    await tell(casino('bob', 'huge', clock.now(), { status: 'Rollback' }));
    // The round is old enough now, but it differs in the baseline, which does not contain the rollback yet.
    await nextDay(2);
    const old = `live.round where round_id in ('huge', 'beside') and played`;
    expect(await counted(old)).toBe(2);
    expect(await differences()).toEqual(none);
    await nextDay(2);
    await nextDay(8);
    expect(await counted(old)).toBe(0);
    expect(await casinoTotal()).toMatchObject({ bet_count: Number(before.bet_count) + 1, bet_biggest: '100' });
    expect(await differences()).toEqual(none);
  });

  test('an event older than the removed facts is too old, even if the setting was raised', async () => {
    await pool.query(`update brand set settings = settings || '{"history_days": 400}'`);
    await history.brands.refresh();
    const before = await casinoTotal();
    await tell(casino('bob', 'first', noon - 60_000_000, { amount: 100 }), deposit('bob', '2', clock.now() - 3 * day));
    expect(await listTooOld(pool, brand.brand_id, {}, 10)).toMatchObject([{ kind: 'casino' }]);
    expect(await casinoTotal()).toEqual(before);
    expect(await differences()).toEqual(none);
    expect(await worker.retryOnce()).toMatchObject({ tried: 0 });
  });
});
