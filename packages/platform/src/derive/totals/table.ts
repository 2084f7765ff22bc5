import type { Delta } from './deltas.ts';
import { firstAndLast, largest } from './extremes.ts';
import { type Reread, rereadDate, rereadOfDays, rereadOfFacts } from './reread.ts';
import type { TotalsSpec } from './spec.ts';

/** A table of totals per player, and the statements that keep it: written once per family, from names that stand in the code. */
export interface Table {
  readonly name: string;
  /** `TotalsSpec.by` where the table is split. */
  readonly by: readonly string[];
  readonly columns: readonly Column[];
  readonly statements: {
    /** Adds deltas. Answers the keys of rows that are new, and of those that say nothing any more. */
    readonly add: string;
    readonly clear: string;
    /** Reads extremes again, where a row holds just the value that left. */
    readonly reread: readonly Reread[];
  };
  /** The values of the key columns, an array per column. */
  keysOf(rows: readonly RowKey[]): unknown[][];
}

export type RowKey = Pick<Delta, 'player_id' | 'period' | 'by'>;

export interface Column {
  readonly name: string;
  readonly type: 'int' | 'numeric' | 'timestamptz';
  /** How a delta meets the row that is there. */
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
  const keys = ['player_id', ...(period === null ? [] : [period.column]), ...by];
  const types = ['bigint', ...(period === null ? [] : [period.type]), ...by.map(() => 'text')];
  const keyed = { name, keys, types };
  return {
    name,
    by,
    columns,
    statements: {
      add: addStatement(spec, name, keys, types, columns),
      clear: `delete from ${name} t using ${given(keys, types)} where ${matching('t', 'k', keys)}`,
      reread: [
        ...(biggest.length === 0
          ? []
          : [
              period === null ? rereadOfDays(spec, keyed, biggest) : rereadOfFacts(spec, keyed, period.column, biggest),
            ]),
        ...dated.map((column) => rereadDate(spec, keyed, column)),
      ],
    },
    keysOf: (rows) => [
      rows.map(({ player_id }) => player_id),
      ...(period === null ? [] : [rows.map(({ period: at }) => at)]),
      ...by.map((_, i) => rows.map((row) => row.by[i])),
    ],
  };
}

function additive(name: string, type: 'int' | 'numeric'): Column {
  return {
    name,
    type,
    // Equal sums must be equal texts whatever was added and taken away: 10.00 is 10.
    merge: (held, added) => (type === 'int' ? `${held} + ${added}` : `trim_scale(${held} + ${added})`),
    value: (delta) => (type === 'int' ? (delta.counts.get(name) ?? 0) : (delta.sums.get(name)?.toFixed() ?? '0')),
  };
}

function addStatement(
  spec: TotalsSpec,
  table: string,
  keys: readonly string[],
  keyTypes: readonly string[],
  columns: readonly Column[],
): string {
  const arrays = [...keyTypes, ...columns.map((column) => column.type)].map((type, i) => `$${i + 1}::${type}[]`);
  const set = columns.map(({ name, merge }) => `${name} = ${merge(`t.${name}`, `excluded.${name}`)}`);
  const empty = [...spec.counts, ...spec.sums].map((column) => `t.${column} = 0`).join(' and ');
  // A row that met none has no locker: the upsert locks the row that it updates, and the new version keeps that mark (xmax).
  return `with changed as (
    insert into ${table} as t (${[...keys, ...columns.map((column) => column.name)].join(', ')})
    select * from unnest(${arrays.join(', ')})
    on conflict (${keys.join(', ')}) do update set ${set.join(', ')}
    returning ${keys.map((key) => `t.${key}`).join(', ')}, t.xmax = 0 as inserted, ${empty} as empty
  )
  select * from changed where inserted or empty`;
}

export function given(names: readonly string[], types: readonly string[]): string {
  return `unnest(${types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')}) as k(${names.join(', ')})`;
}

export function matching(a: string, b: string, keys: readonly string[]): string {
  return keys.map((key) => `${a}.${key} = ${b}.${key}`).join(' and ');
}
