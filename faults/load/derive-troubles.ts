import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { connectionConfig, openPool } from '../../packages/platform/src/database/index.ts';
import { type LedgerEntry, playerHash } from '../../packages/platform/src/ledger/index.ts';
import { PostgresLedger } from '../../packages/platform/src/ledger/postgres.ts';
import { type Random, seededRandom } from '../../packages/sandbox/src/random.ts';
import type { Installation } from '../installation/installation.ts';
import { send } from '../installation/processes.ts';
import { until } from '../installation/until.ts';
import { eventOf } from './event.ts';

/* Three ways of making derive lag behind the acknowledged events. The first two last until their result is disposed of. */

/**
 * Stops all deriving: every batch has payments, and waits for the lock on their table. An api and a worker process are killed
 * in the meantime.
 */
export async function lockPayments(
  { databaseUrl, pids }: Installation,
  { random, seconds, signal }: { random: Random; seconds: number; signal?: AbortSignal | undefined },
): Promise<AsyncDisposable> {
  const client = new pg.Client(connectionConfig(databaseUrl, { name: 'fault of the tables', statementTimeoutMs: 0 }));
  client.on('error', () => {});
  await client.connect();
  await client.query('begin; lock table live.payment in access exclusive mode');
  const killing = Promise.all(
    (['api', 'worker'] as const).map(async (role) => {
      await delay(random.next() * seconds * 1_000, undefined, { signal });
      send(one(random, await pids(role)), 'SIGKILL');
    }),
  ).catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      await killing;
      await client.end();
    },
  };
}

/** Stops one of the workers (SIGSTOP), with its share of the buckets and its open transaction. */
export async function stopWorker({ pids }: Installation, { random }: { random: Random }): Promise<AsyncDisposable> {
  const workers = await until(
    'two workers',
    async () => {
      const found = await pids('worker');
      return found.length >= 2 && found;
    },
    { limitMs: 60_000 },
  );
  const pid = one(random, workers);
  send(pid, 'SIGSTOP');
  return {
    async [Symbol.asyncDispose]() {
      send(pid, 'SIGCONT');
    },
  };
}

const eventsPerAppend = 2_000;
/** Share of the imported events that report a change of their player. */
const updateShare = 0.02;

/**
 * Puts imported events into the ledger, before all later ones. The test's own ledger writer appends them, because an import through
 * HTTP would only take longer. The table of payments is locked until all of them are stored, so that none is derived
 * before that.
 */
export async function importAhead(
  installation: Installation,
  { brandId, users, count, seed }: { brandId: number; users: readonly string[]; count: number; seed: string },
): Promise<void> {
  const random = seededRandom(`import/${seed}`);
  const name = 'import of the fault runs';
  const connection = connectionConfig(installation.databaseUrl, { name });
  const pool = openPool(installation.databaseUrl, { name });
  const locking = new pg.Client(connectionConfig(installation.databaseUrl, { name, statementTimeoutMs: 0 }));
  try {
    await locking.connect();
    await locking.query('begin; lock table live.payment in access exclusive mode');
    const now = () => Date.now() * 1_000;
    const ledger = new PostgresLedger({
      pool,
      connection,
      process: name,
      now,
      log: pino({ level: 'silent' }),
      ready: async () => {},
    });
    const writer = await ledger.openWriter();
    for (let done = 0; done < count; done += eventsPerAppend) {
      const size = Math.min(eventsPerAppend, count - done);
      await writer.append(
        Array.from({ length: size }, (_, n) => imported(random, { brandId, users, number: done + n })),
      );
    }
    await writer.close();
  } finally {
    await locking.end();
    await pool.end();
  }
}

function imported(
  random: Random,
  { brandId, users, number }: { brandId: number; users: readonly string[]; number: number },
): LedgerEntry {
  const user_id = one(random, users);
  const timestamp = new Date(Date.now() - random.whole(2, 60 * 24) * 3_600_000).toISOString();
  const payment = { type: 'Credit', status: 'Approved', amount: 10, currency: 'EUR', exchange_rate: 1, vendor_id: 'v' };
  const { kind, body } = random.chance(updateShare)
    ? eventOf('user_update', { user_id, timestamp })
    : eventOf('payment', { user_id, timestamp, payment_id: `import-${number}`, ...payment });
  return {
    brand_id: brandId,
    kind,
    body: Buffer.from(body),
    received_at: Date.now() * 1_000,
    player_hash: playerHash(brandId, user_id),
  };
}

function one<T>(random: Random, list: readonly T[]): T {
  return random.pick(list as readonly [T, ...T[]]);
}
