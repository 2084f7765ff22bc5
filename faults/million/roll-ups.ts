import type { Pool } from 'pg';
import { type Outcome, outcome } from '../outcome.ts';

/** Columns for the player, the time and the source of a row; all others are added up. */
const notAdded = ['brand_id', 'player_id', 'day', 'source', 'players'];

/**
 * The roll-ups of a brand are the sums of its players' days. They are found by name (`<family>_day`, `<family>_brand_day`), so
 * that a new family is checked without a change here.
 */
export async function judgeRollUps(pool: Pool): Promise<Outcome> {
  const { rows } = await pool.query<{ family: string; columns: string[] }>(
    `select regexp_replace(table_name, '_brand_day$', '') as family,
            array_agg(column_name::text order by ordinal_position) filter (where column_name <> all ($1)) as columns
     from information_schema.columns
     where table_schema = 'live' and table_name like '%\\_brand\\_day'
     group by table_name order by table_name`,
    [notAdded],
  );
  const broken: string[] = [];
  let days = 0;
  for (const { family, columns } of rows) {
    const found = await compareFamily(pool, family, columns);
    days += found.days;
    broken.push(...found.broken);
  }
  return outcome('P4', "a brand's roll-ups are the sums of its players' days", { families: rows.length, days }, broken);
}

async function compareFamily(pool: Pool, family: string, columns: readonly string[]) {
  const sums = columns.map((name) => `sum(${name})::numeric as ${name}`).join(', ');
  const list = columns.join(', ');
  const { rows } = await pool.query<{ days: number; broken: string[] }>(
    `with rolled as (
       select brand_id, day, sum(players)::numeric as players, ${sums} from live.${family}_brand_day group by brand_id, day
     ), added as (
       select brand_id, day, count(distinct player_id)::numeric as players, ${sums}
       from live.${family}_day join player using (player_id) group by brand_id, day
     ), compared as (
       select brand_id, day, r as rolled, a as added,
              (r.players, ${columns.map((name) => `r.${name}`).join(', ')}) is distinct from
              (a.players, ${columns.map((name) => `a.${name}`).join(', ')}) as differs
       from (select brand_id, day, players, ${list} from rolled) r
       full join (select brand_id, day, players, ${list} from added) a using (brand_id, day)
     )
     select count(*)::int as days,
            coalesce(array_agg('${family} ' || day || ': ' || coalesce(rolled::text, 'no row') || ', and its players: '
                               || coalesce(added::text, 'no row')) filter (where differs), '{}') as broken
     from compared`,
  );
  return rows[0] ?? { days: 0, broken: [] };
}
