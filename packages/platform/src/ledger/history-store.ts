import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { Bucket, Day } from './ledger.ts';
import type { Pack } from './pack.ts';
import type { PackRow, SliceRow } from './pack-store.ts';
import { type BlockRow, partitionName } from './store.ts';

/** The SQL that packs and drops days. */

/** A process holds this lock while it packs or drops. Two processes at the same time would number the same blocks twice. */
const packerLock = 0x6c_65_66;
/** Long readers hold this lock shared. Each transaction that packs a slice or drops a day holds it exclusively. */
const holdLock = 0x6c_65_67;
/**
 * How long dropping a partition waits for other users of the ledger, in milliseconds. Writers and readers queue behind
 * it, so it gives up before the delay is noticeable. The caller tries again later.
 */
const partitionLockMs = 200;

/** The blocks of one writer in a day that are not packed. */
export interface Stretch {
  writer_id: number;
  /** The number before the first block, and the number of the last. */
  after: number;
  last: number;
}

/** False if another session packs or drops. `leaveAsPacker`, or closing the connection, releases the lock. */
export async function enterAsPacker(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [packerLock]);
  return rows[0]?.locked === true;
}

export async function leaveAsPacker(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [packerLock]);
}

/** False if a long reader holds the history. Lasts until the end of the transaction. */
export async function shutOutReaders(tx: ClientBase): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [holdLock]);
  return rows[0]?.locked === true;
}

/** Waits for the transaction of a packer, if there is one: a slice takes a few seconds. */
export async function holdHistory(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [holdLock]);
}

export async function releaseHistory(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock_shared($1)', [holdLock]);
}

/** The unpacked blocks of a day, by writer. Reads only the index. */
export async function unpackedOf(db: ClientBase | Pool, day: Day): Promise<Stretch[]> {
  const { rows } = await db.query<Stretch>(
    `select w.writer_id, greatest(w.packed_seq, b.first - 1) as after, b.last
     from ledger_writer w
     cross join lateral (
       select min(seq) as first, max(seq) as last
       from ledger_block where writer_id = w.writer_id and day = $1 and seq > w.packed_seq
     ) b
     where b.last is not null
     order by w.writer_id`,
    [day],
  );
  return rows;
}

/** True if an earlier day has blocks that are not packed. */
export async function hasUnpackedBefore(db: ClientBase | Pool, day: Day): Promise<boolean> {
  const { rows } = await db.query(
    `select from ledger_writer w
     where exists (select from ledger_block where writer_id = w.writer_id and day < $1 and seq > w.packed_seq)
     limit 1`,
    [day],
  );
  return rows.length > 0;
}

/** The next blocks of a stretch, ordered by number; at least one, if there is one. */
export async function blocksOfStretch(
  db: ClientBase | Pool,
  day: Day,
  { writer_id, after, last }: Stretch,
  page: { blocks: number; bytes: number },
): Promise<BlockRow[]> {
  const { rows } = await db.query<BlockRow>({
    name: 'ledger_blocks_of_stretch',
    text: `select writer_id, seq, day, received_at, event_count, payload
           from (
             select *, sum(octet_length(payload)) over (order by seq rows between unbounded preceding and 1 preceding) as before
             from (
               select writer_id, seq, day, received_at, event_count, payload
               from ledger_block
               where writer_id = $1 and day = $2 and seq > $3 and seq <= $4
               order by seq limit $5
             ) next
           ) counted
           where coalesce(before, 0) < $6
           order by seq`,
    values: [writer_id, day, after, last, page.blocks, page.bytes],
  });
  return rows;
}

/** Writes a slice, so that readers see it instead of its blocks. Call it in a separate transaction. */
export async function insertSlice(
  tx: ClientBase,
  slice: {
    day: Day;
    from_at: Micros;
    to_at: Micros;
    event_count: number;
    taken: readonly { writer_id: number; first_seq: number; last_seq: number }[];
    packs: readonly (Pack & { bucket: Bucket; event_count: number })[];
    set_aside: readonly BlockRow[];
  },
): Promise<void> {
  const { day, taken, packs, set_aside } = slice;
  const bytes = packs.reduce((sum, pack) => sum + pack.players.length + pack.heads.length + pack.bodies.length, 0);
  const { rows } = await tx.query<{ slice_id: number }>(
    `insert into ledger_slice (day, from_at, to_at, event_count, bytes, set_aside)
     values ($1, $2, $3, $4, $5, $6) returning slice_id`,
    [day, timestamptzText(slice.from_at), timestamptzText(slice.to_at), slice.event_count, bytes, set_aside.length],
  );
  const sliceId = rows[0]?.slice_id;
  const columns = [taken.map((t) => t.writer_id), taken.map((t) => t.first_seq), taken.map((t) => t.last_seq)];
  await tx.query(
    `insert into ledger_slice_writer (slice_id, writer_id, first_seq, last_seq)
     select $1, * from unnest($2::int[], $3::bigint[], $4::bigint[])`,
    [sliceId, ...columns],
  );
  for (const { bucket, event_count, players, heads, bodies } of packs) {
    await tx.query({
      name: 'insert_ledger_pack',
      text: `insert into ledger_pack (slice_id, bucket, event_count, players, heads, bodies) values ($1, $2, $3, $4, $5, $6)`,
      values: [sliceId, bucket, event_count, players, heads, bodies],
    });
  }
  for (const block of set_aside) {
    await tx.query(
      `insert into ledger_set_aside (slice_id, writer_id, seq, day, received_at, event_count, payload)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [sliceId, block.writer_id, block.seq, day, timestamptzText(block.received_at), block.event_count, block.payload],
    );
  }
  await markPacked(tx, day, taken);
}

/** Marks blocks as packed. From then on, readers look for them in packs. */
export async function markPacked(
  tx: ClientBase,
  day: Day,
  ends: readonly { writer_id: number; last_seq: number }[],
): Promise<void> {
  await tx.query(
    `update ledger_writer w set packed_seq = e.seq, packed_day = $3
     from unnest($1::int[], $2::bigint[]) as e(writer_id, seq) where w.writer_id = e.writer_id`,
    [ends.map((e) => e.writer_id), ends.map((e) => e.last_seq), day],
  );
}

/**
 * Drops the partition of a day if all of its blocks are packed, and keeps it if a late writer has added one. Returns
 * false if others used the ledger for too long; then nothing has changed.
 *
 * Other users wait until the transaction ends, so do little after this call. It locks the parent first, as every reader
 * and writer does. The other order could cause a deadlock.
 */
export async function dropPartition(tx: ClientBase, day: Day): Promise<boolean> {
  if (!(await hasPartition(tx, day))) return true;
  await tx.query('savepoint partition');
  try {
    await tx.query(`set local lock_timeout = ${partitionLockMs}`);
    await tx.query('lock table only ledger_block in access exclusive mode');
    if ((await unpackedOf(tx, day)).length === 0) await tx.query(`drop table ${partitionName(day)}`);
    await tx.query('set local lock_timeout to default');
    await tx.query('release savepoint partition');
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await tx.query('rollback to savepoint partition');
    return false;
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

async function hasPartition(db: ClientBase | Pool, day: Day): Promise<boolean> {
  const { rows } = await db.query(
    `select from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'ledger_block'::regclass and c.relname = $1`,
    [partitionName(day)],
  );
  return rows.length > 0;
}

/** Days that have a partition of blocks, and its size on the disk. */
export async function partitions(db: Pool): Promise<{ day: Day; bytes: number }[]> {
  const { rows } = await db.query<{ day: Day; bytes: number }>(
    `select to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day, pg_total_relation_size(c.oid) as bytes
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'ledger_block'::regclass`,
  );
  return rows;
}

export interface PackedDay {
  day: Day;
  events: number;
  bytes: number;
  set_aside: number;
}

/**
 * The contents of the packs of each day, or of one day. Bytes are those of the packs, without the server's overhead per
 * row and page.
 */
export async function packedDays(db: Pool | ClientBase, day: Day | null = null): Promise<PackedDay[]> {
  const { rows } = await db.query<PackedDay>(
    `select day, sum(event_count)::bigint as events, sum(bytes)::bigint as bytes, sum(set_aside)::bigint as set_aside
     from ledger_slice where $1::date is null or day = $1 group by day`,
    [day],
  );
  return rows;
}

export async function slicesOfDay(
  db: Pool | ClientBase,
  day: Day,
): Promise<Pick<SliceRow, 'slice_id' | 'set_aside'>[]> {
  const { rows } = await db.query<Pick<SliceRow, 'slice_id' | 'set_aside'>>(
    'select slice_id, set_aside from ledger_slice where day = $1 order by slice_id',
    [day],
  );
  return rows;
}

/** The pack of the next bucket of a slice. */
export async function nextPack(db: Pool, sliceId: number, after: Bucket): Promise<PackRow | undefined> {
  const { rows } = await db.query<PackRow>(
    `select slice_id, bucket, event_count, players, heads, bodies from ledger_pack
     where slice_id = $1 and bucket > $2 order by bucket limit 1`,
    [sliceId, after],
  );
  return rows[0];
}

/**
 * Deletes the slices of a day and everything that belongs to them. Returns the numbers of events and of damaged blocks.
 */
export async function deleteSlices(tx: ClientBase, day: Day): Promise<{ events: number; damaged: number }> {
  const { rows } = await tx.query<{ slice_id: number; event_count: number }>(
    'select slice_id, event_count from ledger_slice where day = $1',
    [day],
  );
  const slices = rows.map((row) => row.slice_id);
  const damage = await tx.query(
    `delete from ledger_damage d
     where exists (
       select from ledger_slice_writer x
       where x.writer_id = d.writer_id and d.seq between x.first_seq and x.last_seq and x.slice_id = any ($1::bigint[]))
        or (d.writer_id = 0 and d.seq / 64 = any ($1::bigint[]))`,
    [slices],
  );
  // One slice at a time, a few MB each, so that no statement comes near its timeout.
  for (const slice of slices) await tx.query('delete from ledger_pack where slice_id = $1', [slice]);
  for (const table of ['ledger_set_aside', 'ledger_slice_writer', 'ledger_slice']) {
    await tx.query(`delete from ${table} where slice_id = any ($1::bigint[])`, [slices]);
  }
  return { events: rows.reduce((sum, row) => sum + row.event_count, 0), damaged: damage.rowCount ?? 0 };
}

/** Deletes the records of unreadable blocks in the stretches, and returns their number. */
export async function deleteDamage(tx: ClientBase, stretches: readonly Stretch[]): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from ledger_damage d using unnest($1::int[], $2::bigint[], $3::bigint[]) as s(writer_id, after, last)
     where d.writer_id = s.writer_id and d.seq > s.after and d.seq <= s.last`,
    [stretches.map((s) => s.writer_id), stretches.map((s) => s.after), stretches.map((s) => s.last)],
  );
  return rowCount ?? 0;
}

/** The number of events in stretches of a day, counted block by block. */
export async function countEvents(tx: ClientBase, day: Day, stretches: readonly Stretch[]): Promise<number> {
  const { rows } = await tx.query<{ events: number }>(
    `select coalesce(sum(b.event_count), 0)::bigint as events
     from unnest($2::int[], $3::bigint[], $4::bigint[]) as s(writer_id, after, last)
     join ledger_block b on b.day = $1 and b.writer_id = s.writer_id and b.seq > s.after and b.seq <= s.last`,
    [day, stretches.map((s) => s.writer_id), stretches.map((s) => s.after), stretches.map((s) => s.last)],
  );
  return rows[0]?.events ?? 0;
}
