import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../testing/derive/stage.ts';
import type { DerivedBatch } from './consumer.ts';
import { JournalPartitions, timeline } from './journal/index.ts';
import { stateHashes } from './state-hash.ts';
import { readTraits } from './traits/index.ts';

const batches: DerivedBatch[] = [];
const consumer = {
  committed: 0,
  async onBatch(_tx: unknown, batch: DerivedBatch) {
    batches.push(batch);
  },
  onCommitted() {
    this.committed += 1;
  },
};
const stage = await setupStage({ consumers: [consumer], brand: { time_zone: 'Europe/Malta' } });
const { pool, clock, publish, derive, playerId } = stage;

test('events become facts, totals, traits and journal entries, and consumers receive them once', async () => {
  const payment = { kind: 'payment', body: paymentBody({ user_id: 'a', payment_id: 'p1', amount: 12.5 }) } as const;
  await publish(
    { kind: 'registration', body: { user_id: 'a', timestamp: '2026-05-01T10:00:00Z' } },
    { kind: 'login', body: { user_id: 'a', timestamp: '2026-05-01T10:00:01Z' } },
    payment,
    payment,
  );
  await derive();
  const player_id = await playerId('a');
  const traits = await readTraits(pool, { player_id, time_zone: 'Europe/Malta' }, clock.now());
  expect(traits.deposit_sum).toEqual({ value: '12.5', unit: 'base_currency', as_of: clock.now() });
  expect(traits.login_count_today?.value).toBe(1);
  const { entries } = await timeline(pool, player_id, {}, 10);
  const marks = [
    ['payment', 'applied'],
    ['payment', 'repeat'],
    ['login', 'applied'],
    ['registration', 'applied'],
  ];
  expect(entries.map(({ kind, verdict }) => [kind, verdict]).sort()).toEqual(marks.sort());
  const applied = batches.flatMap((batch) => batch.applied);
  expect(applied.map(({ event, verdict, user_id }) => [event.kind, verdict, user_id]).sort()).toEqual(
    marks.map((mark) => [...mark, 'a']).sort(),
  );
  expect(consumer.committed).toBe(1);
});

test('events of kinds that are not derived yet create their player and are journaled', async () => {
  const timestamp = '2026-05-01T11:00:00Z';
  await publish(
    { kind: 'user_update', body: { user_id: 'other', timestamp } },
    { kind: 'custom', body: { user_id: 'other', timestamp, notification_type: 'n', origin: 'site', data: {} } },
  );
  await derive();
  const { entries } = await timeline(pool, await playerId('other'), {}, 10);
  expect(entries.map(({ verdict }) => verdict)).toEqual(['applied', 'applied']);
});

test('a small backlog makes one batch, a large one is shared by the lanes, and each event is applied once', async () => {
  const logins = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => ({
      kind: 'login' as const,
      body: {
        user_id: `crowd-${i}`,
        timestamp: new Date(Date.parse('2026-05-01T10:00:00Z') + (from + i) * 1000).toISOString(),
      },
    }));
  const batchesOf = async (events: ReturnType<typeof logins>) => {
    const before = stage.worker.status().batches;
    await publish(...events);
    await stage.worker.runOnce();
    return stage.worker.status().batches - before;
  };
  expect(await batchesOf(logins(200, 0))).toBe(1);
  expect(await batchesOf(logins(600, 1_000))).toBe(1);
  // The last batch was large, so the lanes share the next ones until they are small.
  expect(await batchesOf(logins(600, 2_000))).toBe(2);
  expect(await batchesOf(logins(100, 3_000))).toBe(2);
  expect(await batchesOf(logins(100, 4_000))).toBe(1);
  const { rows } = await pool.query<{ entries: number; logins: number }>(
    `select (select count(*) from journal j join player p using (player_id) where p.user_id like 'crowd-%') as entries,
            (select count(*) from login l join player p using (player_id) where p.user_id like 'crowd-%') as logins`,
  );
  expect(rows).toEqual([{ entries: 1_600, logins: 1_600 }]);
});

test('a rolled-back transaction leaves no player number in memory', async () => {
  await publish({ kind: 'login', body: { user_id: 'later', timestamp: '2026-05-01T11:00:00Z' } });
  await pool.query('alter table feed_minute rename to away');
  await expect(stage.worker.runOnce()).rejects.toThrow('feed_minute');
  await pool.query('alter table away rename to feed_minute');
  await derive();
  const hashes = await stateHashes(pool, [await playerId('later')], clock.now());
  expect([...(hashes.get(await playerId('later'))?.keys() ?? [])].sort()).toEqual([
    'login',
    'login_day',
    'login_hour',
    'login_total',
    'player_activity',
  ]);
});

test.each([
  ['cut', 'Connection terminated unexpectedly'],
  // An error of the commit does not show whether the events caused it.
  ['odd', 'an unknown error'],
])(
  'P1: if a connection breaks right after the commit, the batch is not applied again: %s',
  async (user_id, message) => {
    await publish({ kind: 'login', body: { user_id, timestamp: '2026-05-01T11:00:00Z' } });
    const breakAfterCommit = (client: PoolClient) => {
      const query = client.query;
      client.query = (async (...args: Parameters<typeof query>) => {
        const result = await Reflect.apply(query, client, args);
        if ((args[0] as unknown) !== 'commit') return result;
        client.query = query;
        pool.off('acquire', breakAfterCommit);
        throw new Error(message);
      }) as typeof query;
    };
    pool.on('acquire', breakAfterCommit);
    await expect(stage.worker.runOnce()).rejects.toThrow(message);
    await derive();
    const { entries } = await timeline(pool, await playerId(user_id), {}, 10);
    expect(entries.map(({ verdict }) => verdict)).toEqual(['applied']);
  },
);

test('P1: a commit that the server still processes when the worker stops waiting is not repeated', async () => {
  // The first batch creates the day's partition of the journal, in a separate transaction.
  await publish({ kind: 'login', body: { user_id: 'slow', timestamp: '2026-05-01T10:00:00Z' } });
  await derive();
  await publish({ kind: 'logout', body: { user_id: 'slow', timestamp: '2026-05-01T11:00:00Z' } });
  let finish: (() => Promise<void>) | undefined;
  const delayCommit = (client: PoolClient) => {
    const { query } = client;
    client.query = (async (...args: Parameters<typeof query>) => {
      if ((args[0] as unknown) !== 'commit' || finish) return Reflect.apply(query, client, args);
      pool.off('acquire', delayCommit);
      const { release } = client;
      // From here on the worker receives no answers, while its connection stays open at the server.
      client.query = (async () => ({ rows: [] })) as unknown as typeof query;
      client.release = () => {};
      finish = async () => {
        Object.assign(client, { query, release });
        await client.query('commit');
        client.release();
      };
      throw new Error('Connection terminated unexpectedly');
    }) as typeof query;
  };
  pool.on('acquire', delayCommit);
  await expect(stage.worker.runOnce()).rejects.toThrow('Connection terminated');
  const again = stage.worker.runOnce();
  await expect.poll(waitingForLocks).toBe(1);
  await finish?.();
  expect(await again).toMatchObject({ events: 0 });
  const { entries } = await timeline(pool, await playerId('slow'), {}, 10);
  expect(entries.map(({ kind }) => kind)).toEqual(['logout', 'login']);
});

async function waitingForLocks(): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}

test('P9: a worker that lost its buckets writes nothing, and the new owner applies the events once', async () => {
  // Simulates a process that was suspended: it still considers itself the owner of all buckets, but in the database it no longer is.
  await pool.query('update bucket set worker_id = null, fence = fence + 1');
  await publish({ kind: 'payment', body: paymentBody({ user_id: 'fenced', payment_id: 'p1' }) });
  await expect(stage.worker.runOnce()).rejects.toThrow('belong to another worker');
  const { rows } = await pool.query(
    'select * from live.payment_total where player_id in (select player_id from player where user_id = $1)',
    ['fenced'],
  );
  expect(rows).toEqual([]);
  await stage.leases.runOnce();
  await derive();
  const traits = await readTraits(pool, { player_id: await playerId('fenced'), time_zone: 'UTC' }, clock.now());
  expect(traits.deposit_count?.value).toBe(1);
});

test('the loop applies events when it is woken, waits while connections are lost, and finishes the current batch on stop', async () => {
  await stage.worker.start();
  const applied = stage.worker.status().events;
  await publish({ kind: 'login', body: { user_id: 'loop', timestamp: '2026-05-01T11:00:00Z' } });
  stage.worker.wake();
  await expect.poll(() => stage.worker.status().events).toBe(applied + 1);
  // Cuts every connection of this database, as a restart of the server does.
  const cut = () =>
    pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = 'croupier test'`,
    );
  await cut();
  await publish({ kind: 'login', body: { user_id: 'loop', timestamp: '2026-05-01T11:00:01Z' } });
  stage.worker.wake();
  await expect.poll(() => stage.worker.status().events).toBe(applied + 2);
  await expect.poll(() => stage.worker.status().outage).toBeNull();
  await stage.worker.stop();
});

test('a partition of the journal that another process dropped is created again, and derive continues', async () => {
  const login = (user_id: string) => ({ kind: 'login', body: { user_id, timestamp: '2026-05-01T10:00:01Z' } }) as const;
  await publish(login('before'));
  await derive();
  const partition = `public.journal_${new Date(clock.now() / 1000).toISOString().slice(0, 10).replaceAll('-', '')}`;
  await pool.query(`alter table public.journal detach partition ${partition}`);
  await pool.query(`drop table ${partition}`);
  const running = stage.worker;
  await publish(login('after'));
  await running.start();
  await expect.poll(() => playerId('after').catch(() => undefined)).toBeDefined();
  await running.stop();
  expect((await timeline(pool, await playerId('after'), {}, 10)).entries).toHaveLength(1);
});

test('a partition of the journal that was detached, but not dropped, is attached with its rows', async () => {
  const login = { kind: 'login', body: { user_id: 'kept', timestamp: '2026-05-01T10:00:01Z' } } as const;
  await publish(login);
  await derive();
  const player = await playerId('kept');
  const partition = `public.journal_${new Date(clock.now() / 1000).toISOString().slice(0, 10).replaceAll('-', '')}`;
  await pool.query(`alter table public.journal detach partition ${partition}`);
  await new JournalPartitions(pool).ensure([clock.now()]);
  expect((await timeline(pool, player, {}, 10)).entries).toHaveLength(1);
});
