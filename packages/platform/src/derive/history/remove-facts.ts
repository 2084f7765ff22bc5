import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Derivation, DerivedTable } from '../derivation.ts';
import { foldStatement } from '../totals/index.ts';

/** How far the facts of a player may be removed. */
export interface Bound {
  player_id: number;
  before: Micros;
}

export function isForgotten({ kept_for }: DerivedTable): boolean {
  return kept_for === 'history';
}

/** SQL: the rows older than `before` of a table that keeps facts for the history. It uses the index if there is one. */
export function olderThan({ ages_by, index_bound }: DerivedTable, before: string): string {
  const old = `${ages_by} < ${before}`;
  return index_bound === undefined ? old : `${index_bound} < ${before} and ${old}`;
}

/**
 * Removes facts of a few players from both sides, with the rows that point to them. Returns the number of rows removed
 * from the live tables.
 */
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
  for (const table of facts) {
    const pointing = family.tables.filter(({ goes_with }) => goes_with?.table === table.name);
    removed += (await removeRows(tx, 'live', table, { given, values, keys: [] })).rows;
    const gone = await removeRows(tx, 'baseline', table, { given, values, keys: pointing });
    for (const pointers of pointing) await removePointers(tx, pointers, gone.keys);
  }
  return removed;
}

interface Gone {
  rows: number;
  /** The keys of the removed rows, to which rows of other tables point. For each column, one value per removed row. */
  keys: Record<string, readonly unknown[]>;
}

async function removeRows(
  tx: PoolClient,
  schema: 'live' | 'baseline',
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
 * Removes rows that point to removed facts, unless the baseline has another row of the same key, and removes the same rows from the live
 * table. Live facts do not matter here: the live fact of an event in the ledger has separate pointers, which a rebuild adds to those of
 * the baseline. If it shared a pointer with the removed fact, its event would have touched the removed fact, which would then have been
 * kept.
 *
 * The statement reads all rows of these players once, and selects those with the given keys by a hash join. An index on these keys would
 * make the table half as large again.
 */
async function removePointers(tx: PoolClient, { name, goes_with }: DerivedTable, keys: Gone['keys']): Promise<void> {
  if (goes_with === undefined || (keys.player_id?.length ?? 0) === 0) return;
  const { table, by, found_by } = goes_with;
  const all = (columns: readonly string[], of: string) => columns.map((column) => `${of}.${column}`).join(', ');
  const same = (columns: readonly string[], a: string, b: string) =>
    columns.map((column) => `${a}.${column} = ${b}.${column}`).join(' and ');
  await tx.query(
    `with gone as (
       delete from baseline.${name} p
       where p.player_id = any ($1::bigint[]) and (${all(by, 'p')}) in (
         select distinct ${all(by, 'k')}
         from unnest(${by.map((_, i) => `$${i + 2}::bigint[]`).join(', ')}) as k(${by.join(', ')})
         where not exists (select from baseline.${table} f where ${same(by, 'f', 'k')}))
       returning ${all([...by, found_by], 'p')})
     delete from live.${name} p using gone
     where p.player_id = any ($1::bigint[]) and ${same([...by, found_by], 'p', 'gone')}`,
    [[...new Set(keys.player_id)], ...by.map((column) => keys[column] ?? [])],
  );
}
