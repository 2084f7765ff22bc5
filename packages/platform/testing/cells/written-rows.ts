import type { Pool } from 'pg';
import type { Home, Table } from './tables.ts';

/*
 * Records which rows each transaction writes. A trigger on every table does this, so no statement is missed. A transaction that
 * rolls back is not recorded.
 */

/** What one transaction wrote. */
export interface Written {
  /**
   * For rows that belong to a player or a bucket: the bucket, or the bucket in an id that contains it (1203). Null for other
   * rows.
   */
  buckets: (number | null)[];
  tables: { table: string; home: Home }[];
  /** The writing statements, as they were sent, in order. */
  statements: string[];
}

/** Starts recording. */
export async function watchRows(pool: Pool, tables: readonly Table[]): Promise<void> {
  const { rows } = await pool.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'live', 'baseline')`,
  );
  await pool.query(`
    create table written_row (number bigint generated always as identity, xid xid8, home text, name text, bucket int, statement text);
    create function note_row() returns trigger language plpgsql as $$
    declare
      changed jsonb;
    begin
      foreach changed in array array[to_jsonb(old), to_jsonb(new)] loop
        continue when changed is null;
        insert into written_row (xid, home, name, bucket, statement) values (
          pg_current_xact_id(), tg_argv[0], tg_argv[1],
          case when tg_argv[0] = 'cell' then coalesce(changed ->> 'bucket', changed ->> 'player_id', changed ->> 'decision_id', changed ->> 'transition_id')::bigint & 63 end,
          current_query());
      end loop;
      return null;
    end $$;`);
  for (const { schema, name } of rows) {
    const home = tables.find((table) => table.name === name)?.home;
    if (home === undefined || home === null) continue;
    await pool.query(`create trigger note_row after insert or update or delete on ${schema}.${name}
      for each row execute function public.note_row('${home}', '${name}')`);
  }
}

/** The writes since the last call, by transaction. */
export async function takeWritten(pool: Pool): Promise<Written[]> {
  const { rows } = await pool.query<Written>(
    `with taken as (delete from written_row returning *)
     select array_agg(distinct bucket) filter (where home = 'cell') as buckets,
            jsonb_agg(distinct jsonb_build_object('table', name, 'home', home)) as tables,
            array_agg(statement order by number) as statements
     from taken group by xid order by min(number)`,
  );
  return rows.map(({ buckets, tables, statements }) => ({
    buckets: buckets ?? [],
    tables,
    statements: [...new Set(statements.map((statement) => statement.replace(/\s+/g, ' ').slice(0, 160)))],
  }));
}
