import type { Micros } from '@croupier/contracts';
import type { ClientBase, QueryResult } from 'pg';
import { awaitAll } from '../../database/index.ts';
import type { BatchContext, DerivedTable } from '../derivation.ts';
import { type Delta, deltasOf, outdone } from './deltas.ts';
import { floorTable } from './floor.ts';
import type { PartsChange } from './parts.ts';
import { type ChangedDay, type Rollup, rollupOf } from './rollup.ts';
import type { TotalsSpec } from './spec.ts';
import { type RowKey, type Table, tableOf } from './table.ts';

/** The totals of a family: three tables per player, and the roll-up of its brands. */
export interface Totals {
  readonly spec: TotalsSpec;
  /** Derived state per player, for `Derivation.tables`. */
  readonly tables: readonly DerivedTable[];
  readonly rollup: Rollup;
  /** Updates the totals after the facts were saved, because removed extremes are read again from the saved facts. */
  change(tx: ClientBase, changes: readonly PartsChange[], context: BatchContext): Promise<void>;
}

export function totalsOf(spec: TotalsSpec): Totals {
  const { family, by = [] } = spec;
  const total = tableOf(spec, `${family}_total`, null, by);
  const day = tableOf(spec, `${family}_day`, { column: 'day', type: 'date' }, by);
  const hour = tableOf(spec, `${family}_hour`, { column: 'hour', type: 'timestamptz' }, []);
  const rollup = rollupOf(spec);
  return {
    spec,
    rollup,
    tables: [
      { name: total.name },
      { name: day.name },
      { name: hour.name, ages_by: 'hour' },
      ...(spec.forgets ? [{ name: floorTable(spec) }] : []),
    ],
    async change(tx, changes, context) {
      const deltas = deltasOf(changes, context.now, by);
      const [days] = await awaitAll([
        changeTable(tx, day, deltas.day),
        // This comes after the days, because the lifetime's biggest is read again from the day rows.
        changeTable(tx, total, deltas.total),
        changeTable(tx, hour, deltas.hour),
      ]);
      await rollup.change(tx, deltas.brand, days, context.source);
    },
  };
}

interface ChangedRow {
  player_id: number;
  day?: string;
  hour?: Micros;
  inserted: boolean;
  empty: boolean;
}

/** @returns rows that were created or deleted */
async function changeTable(tx: ClientBase, table: Table, deltas: readonly Delta[]): Promise<ChangedDay[]> {
  if (deltas.length === 0) return [];
  const [{ rows }] = await awaitAll([
    tx.query<ChangedRow & Record<string, unknown>>({
      name: `${table.name}_add`,
      text: table.statements.add,
      values: table.valuesOf(deltas),
    }),
    ...readAgain(tx, table, deltas),
  ]);
  const empty = rows.filter((row) => row.empty);
  if (empty.length > 0) await tx.query(table.statements.clear, table.keysOf(empty.map((row) => keyOf(table, row))));
  const brands = new Map(deltas.map(({ player_id, brand_id }) => [player_id, brand_id]));
  return rows.flatMap(({ player_id, day = '', inserted, empty }) =>
    inserted && empty ? [] : [{ brand_id: brands.get(player_id) ?? 0, player_id, day, came: inserted }],
  );
}

function keyOf({ by }: Table, row: ChangedRow & Record<string, unknown>): RowKey {
  return { player_id: row.player_id, period: row.day ?? row.hour ?? null, by: by.map((column) => String(row[column])) };
}

function readAgain(tx: ClientBase, table: Table, deltas: readonly Delta[]): Promise<QueryResult>[] {
  return table.statements.reread.flatMap(({ name, text, left }) => {
    const rows = deltas.flatMap((delta) => {
      const values = left(outdone(delta));
      return values.some((value) => value !== null) ? [{ delta, values }] : [];
    });
    const [first] = rows;
    if (first === undefined) return [];
    const keys = table.keysOf(rows.map(({ delta }) => delta));
    return tx.query({ name, text, values: [...keys, ...first.values.map((_, i) => rows.map((row) => row.values[i]))] });
  });
}
