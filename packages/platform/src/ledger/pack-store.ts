import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { Bucket, Day, LedgerPosition } from './ledger.ts';
import type { Pack } from './pack.ts';
import type { BlockRow } from './store.ts';

/** Reads slices and their packs. history-store.ts writes them. */

export interface PackRow extends Pack {
  slice_id: number;
  bucket: Bucket;
  event_count: number;
}

export interface SliceRow {
  slice_id: number;
  day: Day;
  from_at: Micros;
  to_at: Micros;
  set_aside: number;
}

/** The end of a writer's blocks in a slice. */
interface SliceEnd {
  writer_id: number;
  seq: number;
}

export interface SliceOfBucket extends Pick<SliceRow, 'slice_id' | 'day' | 'set_aside'> {
  ends: SliceEnd[];
  /** Null if the bucket has no event in the slice. */
  pack: PackRow | null;
}

/** The next slices, each with the pack of one bucket: as many as stay within `events`, but at least one. */
export async function slicesAfter(
  pool: Pool,
  from: { slice_id: number; bucket: Bucket; slices: number; events: number },
): Promise<SliceOfBucket[]> {
  const { rows } = await pool.query<
    Pick<SliceRow, 'slice_id' | 'day' | 'set_aside'> & { writers: number[]; seqs: string[] } & {
      [K in 'event_count' | 'players' | 'heads' | 'bodies']: PackRow[K] | null;
    }
  >({
    name: 'ledger_slices_after',
    text: `select c.slice_id, c.day, c.set_aside, c.event_count, c.players, c.heads, c.bodies, w.writers, w.seqs
           from (
             select s.*, p.event_count, p.players, p.heads, p.bodies,
                    sum(p.event_count) over (order by s.slice_id rows between unbounded preceding and 1 preceding) as before
             from (
               select slice_id, day, set_aside from ledger_slice where slice_id > $1 order by slice_id limit $3
             ) s
             left join ledger_pack p on p.slice_id = s.slice_id and p.bucket = $2
           ) c
           cross join lateral (
             select array_agg(writer_id order by writer_id) as writers, array_agg(last_seq::text order by writer_id) as seqs
             from ledger_slice_writer where slice_id = c.slice_id
           ) w
           where coalesce(c.before, 0) < $4
           order by c.slice_id`,
    values: [from.slice_id, from.bucket, from.slices, from.events],
  });
  return rows.map(({ writers, seqs, event_count, players, heads, bodies, ...slice }) => ({
    ...slice,
    ends: writers.map((writer_id, i) => ({ writer_id, seq: Number(seqs[i]) })),
    pack:
      event_count === null || players === null || heads === null || bodies === null
        ? null
        : { slice_id: slice.slice_id, bucket: from.bucket, event_count, players, heads, bodies },
  }));
}

/** How far every writer above the floor is packed; null as long as a slice follows the given one. */
export async function packedEnds(
  pool: Pool,
  from: { slice_id: number; floor: number },
): Promise<(SliceEnd & { day: Day })[] | null> {
  // One statement, so that both are from the same moment, and an outer join, so that there is always a row.
  const { rows } = await pool.query<{ more: boolean; writer_id: number | null; seq: number; day: Day }>(
    `select exists (select from ledger_slice where slice_id > $1) as more, w.writer_id, w.packed_seq as seq, w.packed_day as day
     from (select) one left join ledger_writer w on w.writer_id > $2 and w.packed_seq > 0`,
    [from.slice_id, from.floor],
  );
  if (rows[0]?.more) return null;
  return rows.flatMap(({ writer_id, seq, day }) => (writer_id === null ? [] : [{ writer_id, seq, day }]));
}

/** Blocks of a slice that were unreadable when it was packed. */
export async function setAside(db: Pool | ClientBase, sliceId: number): Promise<BlockRow[]> {
  const { rows } = await db.query<BlockRow>(
    `select writer_id, seq, day, received_at, event_count, payload from ledger_set_aside where slice_id = $1`,
    [sliceId],
  );
  return rows;
}

export async function setAsideAt(pool: Pool, places: readonly SliceEnd[]): Promise<BlockRow[]> {
  const { rows } = await pool.query<BlockRow>(
    `select writer_id, seq, day, received_at, event_count, payload
     from unnest($1::int[], $2::bigint[]) as p(writer_id, seq) join ledger_set_aside using (writer_id, seq)`,
    [places.map((p) => p.writer_id), places.map((p) => p.seq)],
  );
  return rows;
}

/** The slice of each position. Positions that are in no slice are left out. */
export async function slicesOf<P extends LedgerPosition>(
  pool: Pool,
  positions: readonly P[],
): Promise<Map<number, P[]>> {
  const { rows } = await pool.query<{ place: number; slice_id: number }>(
    `select p.place, s.slice_id
     from unnest($1::int[], $2::bigint[]) with ordinality as p(writer_id, seq, place)
     cross join lateral (
       select slice_id, first_seq from ledger_slice_writer
       where writer_id = p.writer_id and last_seq >= p.seq order by last_seq limit 1
     ) s
     where s.first_seq <= p.seq`,
    [positions.map((p) => p.writer_id), positions.map((p) => p.seq)],
  );
  const slices = new Map<number, P[]>();
  for (const { place, slice_id } of rows) {
    const position = positions[place - 1];
    if (position === undefined) continue;
    const list = slices.get(slice_id);
    if (list) list.push(position);
    else slices.set(slice_id, [position]);
  }
  return slices;
}

/**
 * Packs of a slice without their bodies, which `packOf` fetches when needed.
 *
 * @param buckets null = all
 */
export async function packHeads(
  db: Pool | ClientBase,
  sliceId: number,
  buckets: readonly Bucket[] | null,
): Promise<Omit<PackRow, 'bodies'>[]> {
  const { rows } = await db.query<Omit<PackRow, 'bodies'>>(
    `select slice_id, bucket, event_count, players, heads from ledger_pack
     where slice_id = $1 and ($2::smallint[] is null or bucket = any ($2)) order by bucket`,
    [sliceId, buckets],
  );
  return rows;
}

/**
 * The whole of a pack in its current version. It differs from heads read earlier if events were erased since.
 *
 * Undefined if the slice was dropped since.
 */
export async function packOf(
  db: Pool | ClientBase,
  { slice_id, bucket }: Pick<PackRow, 'slice_id' | 'bucket'>,
): Promise<PackRow | undefined> {
  const { rows } = await db.query<PackRow>(
    'select slice_id, bucket, event_count, players, heads, bodies from ledger_pack where slice_id = $1 and bucket = $2',
    [slice_id, bucket],
  );
  return rows[0];
}

/** Slices with events between two times, nearest first: a page of a search by time. */
export async function slicesByTime(
  db: ClientBase,
  page: {
    direction: 'oldest' | 'newest';
    from: Micros;
    to: Micros;
    /** Only slices in which one of these buckets has a pack; null = all. */
    buckets: readonly Bucket[] | null;
    /** Only slices with a pack that contains the player; `buckets` is then the player's. */
    player: Buffer | null;
    limit: number;
  },
): Promise<SliceRow[]> {
  const order = page.direction === 'newest' ? 'to_at desc, slice_id desc' : 'from_at, slice_id';
  const { rows } = await db.query<SliceRow>(
    `select slice_id, day, from_at, to_at, set_aside
     from ledger_slice s
     where from_at <= $2 and to_at >= $1
       and (set_aside > 0 or $3::smallint[] is null or exists (
         select from ledger_pack p
         where p.slice_id = s.slice_id and p.bucket = any ($3) and ($4::bytea is null or position($4 in p.players) > 0)))
     order by ${order}
     limit $5`,
    [timestamptzText(page.from), timestamptzText(page.to), page.buckets, page.player, page.limit],
  );
  return rows;
}

/** The number of slices with events of the buckets after a cursor, and the time of their first block. */
export async function slicesBehind(
  pool: Pool,
  from: { slice_id: number; floor: number; at: readonly SliceEnd[]; buckets: readonly Bucket[] },
): Promise<{ blocks: number; oldest_received_at: Micros | null }> {
  const { rows } = await pool.query<{ blocks: number; oldest_received_at: Micros | null }>(
    `select count(*) as blocks, min(s.from_at) as oldest_received_at
     from ledger_slice s
     where s.slice_id > $1
       and exists (
         select from ledger_slice_writer x
         left join unnest($3::int[], $4::bigint[]) as c(writer_id, seq) using (writer_id)
         where x.slice_id = s.slice_id and x.writer_id > $2 and x.last_seq > coalesce(c.seq, 0))
       and exists (select from ledger_pack p where p.slice_id = s.slice_id and p.bucket = any ($5::smallint[]))`,
    [from.slice_id, from.floor, from.at.map((a) => a.writer_id), from.at.map((a) => a.seq), from.buckets],
  );
  return rows[0] ?? { blocks: 0, oldest_received_at: null };
}
