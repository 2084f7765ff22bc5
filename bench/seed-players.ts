import type { Pool } from 'pg';
import { timestamptzText } from '../packages/platform/src/database/index.ts';
import { JournalPartitions } from '../packages/platform/src/derive/journal/index.ts';
import { bucketOf, playerHash } from '../packages/platform/src/ledger/index.ts';

/** Rows of one insert into `player`. */
const playersPerInsert = 20_000;
/** Tables filled at the same time: one per core of the machine. */
const connections = 2;
/** Tables with a player_id that do not describe the player: they describe pending work, or how events arrived. */
const notCopied = ['player', 'player_sync', 'journal', 'parked_event', 'rebuild', 'rebuild_difference', 'bench_seeded'];

export interface Seeding {
  brandId: number;
  /** Existing players, copied in turn. */
  templates: readonly number[];
  /** Total number of players at the end. */
  count: number;
  /** user_ids that must be among the new players, spread evenly over them: the players of the later load. */
  named: readonly string[];
  /** Copies the rows of the journal of every second player, too. Default false. */
  withEvents?: boolean;
}

/**
 * The quarter of the brand's players with the fewest events. Players of the simulator have 40 each after four seconds of load,
 * and a million of those take more than 20 GB. With 10 each, they are still a multiple of what the embedded server keeps in
 * memory.
 */
export async function templatesOf(pool: Pool, brandId: number): Promise<number[]> {
  const { rows } = await pool.query<{ player_id: number }>(
    `select player_id from (
       select player_id, ntile(4) over (order by count(*)) as quarter
       from journal where brand_id = $1 and player_id is not null group by player_id
     ) p where quarter = 1`,
    [brandId],
  );
  return rows.map((row) => row.player_id);
}

/**
 * Fills the database up to this many players. Each new player gets a copy of all rows of one of the templates. SQL statements copy
 * many rows at a time, without HTTP or derive.
 *
 * Rows are written in the order of their players. All indexes start with the player, so every index grows at its end. In the order of the
 * templates, each of a million players would touch different pages in each of fifty indexes.
 */
export async function seedPlayers(
  pool: Pool,
  { brandId, templates, count, named, withEvents }: Seeding,
): Promise<void> {
  const { rows } = await pool.query<{ players: number }>(
    'select count(*)::int as players from player where brand_id = $1',
    [brandId],
  );
  const fresh = count - (rows[0]?.players ?? 0);
  if (fresh < named.length) throw new RangeError(`${named.length} named players do not fit into a total of ${count}`);
  await pool.query('create unlogged table bench_seeded (player_id bigint, template bigint)');
  const gap = fresh / Math.max(1, named.length);
  const keyOf = (n: number) => {
    const place = Math.floor(n / gap);
    return Math.floor(place * gap) === n && named[place] !== undefined ? named[place] : `seeded-${count}-${n}`;
  };
  for (let from = 0; from < fresh; from += playersPerInsert) {
    const numbers = Array.from({ length: Math.min(playersPerInsert, fresh - from) }, (_, i) => from + i);
    const names = numbers.map(keyOf);
    await pool.query(
      `with created as (
         insert into player (brand_id, user_id, bucket)
         select $1, user_id, bucket from unnest($2::text[], $3::smallint[]) as p(user_id, bucket)
         returning player_id
       )
       insert into bench_seeded
       select player_id, ($4::bigint[])[1 + mod(player_id, cardinality($4::bigint[]))] from created`,
      [brandId, names, names.map((name) => bucketOf(playerHash(brandId, name))), templates],
    );
  }
  await pool.query('create index on bench_seeded (player_id); analyze bench_seeded');
  const tables = await tablesOfPlayers(pool);
  await beside(tables, async ({ table, columns }) => {
    const { rowCount } = await pool.query(`select from ${table} where player_id = any ($1::bigint[]) limit 1`, [
      templates,
    ]);
    if (rowCount !== 0) await copyRows(pool, table, columns);
  });
  if (withEvents) await copyJournal(pool);
  await pool.query('drop table bench_seeded');
  await beside([{ table: 'player' }, ...tables], async ({ table }) => {
    await pool.query(`vacuum (analyze) ${table}`);
  });
}

/** Forces one plan: the statement goes through the players one by one, and reads the few rows of each player's template by an index. */
async function copyRows(pool: Pool, table: string, columns: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      'begin; set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_sort = off',
    );
    await client.query(
      `insert into ${table} (player_id, ${columns})
       select s.player_id, ${columns} from bench_seeded s
       cross join lateral (select ${columns} from ${table} t where t.player_id = s.template offset 0) t
       order by s.player_id`,
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** The copies of the templates' events are spread over this many days before those of the templates. */
const journalDays = 60;

/**
 * The copies refer to the templates' events in the ledger, so a list of them shows events. Their dates of receipt are earlier days, so
 * that an event of the feed finds only its own row. They are written day by day, each day into its own partition.
 */
async function copyJournal(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ first: number; last: number }>(
    'select min(received_at) as first, max(received_at) as last from journal',
  );
  const { first = 0, last = 0 } = rows[0] ?? {};
  const days = Array.from({ length: journalDays }, (_, i) => i + 1);
  const earlier = (day: number) => day * 86_400_000_000;
  await new JournalPartitions(pool).ensure(days.flatMap((day) => [first - earlier(day), last - earlier(day)]));
  await beside(days, async (day) => {
    await pool.query(
      `insert into journal (received_at, brand_id, player_id, at, kind, verdict, flags, writer_id, seq, index)
       select t.received_at - make_interval(days => $1::int), t.brand_id, s.player_id, t.at, t.kind, t.verdict, t.flags, t.writer_id, t.seq, t.index
       from bench_seeded s join journal t on t.player_id = s.template and t.received_at >= $3
       where s.player_id % (2 * $2) = $1 - 1`,
      [day, journalDays, timestamptzText(first)],
    );
  });
  await pool.query('vacuum (analyze) journal');
}

async function beside<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

/** Tables with separate rows per player, the largest first, so that no large one remains at the end. */
async function tablesOfPlayers(pool: Pool): Promise<{ table: string; columns: string }[]> {
  const { rows } = await pool.query<{ table: string; columns: string }>(
    `select format('%I.%I', n.nspname, c.relname) as table,
            string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attname <> 'player_id') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname in ('live', 'public') and c.relkind = 'r' and not c.relispartition and c.relname <> all ($1)
       and a.attnum > 0 and not a.attisdropped and a.attidentity = ''
       and exists (
         select from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any (i.indkey)
         where i.indrelid = c.oid and i.indisprimary and k.attname = 'player_id')
     group by 1, c.oid having bool_or(a.attname = 'player_id')
     order by pg_relation_size(c.oid) desc`,
    [notCopied],
  );
  return rows;
}
