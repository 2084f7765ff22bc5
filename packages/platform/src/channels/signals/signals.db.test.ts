import { Socket } from 'node:net';
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { connectionConfig, transaction } from '../../database/index.ts';
import type { NewSignal, SiteSignal } from './signal.ts';
import { SignalListener } from './signal-listener.ts';
import { SignalReader } from './signal-reader.ts';
import { SignalSender } from './signal-sender.ts';
import { endedSince, readSnapshot, writeSignals } from './signal-store.ts';
import { keepSeconds, SignalUpkeep } from './signal-upkeep.ts';

/* Each committed signal reaches each process once, by hints and by polls, in any order of commits, and despite failures. */
const { pool, url } = await setupDatabase();
const connection = connectionConfig(url, { name: 'test' });

const arrived = (player_id: number, message_id = 1): NewSignal => ({
  brand_id: 1,
  player_id,
  kind: 'arrived',
  message_id,
});
const write = (signals: readonly NewSignal[]) => transaction(pool, (tx) => writeSignals(tx, signals));

/** A reading process with players 1 to 9, and the signals that it delivered, in order. */
async function reader(options: { pollMs: number; hints?: boolean; fail?: () => Error | undefined }) {
  const delivered: SiteSignal[] = [];
  let onDelivery: () => void = () => {};
  const players = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const service = new SignalReader({
    pool,
    log: testLog,
    pollMs: options.pollMs,
    players: () => players,
    isWanted: (playerId) => players.includes(playerId),
    async deliver(signals) {
      const failure = options.fail?.();
      if (failure) throw failure;
      delivered.push(...signals);
      onDelivery();
    },
    onGap: () => {},
  });
  await service.start();
  const listener = new SignalListener({ connection, process: 'test', log: testLog, onHints: service.hear });
  if (options.hints !== false) await listener.start();
  onTestFinished(async () => {
    await listener.stop();
    await service.stop();
  });
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise<void>((resolve) => (onDelivery = resolve));
  };
  return { service, delivered, until, ids: () => delivered.map(({ signal_id }) => signal_id) };
}

function sender(): SignalSender {
  const made = new SignalSender({ connection, process: 'test', log: testLog });
  onTestFinished(() => made.stop());
  return made;
}

/** A transaction that stays open until `commit` is called. */
async function slowly(signals: readonly NewSignal[]): Promise<{ written: SiteSignal[]; commit(): Promise<void> }> {
  const client: PoolClient = await pool.connect();
  await client.query('begin');
  const written = await writeSignals(client, signals);
  return {
    written,
    async commit() {
      await client.query('commit');
      client.release();
    },
  };
}

test('without hints: a low id that is committed after higher ones is delivered, and nothing twice', async () => {
  const { delivered, until, ids } = await reader({ pollMs: 20, hints: false });
  const slow = await slowly([arrived(1)]);
  const quick = await write([arrived(2), arrived(3), arrived(77)]);
  await until(() => delivered.length === 2);
  const quicker = await write([arrived(4)]);
  await until(() => delivered.length === 3);
  await slow.commit();
  await until(() => delivered.length === 4);
  await write([arrived(5)]);
  await until(() => delivered.length === 5);
  const [first, second] = quick;
  expect(ids().slice(0, 4)).toEqual([
    first?.signal_id,
    second?.signal_id,
    quicker[0]?.signal_id,
    slow.written[0]?.signal_id,
  ]);
});

test('with hints only: signals are delivered within milliseconds, and not again by the next poll', async () => {
  const { service, delivered, until, ids } = await reader({ pollMs: 600_000 });
  const signals = sender();
  // The first hint also opens the connection.
  signals.poke(await write([arrived(1)]));
  await until(() => delivered.length === 1);
  const written = await write([arrived(2), arrived(3)]);
  signals.poke(written);
  await until(() => delivered.length === 3);
  // Only the hint can have delivered them: the next poll is ten minutes away.
  service.hear(null);
  // This signal has no hint, so its delivery shows that the poll is done.
  const [last] = await write([arrived(4)]);
  service.hear(null);
  await until(() => delivered.length === 4);
  expect(ids().slice(1)).toEqual([...written.map(({ signal_id }) => signal_id), last?.signal_id]);
});

test('if there are too many signals to list, the hint only asks to poll', async () => {
  const { delivered, until } = await reader({ pollMs: 600_000 });
  const signals = sender();
  signals.poke(await write(Array.from({ length: 6_000 }, (_, n) => arrived(n + 1))));
  await until(() => delivered.length === 9);
});

test('if the notifying and the listening connections are cut, both connect again, and every signal is delivered', async () => {
  const { delivered, until } = await reader({ pollMs: 600_000 });
  const signals = sender();
  signals.poke(await write([arrived(1)]));
  await until(() => delivered.length === 1);
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%signals%' and datname = current_database()`,
  );
  // No listener receives this hint. The listener polls when it is connected again.
  signals.poke(await write([arrived(2)]));
  await until(() => delivered.length === 2);
  // The sender retries a second after it failed.
  for (let n = 3; delivered.length < 3; n++) {
    signals.poke(await write([arrived(3, n)]));
    await Promise.race([until(() => delivered.length >= 3), new Promise((resolve) => setTimeout(resolve, 300))]);
  }
});

test('a sender that is stopped while it connects leaves no connection behind', async () => {
  const socket = new Socket();
  const connecting = new Promise<void>((resolve) => socket.once('lookup', () => resolve()).once('connect', resolve));
  const made = new SignalSender({ connection: { ...connection, stream: () => socket }, process: 'test', log: testLog });
  made.poke(await write([arrived(1)]));
  await connecting;
  await made.stop();
  expect(socket.closed || socket.writableEnded).toBe(true);
});

test('a signal that fails once is delivered by a later poll; one that fails again does not block the others', async () => {
  let fails = 3;
  const away = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
  const { delivered, until } = await reader({ pollMs: 10, hints: false, fail: () => (fails-- > 0 ? away : undefined) });
  await write([arrived(1)]);
  await until(() => delivered.length === 1);

  let asked = 0;
  const broken = await reader({
    pollMs: 10,
    hints: false,
    fail: () => (++asked === 1 || asked === 3 ? new Error('this one cannot be told') : undefined),
  });
  await write([arrived(1), arrived(2), arrived(3)]);
  await broken.until(() => broken.delivered.length === 2);
  expect(broken.delivered.map(({ player_id }) => player_id)).toEqual([1, 3]);
});

test('signals with transaction numbers of another server, as after a restore from a dump, are never delivered as new', async () => {
  const { delivered, until } = await reader({ pollMs: 10, hints: false });
  await pool.query(
    `insert into site_signal (brand_id, player_id, kind, message_id, written_by)
     values (1, 1, 'arrived', 1, (pg_current_xact_id()::text::bigint + 1000000)::text::xid8)`,
  );
  await write([arrived(2)]);
  await until(() => delivered.length === 1);
  await write([arrived(3)]);
  await until(() => delivered.length === 2);
  expect(delivered.map(({ player_id }) => player_id)).toEqual([2, 3]);
  await pool.query('delete from site_signal');
});

test('random sequences of transactions, hints and polls: each committed signal is delivered once, and no signal of a rollback', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          players: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
          /** How many other transactions begin before this one ends. */
          length: fc.integer({ min: 0, max: 4 }),
          commits: fc.boolean(),
          hint: fc.constantFrom('now', 'twice', 'never'),
          poll: fc.boolean(),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      async (steps) => {
        const delivered: number[] = [];
        let onDelivery: () => void = () => {};
        const service = new SignalReader({
          pool,
          log: testLog,
          pollMs: 600_000,
          players: () => [1, 2, 3, 4, 5, 6, 7, 8, 9],
          isWanted: (playerId) => playerId <= 9,
          async deliver(signals) {
            delivered.push(...signals.map(({ signal_id }) => signal_id));
            onDelivery();
          },
          onGap: () => {},
        });
        await service.start();
        const open: { endsAt: number; end: () => Promise<void> }[] = [];
        const expected: number[] = [];
        try {
          for (const [place, { players, length, commits, hint, poll }] of steps.entries()) {
            const client = await pool.connect();
            await client.query('begin');
            const written = await writeSignals(
              client,
              players.map((player) => arrived(player)),
            );
            const end = async () => {
              await client.query(commits ? 'commit' : 'rollback');
              client.release();
              if (!commits) return;
              expected.push(...written.filter(({ player_id }) => player_id <= 9).map(({ signal_id }) => signal_id));
              if (hint !== 'never') service.hear(written);
              if (hint === 'twice') service.hear(written);
            };
            open.push({ endsAt: place + length, end });
            for (const one of open.filter(({ endsAt }) => endsAt === place)) await one.end();
            if (poll) service.hear(null);
          }
        } finally {
          for (const one of open.filter(({ endsAt }) => endsAt >= steps.length)) await one.end();
        }
        const [last] = await write([arrived(1)]);
        expected.push(last?.signal_id ?? 0);
        service.hear(null);
        while (!delivered.includes(last?.signal_id ?? 0)) {
          await new Promise<void>((resolve) => {
            onDelivery = resolve;
          });
        }
        // The delivery of the last signal was the last part of the poll.
        await service.stop();
        expect([...delivered].sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
      },
    ),
    { numRuns: 30 },
  );
});

test('the ends of sessions since a snapshot are found, and old signals are deleted', async () => {
  const before = await readSnapshot(pool);
  await write([{ brand_id: 1, player_id: 5, kind: 'session_ended', message_id: null }, arrived(6)]);
  const after = await readSnapshot(pool);
  const asked = [
    { player_id: 6, snapshot: before },
    { player_id: 5, snapshot: before },
    { player_id: 5, snapshot: after },
  ];
  expect(await endedSince(pool, asked)).toEqual(new Set([1]));

  await pool.query('delete from site_signal');
  await write([arrived(1), arrived(2)]);
  await pool.query(`update site_signal set written_at = now() - $1 * interval '1 second' where player_id = 1`, [
    keepSeconds + 1,
  ]);
  expect(await new SignalUpkeep({ pool, log: testLog }).runOnce()).toEqual({ pruned: 1 });
});
