import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { Writer } from './cursor.ts';
import { dayAfter, startOfDay } from './day.ts';
import { type Bucket, bucketCount } from './ledger.ts';
import type { PendingProtection } from './pending-protection.ts';

/**
 * The SQL of writers and blocks. The SQL of packs is in pack-store.ts and history-store.ts.
 *
 * A block up to its writer's `packed_seq` must be read from packs, so no statement here returns it, even while its row
 * still exists. `blocksAt` may return it, because it is called first, and packs are searched only for the rest.
 */

/** Class of the session-level advisory locks that mean "the connection of this writer is alive". */
const writerLockClass = 0x6c_65_64;
/** Held for the length of a transaction, so that writer ids are assigned and committed one at a time. */
const openWriterLock = 0x6c_65_65;

export interface BlockRow {
  writer_id: number;
  seq: number;
  day: string;
  received_at: Micros;
  event_count: number;
  payload: Buffer;
}

export interface BlockRead extends Omit<BlockRow, 'payload' | 'received_at'> {
  /** Null if the block has no event of the requested buckets. */
  payload: Buffer | null;
}

/**
 * Registers the connection as a new writer. The lock of its session is held before the row becomes visible, so no process considers the
 * writer closed. The lock is released when the connection ends, after the last of its transactions.
 */
export async function openWriter(client: ClientBase, process: string): Promise<number> {
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1::int, 0)', [openWriterLock]);
  const { rows } = await client.query<{ writer_id: number }>(
    `insert into ledger_writer (process) values ($1)
     returning writer_id, pg_advisory_lock($2::int, writer_id) is null as locked`,
    [process, writerLockClass],
  );
  await client.query('commit');
  const row = rows[0];
  if (row === undefined) throw new Error('the database returned no number for the writer');
  return row.writer_id;
}

/**
 * Inserts a block with one statement, which is prepared once per connection. The statement is its own transaction. So the block is
 * durable when the function returns.
 *
 * @param pending the events of the block that can change a player's protection, written by the same statement. Most
 *   blocks have none, and then it costs nothing
 */
export async function insertBlock(
  client: ClientBase,
  block: BlockRow & { bucket_mask: bigint; brand_ids: number[] },
  pending: readonly PendingProtection[],
): Promise<void> {
  const statement = pending.length === 0 ? blockAlone : blockWithPending;
  const columns = [
    pending.map(({ bucket }) => bucket),
    pending.map(({ player_hash }) => player_hash),
    pending.map(({ index }) => index),
  ];
  await client.query({
    ...statement,
    values: [
      block.writer_id,
      block.seq,
      block.day,
      timestamptzText(block.received_at),
      block.event_count,
      block.bucket_mask.toString(),
      block.brand_ids,
      block.payload,
      ...(pending.length === 0 ? [] : columns),
    ],
  });
}

const insertIntoBlocks = `insert into ledger_block
    (writer_id, seq, day, received_at, event_count, bucket_mask, brand_ids, payload)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

const blockAlone = { name: 'insert_ledger_block', text: insertIntoBlocks };

const blockWithPending = {
  name: 'insert_ledger_block_with_pending',
  text: `with pending as (
           insert into pending_protection (bucket, player_hash, writer_id, seq, index)
           select p.bucket, p.player_hash, $1::int, $2::bigint, p.index
             from unnest($9::smallint[], $10::bigint[], $11::int[]) as p (bucket, player_hash, index)
         )
         ${insertIntoBlocks}`,
};

/** True if a block was refused because its day has no partition, or no longer has one. */
export function isWithoutPartition(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23514';
}

/**
 * The blocks after the positions, ordered by writer and number. For each writer it returns as many blocks as stay within
 * the limits, but at least one. Only blocks with events of the masked buckets count toward events and bytes.
 *
 * Null if some of what follows is packed and must be read first. The same statement checks this and reads the blocks. So if a day is
 * packed meanwhile, the caller gets the whole day either as blocks or as packs.
 */
export async function blocksAfter(
  pool: Pool,
  from: {
    floor: number;
    at: { writer_id: number; day: string; seq: number }[];
    upTo: { writer_id: number; seq: number }[];
    mask: bigint;
    blocks: number;
    events: number;
    bytes: number;
  },
): Promise<BlockRead[] | null> {
  const { rows } = await pool.query<BlockRead & { packed: boolean }>({
    name: 'ledger_blocks_after',
    text: `with reader as materialized (
             select w.writer_id, coalesce(c.seq, 0) < w.packed_seq as packed, coalesce(c.seq, 0) as seq, coalesce(c.day, '-infinity'::date) as day,
                    coalesce(u.seq, 9223372036854775807) as up_to
             from ledger_writer w
             left join unnest($2::int[], $3::date[], $4::bigint[]) as c(writer_id, day, seq) using (writer_id)
             left join unnest($5::int[], $6::bigint[]) as u(writer_id, seq) using (writer_id)
             where w.writer_id > $1
               and (w.closed_seq is null or coalesce(c.seq, 0) < w.closed_seq)
           )
           select true as packed, null as writer_id, null as seq, null as day, null as event_count, null as payload
           where exists (select from reader where packed)
           union all
           select false, r.writer_id, b.seq, b.day, b.event_count, b.payload
           from reader r
           cross join lateral (
             select seq, day, event_count, case when wanted then payload end as payload
             from (
               select *, sum(case when wanted then event_count else 0 end) over before as events_before,
                      sum(case when wanted then octet_length(payload) else 0 end) over before as bytes_before
               from (
                 select seq, day, event_count, payload, bucket_mask & $7::bigint <> 0 as wanted
                 from ledger_block
                 where writer_id = r.writer_id and day >= r.day and seq > r.seq and seq <= r.up_to
                 order by seq
                 limit $8
               ) next
               window before as (order by seq rows between unbounded preceding and 1 preceding)
             ) counted
             where coalesce(events_before, 0) < $9 and coalesce(bytes_before, 0) < $10
           ) b
           where not exists (select from reader where packed)
           order by writer_id, seq`,
    values: [
      from.floor,
      from.at.map((a) => a.writer_id),
      from.at.map((a) => a.day),
      from.at.map((a) => a.seq),
      from.upTo.map((u) => u.writer_id),
      from.upTo.map((u) => u.seq),
      BigInt.asIntN(64, from.mask).toString(),
      from.blocks,
      from.events,
      from.bytes,
    ],
  });
  return rows[0]?.packed ? null : rows;
}

export async function writersAbove(pool: Pool, floor: number): Promise<Writer[]> {
  const { rows } = await pool.query<Writer>(
    'select writer_id, packed_seq, closed_seq from ledger_writer where writer_id > $1 order by writer_id',
    [floor],
  );
  return rows;
}

/** Blocks ordered by `received_at`, with inclusive bounds, for replays and for people who look at past events. */
export async function blocksByTime(
  db: Pool | ClientBase,
  page: {
    direction: 'oldest' | 'newest';
    from: Micros;
    to: Micros;
    mask: bigint;
    brandId: number | null;
    /** Where the last page ended. Blocks of equal time are ordered by writer and number. */
    after: { received_at: Micros; writer_id: number; seq: number } | null;
    /** Maximum blocks and maximum bytes of the page. It has at least one block, however large that block is. */
    blocks: number;
    bytes: number;
  },
): Promise<BlockRow[]> {
  const newest = page.direction === 'newest';
  const order = ['received_at', 'writer_id', 'seq'].map((column) => `${column} ${newest ? 'desc' : 'asc'}`).join(', ');
  const { rows } = await db.query<BlockRow>(
    `with next as (
       select writer_id, seq, day, received_at, event_count, payload
       from ledger_block
       where received_at between $1 and $2
         and seq > (select packed_seq from ledger_writer w where w.writer_id = ledger_block.writer_id)
         -- If a clock stepped back, the day of a block may be later than its time. One more day on either side covers that.
         and day between ($1::timestamptz at time zone 'UTC')::date - 1 and ($2::timestamptz at time zone 'UTC')::date + 1
         and bucket_mask & $3::bigint <> 0
         and ($4::int is null or $4::int = any (brand_ids))
         and ($5::timestamptz is null or (received_at, writer_id, seq) ${newest ? '<' : '>'} ($5, $6::int, $7::bigint))
       order by ${order}
       limit $8
     ), counted as (
       select *, sum(octet_length(payload)) over (order by ${order} rows between unbounded preceding and 1 preceding) as before
       from next
     )
     select writer_id, seq, day, received_at, event_count, payload
     from counted
     where coalesce(before, 0) < $9
     order by ${order}`,
    [
      timestamptzText(page.from),
      timestamptzText(page.to),
      BigInt.asIntN(64, page.mask).toString(),
      page.brandId,
      page.after ? timestamptzText(page.after.received_at) : null,
      page.after?.writer_id ?? null,
      page.after?.seq ?? null,
      page.blocks,
      page.bytes,
    ],
  );
  return rows;
}

export async function blocksAt(pool: Pool, places: { writer_id: number; seq: number }[]): Promise<BlockRow[]> {
  const { rows } = await pool.query<BlockRow>(
    `select b.writer_id, b.seq, b.day, b.received_at, b.event_count, b.payload
     from unnest($1::int[], $2::bigint[]) as p(writer_id, seq)
     join ledger_block b using (writer_id, seq)`,
    [places.map((p) => p.writer_id), places.map((p) => p.seq)],
  );
  return rows;
}

/**
 * The number of blocks with events of the masked buckets after the positions. It reads at most `limit` blocks of each
 * writer. `packed` is true if some of what follows is packed, and not counted here.
 */
export async function blocksBehind(
  pool: Pool,
  from: { floor: number; at: { writer_id: number; day: string; seq: number }[]; mask: bigint; limit: number },
): Promise<{ blocks: number; oldest_received_at: Micros | null; packed: boolean }> {
  const { rows } = await pool.query<{ blocks: number; oldest_received_at: Micros | null; packed: boolean | null }>(
    `select coalesce(sum(b.blocks), 0)::bigint as blocks, min(b.oldest) as oldest_received_at,
            bool_or(coalesce(c.seq, 0) < w.packed_seq) as packed
     from ledger_writer w
     left join unnest($2::int[], $3::date[], $4::bigint[]) as c(writer_id, day, seq) using (writer_id)
     cross join lateral (
       select count(*) as blocks, min(received_at) as oldest
       from (
         select received_at, bucket_mask from ledger_block
         where writer_id = w.writer_id and day >= coalesce(c.day, '-infinity'::date)
           and seq > greatest(c.seq, w.packed_seq)
         order by seq
         limit $5
       ) next
       where bucket_mask & $6::bigint <> 0
     ) b
     where w.writer_id > $1 and (w.closed_seq is null or coalesce(c.seq, 0) < w.closed_seq)`,
    [
      from.floor,
      from.at.map((a) => a.writer_id),
      from.at.map((a) => a.day),
      from.at.map((a) => a.seq),
      from.limit,
      BigInt.asIntN(64, from.mask).toString(),
    ],
  );
  const { blocks = 0, oldest_received_at = null, packed = null } = rows[0] ?? {};
  return { blocks, oldest_received_at, packed: packed === true };
}

/**
 * Closes writers whose connection is gone. The session lock of such a writer is free. So none of its transactions is open, and no more will
 * follow. Returns the number of closed writers.
 */
export async function closeGoneWriters(pool: Pool): Promise<number> {
  const client = await pool.connect();
  try {
    // Two statements, because the last number may only be read after the lock is held.
    const { rows } = await client.query<{ writer_id: number }>(
      `select writer_id
       from (select writer_id from ledger_writer where closed_seq is null order by writer_id limit 1000) w
       where pg_try_advisory_lock($1::int, writer_id)`,
      [writerLockClass],
    );
    const gone = rows.map((row) => row.writer_id);
    if (gone.length === 0) return 0;
    try {
      await client.query(
        `update ledger_writer w
         set closed_seq = greatest(packed_seq, (select max(seq) from ledger_block b where b.writer_id = w.writer_id))
         where writer_id = any ($1::int[])`,
        [gone],
      );
    } finally {
      await client.query('select pg_advisory_unlock($1::int, id) from unnest($2::int[]) as id', [
        writerLockClass,
        gone,
      ]);
    }
    return gone.length;
  } finally {
    client.release();
  }
}

/**
 * Creates the partition of a UTC day if it is missing. It creates a separate table and then attaches it, which takes
 * only a lock on the parent that does not block readers and writers. `create ... partition of` would wait for every
 * open transaction that ever read the ledger, and block all statements that come after it.
 */
export async function ensurePartition(client: ClientBase, day: string): Promise<void> {
  const name = partitionName(day);
  const { rows } = await client.query<{ attached: boolean }>(
    `select exists (
       select from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'ledger_block'::regclass and c.relname = $1
     ) as attached`,
    [name],
  );
  if (rows[0]?.attached) return;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1::int, 1)', [openWriterLock]);
    await client.query(`create table if not exists ${name} (like ledger_block including all)`);
    const { rows: again } = await client.query<{ attached: boolean }>(
      `select exists (select from pg_inherits where inhrelid = $1::regclass) as attached`,
      [name],
    );
    if (!again[0]?.attached) {
      await client.query(
        `alter table ledger_block attach partition ${name} for values from ('${day}') to ('${dayAfter(day)}')`,
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** @throws {RangeError} if the text is not a day, because it becomes part of a statement */
export function partitionName(day: string): string {
  startOfDay(day);
  return `ledger_block_${day.replaceAll('-', '')}`;
}

export async function noteDamage(
  pool: Pool,
  block: { writer_id: number; seq: number; event_count: number; reason: string },
): Promise<void> {
  await pool.query(
    `insert into ledger_damage (writer_id, seq, event_count, reason) values ($1, $2, $3, $4)
     on conflict (writer_id, seq) do update set reason = excluded.reason`,
    [block.writer_id, block.seq, block.event_count, block.reason],
  );
}

/** A damaged pack is recorded among the damaged blocks as a block of writer 0, an id that no connection has. */
export function packDamage({
  slice_id,
  bucket,
  event_count,
}: {
  slice_id: number;
  bucket: Bucket;
  event_count: number;
}) {
  return { writer_id: 0, seq: slice_id * bucketCount + bucket, event_count };
}

/** The number of unreadable blocks, for metrics and alarms. */
export async function countDamagedBlocks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ blocks: number }>('select count(*) as blocks from ledger_damage');
  return rows[0]?.blocks ?? 0;
}
