import { startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { storedCursors } from '../packages/platform/src/buckets/index.ts';
import type { Ledger } from '../packages/platform/src/ledger/index.ts';
import { PostgresLedger } from '../packages/platform/src/ledger/postgres.ts';
import { report } from './figure.ts';
import { derivedRate } from './load/derived-rate.ts';
import { startPlatform } from './platform.ts';

/*
 * Sizes: the disk space of an event, a fact and a player, including indexes (docs/sizing.md). The full mix is played for a
 * while; then every table's bytes are divided by its rows, and by the events that created them; then the day is packed.
 *
 * The sizes are measured after `vacuum full`, so they do not include the space that updates leave. docs/sizing.md adds this space.
 */

const aDay = 86_400_000_000;

interface TableSize {
  name: string;
  rows: number;
  bytes: number;
}

export async function benchSizes(options: { smoke: boolean }): Promise<boolean> {
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
  const platform = await startPlatform({ worker: true, operatorUrl: operator.url });
  const { pool } = platform;
  try {
    await derivedRate(platform, { seconds: options.smoke ? 2 : 60, seed: 1 });
    await settled(pool);
    const { rows } = await pool.query<{ events: number; players: number }>(
      'select (select sum(events)::bigint from feed_minute) as events, (select count(*) from player) as players',
    );
    const [{ events = 0, players = 0 } = {}] = rows;
    figure('events', events, 'events');
    figure('players', players, 'players');
    for (const schema of ['live', 'public']) {
      for (const { name, rows, bytes } of await tablesOf(pool, schema)) {
        if (rows === 0) continue;
        figure(`${name}_per_row`, bytes / rows, 'bytes');
        figure(`${name}_per_event`, bytes / events, 'bytes');
      }
    }
    figure('packed_per_event', await packedBytes(pool), 'bytes');
    return true;
  } finally {
    await platform.stop();
    await operator.stop();
  }
}

/** Waits until derive has processed everything that was sent. */
async function settled(pool: Pool): Promise<void> {
  for (let before = -1; ; ) {
    const { rows } = await pool.query<{ events: number }>(
      'select coalesce(sum(events), 0)::bigint as events from feed_minute',
    );
    const events = rows[0]?.events ?? 0;
    if (events === before) return;
    before = events;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

function figure(name: string, value: number, unit: string): void {
  report({ bench: 'sizes', figure: name, value, unit });
}

/** Tables of a schema, with partitions added up under the name of their parent. */
async function tablesOf(pool: Pool, schema: string): Promise<TableSize[]> {
  const { rows } = await pool.query<{ name: string; parts: string[] }>(
    `select coalesce(p.relname, c.relname) as name, array_agg(format('%I.%I', $1::text, c.relname)) as parts
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' group by 1 order by 1`,
    [schema],
  );
  const sizes: TableSize[] = [];
  for (const { name, parts } of rows) {
    const size = { name: `${schema}.${name}`, rows: 0, bytes: 0 };
    for (const part of parts) {
      await pool.query(`vacuum full ${part}`);
      const measured = await pool.query<{ rows: number; bytes: number }>(
        `select count(*) as rows, pg_total_relation_size($1::regclass) as bytes from ${part}`,
        [part],
      );
      size.rows += measured.rows[0]?.rows ?? 0;
      size.bytes += measured.rows[0]?.bytes ?? 0;
    }
    sizes.push(size);
  }
  return sizes;
}

/** Bytes per event of the day after packing, as it will be an hour after its end. */
async function packedBytes(pool: Pool): Promise<number> {
  const log = pino({ level: 'warn' });
  const now = () => Date.now() * 1_000 + 2 * aDay;
  const readers = () => storedCursors(pool, ledger.beginning);
  const ledger: Ledger = new PostgresLedger({
    pool,
    connection: {},
    process: 'sizes',
    now,
    log,
    readers,
    ready: async () => {},
  });
  const history = ledger.days;
  // Workers store the cursors of idle buckets every few seconds. A day can be packed when all cursors are past it.
  for (let tries = 0; tries < 60; tries++) {
    const [day] = await history.days();
    if (day === undefined) throw new Error('the ledger has no day');
    const packed = await history.pack(day.day);
    if (packed.outcome === 'packed') return packed.bytes / packed.events;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error('the day could not be packed within a minute');
}
