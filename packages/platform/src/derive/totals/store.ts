import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { BatchContext, DerivedTable } from '../derivation.ts';
import { type Delta, deltasOf, type PartsChange } from './deltas.ts';
import type { TotalsSpec } from './spec.ts';

/** The three tables of a family. Statements are written once per family, from names that stand in the code. */
export interface Totals {
  readonly spec: TotalsSpec;
  readonly tables: readonly DerivedTable[];
  /** Brings the totals up to date after the facts were saved. Extremes are read from the saved facts where one has left. */
  change(tx: ClientBase, changes: readonly PartsChange[], context: BatchContext): Promise<void>;
}

interface Table {
  name: string;
  period: { column: 'day' | 'hour'; type: 'date' | 'timestamptz'; ofFact: string } | null;
  columns: readonly Column[];
  statements: { add: string; reread: string; clear: string };
}

interface Column {
  name: string;
  type: 'int' | 'numeric' | 'timestamptz';
  /** How a delta meets the row that is there. */
  merge(held: string, added: string): string;
  value(delta: Delta): string | number | null;
  /** For extremes: the aggregate over facts that gives the column anew. */
  reread?: string;
}

export function totalsOf(spec: TotalsSpec): Totals {
  const total = tableOf(spec, `${spec.family}_total`, null);
  const day = tableOf(spec, `${spec.family}_day`, { column: 'day', type: 'date', ofFact: 'f.day' });
  const hour = tableOf(spec, `${spec.family}_hour`, {
    column: 'hour',
    type: 'timestamptz',
    ofFact: `date_trunc('hour', f.at, 'UTC')`,
  });
  return {
    spec,
    tables: [{ name: total.name }, { name: day.name }, { name: hour.name, ages_by: 'hour' }],
    async change(tx, changes, context) {
      const deltas = deltasOf(changes, context.now);
      await changeTable(tx, total, deltas.total);
      await changeTable(tx, day, deltas.day);
      await changeTable(tx, hour, deltas.hour);
    },
  };
}

async function changeTable(tx: ClientBase, table: Table, deltas: readonly Delta[]): Promise<void> {
  if (deltas.length === 0) return;
  await tx.query({
    name: `${table.name}_add`,
    text: table.statements.add,
    values: [...keysOf(table, deltas), ...table.columns.map((column) => deltas.map((delta) => column.value(delta)))],
  });
  const left = deltas.filter((delta) => delta.left);
  if (left.length === 0) return;
  const keys = keysOf(table, left);
  if (table.statements.reread !== '') await tx.query(table.statements.reread, keys);
  await tx.query(table.statements.clear, keys);
}

function keysOf(table: Table, deltas: readonly Delta[]): unknown[][] {
  const players = deltas.map((delta) => delta.player_id);
  if (table.period === null) return [players];
  return [players, deltas.map(({ period }) => (typeof period === 'number' ? timestamptzText(period) : period))];
}

function tableOf(spec: TotalsSpec, name: string, period: Table['period']): Table {
  const columns = [
    ...spec.counts.map((column) => additive(column, 'int')),
    ...spec.sums.map((column) => additive(column, 'numeric')),
    ...spec.biggest.map(largest),
    ...(period === null ? spec.dated.flatMap(firstAndLast) : []),
  ];
  return { name, period, columns, statements: statementsOf(spec, name, period, columns) };
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

function largest(name: string): Column {
  return {
    name,
    type: 'numeric',
    merge: (held, added) => `greatest(${held}, ${added})`,
    value: (delta) => delta.biggest.get(name)?.toFixed() ?? null,
    reread: `max(f.${name})`,
  };
}

function firstAndLast(name: string): Column[] {
  const text = (at: Micros | undefined) => (at === undefined ? null : timestamptzText(at));
  return [
    {
      name: `${name}_first_at`,
      type: 'timestamptz',
      merge: (held, added) => `least(${held}, ${added})`,
      value: (delta) => text(delta.first.get(name)),
      reread: `min(f.${name}_at)`,
    },
    {
      name: `${name}_last_at`,
      type: 'timestamptz',
      merge: (held, added) => `greatest(${held}, ${added})`,
      value: (delta) => text(delta.last.get(name)),
      reread: `max(f.${name}_at)`,
    },
  ];
}

function statementsOf(
  spec: TotalsSpec,
  table: string,
  period: Table['period'],
  columns: readonly Column[],
): Table['statements'] {
  const keys = ['player_id', ...(period === null ? [] : [period.column])];
  const keyTypes = ['bigint', ...(period === null ? [] : [period.type])];
  const names = [...keys, ...columns.map((column) => column.name)];
  const arrays = [...keyTypes, ...columns.map((column) => column.type)].map((type, i) => `$${i + 1}::${type}[]`);
  const given = `unnest(${arrays.slice(0, keys.length).join(', ')}) as k(${keys.join(', ')})`;
  const matches = keys.map((key) => `t.${key} = k.${key}`).join(' and ');
  const extremes = columns.filter((column) => column.reread !== undefined);
  return {
    add: `insert into ${table} as t (${names.join(', ')})
          select * from unnest(${arrays.join(', ')})
          on conflict (${keys.join(', ')}) do update set
            ${columns.map(({ name, merge }) => `${name} = ${merge(`t.${name}`, `excluded.${name}`)}`).join(',\n            ')}`,
    reread:
      extremes.length === 0
        ? ''
        : `update ${table} t set ${extremes.map(({ name }) => `${name} = r.${name}`).join(', ')}
           from (
             select ${keys.map((key) => `k.${key}`).join(', ')}, ${extremes.map(({ name, reread }) => `${reread} as ${name}`).join(', ')}
             from ${given}
             left join (${spec.facts}) f
               on f.player_id = k.player_id ${period === null ? '' : `and ${period.ofFact} = k.${period.column}`}
             group by ${keys.map((key) => `k.${key}`).join(', ')}
           ) r
           where ${keys.map((key) => `t.${key} = r.${key}`).join(' and ')}`,
    clear: `delete from ${table} t using ${given}
            where ${matches} and ${spec.counts.map((column) => `t.${column} = 0`).join(' and ')}`,
  };
}
