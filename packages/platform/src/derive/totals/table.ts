import { type Columns, type ColumnType, columnsOf } from '../../database/index.ts';
import type { Delta } from './deltas.ts';
import { firstAndLast, largest } from './extremes.ts';
import { type Reread, rereadDate, rereadOfDays, rereadOfFacts } from './reread.ts';
import type { TotalsSpec } from './spec.ts';

/**
 * A table of totals per player and its statements. They are created once per family, from names that are constants in
 * the code.
 */
export interface Table {
  readonly name: string;
  /** `TotalsSpec.by` if the table is split; otherwise empty. */
  readonly by: readonly string[];
  readonly columns: readonly Column[];
  readonly statements: {
    /** Adds deltas. Returns the keys of new rows and of rows that became empty. */
    readonly add: string;
    readonly clear: string;
    /** Reads extremes again if a row contains exactly the removed value. */
    readonly reread: readonly Reread[];
  };
  /** The parameters of `statements.add`: one array per column. */
  valuesOf(deltas: readonly Delta[]): unknown[][];
  /** The values of the key columns: one array per column. */
  keysOf(rows: readonly RowKey[]): unknown[][];
}

/** The columns of a key and their types, player_id first. */
export type KeyTypes = Readonly<Record<string, ColumnType>>;

export type RowKey = Pick<Delta, 'player_id' | 'period' | 'by'>;

export interface Column {
  readonly name: string;
  readonly type: 'int' | 'numeric' | 'timestamptz';
  /** How a delta is combined with the stored row. */
  merge(held: string, added: string): string;
  value(delta: Delta): string | number | null;
}

export type Period = { column: 'day'; type: 'date' } | { column: 'hour'; type: 'timestamptz' };

export function tableOf(spec: TotalsSpec, name: string, period: Period | null, by: readonly string[]): Table {
  const biggest = spec.biggest.map(largest);
  const dated = period === null ? spec.dated.flatMap(firstAndLast) : [];
  const columns = [
    ...spec.counts.map((column) => additive(column, 'int')),
    ...spec.sums.map((column) => additive(column, 'numeric')),
    ...biggest,
    ...dated,
  ];
  const key: KeyTypes = {
    player_id: 'bigint',
    ...(period !== null && { [period.column]: period.type }),
    ...Object.fromEntries(by.map((column) => [column, 'text'])),
  };
  const keys = columnsOf<Record<string, unknown>>(key);
  const all = columnsOf<Record<string, unknown>>({
    ...key,
    ...Object.fromEntries(columns.map(({ name, type }) => [name, type])),
  });
  const keyed = { name, key };
  const keyRow = ({ player_id, period: at, by: values }: RowKey) => {
    const row: Record<string, unknown> = { player_id };
    if (period !== null) row[period.column] = at;
    by.forEach((column, i) => {
      row[column] = values[i];
    });
    return row;
  };
  return {
    name,
    by,
    columns,
    statements: {
      add: addStatement(spec, name, keys, all, columns),
      clear: `delete from ${name} t using ${keys.given('k')} where ${matching('t', 'k', keys.list)}`,
      reread: [
        ...(biggest.length === 0
          ? []
          : [
              period === null ? rereadOfDays(spec, keyed, biggest) : rereadOfFacts(spec, keyed, period.column, biggest),
            ]),
        ...dated.map((column) => rereadDate(spec, keyed, column)),
      ],
    },
    valuesOf: (deltas) =>
      all.values(
        deltas.map((delta) => {
          const row = keyRow(delta);
          for (const { name, value } of columns) row[name] = value(delta);
          return row;
        }),
      ),
    keysOf: (rows) => keys.values(rows.map(keyRow)),
  };
}

function additive(name: string, type: 'int' | 'numeric'): Column {
  return {
    name,
    type,
    // Equal sums must be equal texts, regardless of how they were computed: 10.00 is stored as 10.
    merge: (held, added) => (type === 'int' ? `${held} + ${added}` : `trim_scale(${held} + ${added})`),
    value: (delta) => (type === 'int' ? (delta.counts.get(name) ?? 0) : (delta.sums.get(name)?.toFixed() ?? '0')),
  };
}

function addStatement(
  spec: TotalsSpec,
  table: string,
  keys: Columns<Record<string, unknown>>,
  all: Columns<Record<string, unknown>>,
  columns: readonly Column[],
): string {
  const set = columns.map(({ name, merge }) => `${name} = ${merge(`t.${name}`, `excluded.${name}`)}`);
  const empty = [...spec.counts, ...spec.sums].map((column) => `t.${column} = 0`).join(' and ');
  // An inserted row has xmax 0. The upsert locks a row before it updates it, and the new version keeps that mark in
  // xmax.
  return `with changed as (
    insert into ${table} as t (${all.names}) select ${all.stored('r')} from ${all.given('r')}
    on conflict (${keys.names}) do update set ${set.join(', ')}
    returning ${keys.read('t')}, t.xmax = 0 as inserted, ${empty} as empty
  )
  select * from changed where inserted or empty`;
}

export function matching(a: string, b: string, keys: readonly string[]): string {
  return keys.map((key) => `${a}.${key} = ${b}.${key}`).join(' and ');
}
