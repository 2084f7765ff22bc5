import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Derivation, DerivedTable } from '../derivation.ts';
import { foldStatement } from '../totals/index.ts';

/** How far the facts of a player may go. */
export interface Bound {
  player_id: number;
  before: Micros;
}

export function isForgotten({ kept_for }: DerivedTable): boolean {
  return kept_for === 'history';
}

/** SQL: rows of a table that keeps facts for the history which are older than `before`, found by the index where there is one. */
export function olderThan({ ages_by, index_bound }: DerivedTable, before: string): string {
  const old = `${ages_by} < ${before}`;
  return index_bound === undefined ? old : `${index_bound} < ${before} and ${old}`;
}

/** Removes facts of a few players on both sides, with what points to them. Returns how many went from the live tables. */
export async function removeFacts(tx: PoolClient, family: Derivation, bounds: readonly Bound[]): Promise<number> {
  const values = [bounds.map((bound) => bound.player_id), bounds.map((bound) => bound.before)];
  const facts = family.tables.filter(isForgotten);
  const given = 'bound as (select * from unnest($1::bigint[], $2::timestamptz[]) as k(player_id, before))';
  const going = facts.map(
    (table) =>
      `${table.name} as (select t.* from live.${table.name} t join bound using (player_id) where ${olderThan(table, 'bound.before')})`,
  );
  for (const { spec } of family.totals ?? []) {
    if (!spec.forgets) continue;
    for (const schema of ['live', 'baseline']) {
      await tx.query(foldStatement(spec, schema, [given, ...going].join(', '), '$1::bigint[]'), values);
    }
  }
  let removed = 0;
  for (const schema of ['live', 'baseline'] as const) {
    for (const table of facts) {
      const pointing = family.tables.filter(({ goes_with }) => goes_with?.table === table.name);
      const gone = await removeRows(tx, schema, table, { given, values, keys: pointing });
      if (schema === 'live') removed += gone.rows;
      for (const pointers of pointing) await removePointers(tx, schema, pointers, gone.keys);
    }
  }
  return removed;
}

interface Gone {
  rows: number;
  /** By column, one value per row that went: what rows of other tables point to. */
  keys: Record<string, readonly unknown[]>;
}

async function removeRows(
  tx: PoolClient,
  schema: string,
  table: DerivedTable,
  { given, values, keys: pointing }: { given: string; values: unknown[]; keys: readonly DerivedTable[] },
): Promise<Gone> {
  const columns = [...new Set(pointing.flatMap(({ goes_with }) => goes_with?.by ?? []))];
  const returned = columns.map((column) => `t.${column}`).join(', ');
  const { rows, rowCount } = await tx.query<Record<string, unknown>>(
    `with ${given} delete from ${schema}.${table.name} t using bound
     where t.player_id = bound.player_id and ${olderThan(table, 'bound.before')}
     ${returned === '' ? '' : `returning ${returned}`}`,
    values,
  );
  return {
    rows: rowCount ?? 0,
    keys: Object.fromEntries(columns.map((column) => [column, rows.map((row) => row[column])])),
  };
}

/**
 * Removes rows that point to what went, unless a younger row of the same key is left: rows are looked for behind those keys only.
 * Hashed in one pass over the rows of these players, since no index leads from a key to them: it would be half their size again.
 */
async function removePointers(
  tx: PoolClient,
  schema: string,
  { name, goes_with }: DerivedTable,
  keys: Gone['keys'],
): Promise<void> {
  if (goes_with === undefined || (keys.player_id?.length ?? 0) === 0) return;
  const { table, by } = goes_with;
  const same = by.map((column) => `f.${column} = k.${column}`).join(' and ');
  const columns = by.map((column) => `p.${column}`).join(', ');
  await tx.query(
    `delete from ${schema}.${name} p
     where p.player_id = any ($1::bigint[]) and (${columns}) in (
       select distinct ${by.map((column) => `k.${column}`).join(', ')}
       from unnest(${by.map((_, i) => `$${i + 2}::bigint[]`).join(', ')}) as k(${by.join(', ')})
       where not exists (select from ${schema}.${table} f where ${same}))`,
    [[...new Set(keys.player_id)], ...by.map((column) => keys[column] ?? [])],
  );
}
