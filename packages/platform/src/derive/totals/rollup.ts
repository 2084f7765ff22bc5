import type { ClientBase, Pool } from 'pg';
import { columnsOf } from '../../database/index.ts';
import { type BrandDelta, isSum } from './deltas.ts';
import type { TotalsSpec } from './spec.ts';

/*
 * The roll-up of a family per brand and day, for dashboards that must not scan players: the sums of all players' day rows, and how many
 * players have one. It is written in the same transaction as those rows, so it is as exact as they are.
 *
 * A day has one row per source. The source is the lowest bucket that the writing worker owned. Each bucket has one owner,
 * so two workers never wait for each other on a row. A single row has no meaning, and may be negative after a bucket
 * changed owners. Readers must add up the rows of a day.
 */
export interface Rollup {
  readonly name: string;
  readonly spec: TotalsSpec;
  change(tx: ClientBase, deltas: readonly BrandDelta[], days: readonly ChangedDay[], source: number): Promise<void>;
  /**
   * Corrects the live roll-up for players whose live day rows are about to be replaced by those of another schema. Call
   * it before that, in the same transaction, while no batch is running.
   */
  correct(tx: ClientBase, schema: string, playerIds: readonly number[], source: number): Promise<void>;
  /**
   * Keeps the contribution of some players' live day rows in the roll-up permanently, although the rows are about to be
   * deleted. It is stored as the part of erased players. Call it before the deletion, in the same transaction.
   */
  keepOfErased(tx: ClientBase, playerIds: readonly number[]): Promise<void>;
  /**
   * Subtracts the contribution of some players' day rows from the roll-up of a schema. These rows are about to be deleted,
   * too.
   */
  takeOut(tx: ClientBase, schema: string, playerIds: readonly number[]): Promise<void>;
  /**
   * Days on which the roll-up in a schema differs from the sum of the players' day rows (in `live` plus the part of
   * erased players). There are none unless something went wrong.
   */
  differences(db: Pool | ClientBase, brandId: number | null, schema?: string): Promise<RollupDifference[]>;
}

/** A day row of a player that was created (`came`) or deleted. */
export interface ChangedDay {
  brand_id: number;
  player_id: number;
  day: string;
  came: boolean;
}

export interface RollupDifference {
  table: string;
  brand_id: number;
  day: string;
  /** Columns of the roll-up, summed over its sources; null if it has no row. */
  rollup: Record<string, number> | null;
  /** The same, computed from the players' day rows. */
  players: Record<string, number> | null;
}

type Column = { name: string; type: 'int' | 'bigint' | 'numeric' };

export function rollupOf(spec: TotalsSpec): Rollup {
  const name = `${spec.family}_brand_day`;
  const sums: Column[] = spec.sums.map((column) => ({ name: column, type: 'numeric' }));
  const columns: Column[] = [
    { name: 'players', type: 'int' },
    ...spec.counts.map((column): Column => ({ name: column, type: 'bigint' })),
    ...sums,
  ];
  const given = columnsOf<Record<string, unknown>>({
    brand_id: 'int',
    day: 'date',
    ...Object.fromEntries(columns.map((column) => [column.name, column.type])),
  });
  const add = `insert into ${name} as t (${given.names}, source)
    select ${given.stored('r')}, $${given.list.length + 1}::smallint from ${given.given('r')}
    ${onConflictAdd(columns)}`;
  return {
    name,
    spec,
    async change(tx, deltas, days, source) {
      const players = await playersOf(tx, spec, days);
      const rows = deltas
        .map((delta) => ({ delta, players: players.get(`${delta.brand_id}:${delta.day}`) ?? 0 }))
        .filter((row) => row.players !== 0 || isSum(row.delta));
      if (rows.length === 0) return;
      const values = given.values(rows.map((row) => rowOf(spec, row.delta, row.players)));
      await tx.query({ name: `${name}_add`, text: add, values: [...values, source] });
    },
    async correct(tx, schema, playerIds, source) {
      await tx.query(correctStatement(spec, name, columns, schema), [playerIds, source]);
    },
    async keepOfErased(tx, playerIds) {
      await tx.query(keepStatement(spec, name, columns), [playerIds]);
    },
    async takeOut(tx, schema, playerIds) {
      await tx.query(takeOutStatement(spec, name, columns, schema), [playerIds]);
    },
    async differences(db, brandId, schema = 'live') {
      const { rows } = await db.query<RollupDifference>(differenceStatement(spec, name, columns, schema), [brandId]);
      return rows;
    },
  };
}

/**
 * The change in the number of players of each day of a brand, by `brand_id:day`. If rows are split, the player may have
 * had another row on that day, or may still have one. So the remaining rows are looked up, but only for players with
 * created or deleted rows.
 */
async function playersOf(
  tx: ClientBase,
  spec: TotalsSpec,
  days: readonly ChangedDay[],
): Promise<ReadonlyMap<string, number>> {
  const grown = new Map<string, number>();
  const touched = [...Map.groupBy(days, ({ player_id, day }) => `${player_id}:${day}`).values()];
  const remaining = touched.length > 0 && spec.by !== undefined ? await rowsOf(tx, spec, touched) : [];
  for (const [i, own] of touched.entries()) {
    const [first] = own;
    if (first === undefined) continue;
    const came = own.filter((row) => row.came).length;
    const after = remaining[i] ?? came;
    const before = after - came + (own.length - came);
    const key = `${first.brand_id}:${first.day}`;
    grown.set(key, (grown.get(key) ?? 0) + Math.sign(after) - Math.sign(before));
  }
  return grown;
}

async function rowsOf(tx: ClientBase, { family }: TotalsSpec, touched: readonly ChangedDay[][]): Promise<number[]> {
  const { rows } = await tx.query<{ rows: number }>({
    name: `${family}_day_rows`,
    text: `select (select count(*)::int from ${family}_day t where t.player_id = k.player_id and t.day = k.day) as rows
           from unnest($1::bigint[], $2::date[]) with ordinality as k(player_id, day, number) order by k.number`,
    values: [touched.map(([row]) => row?.player_id), touched.map(([row]) => row?.day)],
  });
  return rows.map((row) => row.rows);
}

function rowOf({ counts, sums }: TotalsSpec, delta: BrandDelta, players: number): Record<string, unknown> {
  const row: Record<string, unknown> = { brand_id: delta.brand_id, day: delta.day, players };
  for (const column of counts) row[column] = delta.counts.get(column) ?? 0;
  for (const column of sums) row[column] = delta.sums.get(column)?.toFixed() ?? '0';
  return row;
}

function onConflictAdd(columns: readonly Column[]): string {
  const set = columns.map(({ name, type }) => {
    const sum = `t.${name} + excluded.${name}`;
    return `${name} = ${type === 'numeric' ? `trim_scale(${sum})` : sum}`;
  });
  return `on conflict (brand_id, day, source) do update set ${set.join(', ')}`;
}

function correctStatement(spec: TotalsSpec, name: string, columns: readonly Column[], schema: string): string {
  const added = columns.slice(1).map((column) => column.name);
  const sum = ({ name: column, type }: Column) =>
    type === 'numeric' ? `trim_scale(sum(${column}))` : `sum(${column})::${type}`;
  const side = (of: string, sign: '' | '-') => `
    select player_id, day, ${sign}1 as players, ${added.map((column) => `${sign}sum(${column}) as ${column}`).join(', ')}
    from ${of}.${spec.family}_day where player_id = any ($1::bigint[]) group by player_id, day`;
  return `insert into live.${name} as t (brand_id, day, source, ${columns.map((column) => column.name).join(', ')})
    select brand_id, day, $2::smallint, ${columns.map(sum).join(', ')}
    from (${side('live', '-')} union all ${side(schemaName(schema), '')}) d join player using (player_id)
    group by brand_id, day
    having ${columns.map((column) => `sum(${column.name}) <> 0`).join(' or ')}
    order by brand_id, day
    ${onConflictAdd(columns)}`;
}

/**
 * Sums per brand and day over some players' day rows, each with the number of players; `$1` holds the players' numbers.
 */
function daysOf(spec: TotalsSpec, columns: readonly Column[], schema: string): string {
  const added = columns.slice(1).map(({ name }) => `sum(${name}) as ${name}`);
  return `select brand_id, day, count(distinct player_id) as players, ${added.join(', ')}
    from ${schema}.${spec.family}_day join player using (player_id)
    where player_id = any ($1::bigint[]) group by brand_id, day`;
}

function keepStatement(spec: TotalsSpec, name: string, columns: readonly Column[]): string {
  const figures = (value: (column: string) => string) =>
    `jsonb_build_object(${columns.map((column) => `'${column.name}', trim_scale(${value(column.name)})`).join(', ')})`;
  const of = (side: string, column: string) => `coalesce((${side}.figures ->> '${column}')::numeric, 0)`;
  return `insert into erased_rollup as t (name, brand_id, day, figures)
    select '${name}', brand_id, day, ${figures((column) => `d.${column}::numeric`)}
    from (${daysOf(spec, columns, 'live')}) d
    order by brand_id, day
    on conflict (name, brand_id, day) do update
      set figures = ${figures((column) => `${of('t', column)} + ${of('excluded', column)}`)}`;
}

function takeOutStatement(spec: TotalsSpec, name: string, columns: readonly Column[], schema: string): string {
  const of = schemaName(schema);
  const negative = columns.map(({ name: column, type }) =>
    type === 'numeric' ? `trim_scale(-${column})` : `-${column}::${type}`,
  );
  return `insert into ${of}.${name} as t (brand_id, day, source, ${columns.map((column) => column.name).join(', ')})
    select brand_id, day, 0, ${negative.join(', ')} from (${daysOf(spec, columns, of)}) d
    order by brand_id, day
    ${onConflictAdd(columns)}`;
}

function differenceStatement(spec: TotalsSpec, name: string, columns: readonly Column[], schema: string): string {
  const of = schemaName(schema);
  const added = columns.slice(1);
  const erased = (column: string) => `(figures ->> '${column}')::numeric`;
  const object = (prefix: string) =>
    `jsonb_build_object(${columns.map((column) => `'${column.name}', trim_scale(${prefix}.${column.name}::numeric)`).join(', ')})`;
  return `select '${name}' as table, coalesce(r.brand_id, p.brand_id) as brand_id, coalesce(r.day, p.day) as day,
      case when r.brand_id is not null then ${object('r')} end as rollup,
      case when p.brand_id is not null then ${object('p')} end as players
    from (
      select brand_id, day, ${columns.map((column) => `sum(${column.name}) as ${column.name}`).join(', ')}
      from ${of}.${name} where $1::int is null or brand_id = $1 group by brand_id, day
    ) r
    full join (
      select brand_id, day, ${columns.map((column) => `sum(${column.name}) as ${column.name}`).join(', ')}
      from (
        select brand_id, day, count(distinct player_id) as players, ${added.map((column) => `sum(${column.name}) as ${column.name}`).join(', ')}
        from ${of}.${spec.family}_day join player using (player_id)
        where $1::int is null or brand_id = $1 group by brand_id, day
        union all
        select brand_id, day, ${columns.map((column) => erased(column.name)).join(', ')}
        from erased_rollup
        where name = '${name}' and '${of}' = 'live' and ($1::int is null or brand_id = $1)
      ) days group by brand_id, day
    ) p using (brand_id, day)
    where ${columns.map((column) => `coalesce(r.${column.name}, 0) <> coalesce(p.${column.name}, 0)`).join(' or ')}
    order by 2, 3`;
}

function schemaName(schema: string): string {
  if (!/^[a-z_0-9]+$/.test(schema)) throw new RangeError(`not a schema of the platform: ${schema}`);
  return schema;
}
