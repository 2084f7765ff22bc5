import type { Pool } from 'pg';
import { transaction } from '../packages/platform/src/database/index.ts';
import { bucketOf, playerHash } from '../packages/platform/src/ledger/index.ts';

/** Rows of one insert into `player`. */
const playersPerInsert = 20_000;
/** Tables with a player_id that say how events arrived or what is to be done, not what is known of a player. */
const notCopied = ['player', 'player_sync', 'journal', 'parked_event', 'rebuild', 'rebuild_difference'];

/**
 * Fills the database up to so many players: each new one gets a copy of everything that is stored of one of the players who
 * are there, template after template, in set statements without HTTP or derive.
 *
 * @param named user_ids that must be among the new ones, spread evenly over them: the players of the load to come
 */
export async function seedPlayers(pool: Pool, brandId: number, count: number, named: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 order by player_id',
    [brandId],
  );
  const templates = rows.map((row) => row.player_id);
  const fresh = count - templates.length;
  if (fresh < named.length) throw new RangeError(`${count} players leave no room for ${named.length} named ones`);
  await transaction(pool, async (tx) => {
    await tx.query('set local statement_timeout = 0; set local synchronous_commit = off');
    await tx.query('create temporary table seeded (player_id bigint, template bigint) on commit drop');
    const gap = fresh / Math.max(1, named.length);
    const nameOf = (n: number) => {
      const place = Math.floor(n / gap);
      return Math.floor(place * gap) === n && named[place] !== undefined ? named[place] : `seeded-${count}-${n}`;
    };
    for (let from = 0; from < fresh; from += playersPerInsert) {
      const numbers = Array.from({ length: Math.min(playersPerInsert, fresh - from) }, (_, i) => from + i);
      const names = numbers.map(nameOf);
      await tx.query(
        `with created as (
           insert into player (brand_id, user_id, bucket)
           select $1, user_id, bucket from unnest($2::text[], $3::smallint[]) as p(user_id, bucket)
           returning player_id
         )
         insert into seeded
         select player_id, ($4::bigint[])[1 + mod(player_id, cardinality($4::bigint[]))] from created`,
        [brandId, names, names.map((name) => bucketOf(playerHash(brandId, name))), templates],
      );
    }
    await tx.query('create index on seeded (template); analyze seeded');
    for (const { table, columns } of await tablesOfPlayers(tx)) {
      await tx.query(
        `insert into ${table} (player_id, ${columns}) select s.player_id, ${columns}
         from (select player_id as template, ${columns} from ${table}) t join seeded s using (template)`,
      );
    }
  });
  await pool.query('vacuum (analyze)');
}

async function tablesOfPlayers(tx: Pick<Pool, 'query'>): Promise<{ table: string; columns: string }[]> {
  const { rows } = await tx.query<{ table: string; columns: string }>(
    `select format('%I.%I', n.nspname, c.relname) as table,
            string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attname <> 'player_id') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname in ('live', 'public') and c.relkind = 'r' and not c.relispartition and c.relname <> all ($1)
       and a.attnum > 0 and not a.attisdropped
     group by 1 having bool_or(a.attname = 'player_id')`,
    [notCopied],
  );
  return rows;
}
