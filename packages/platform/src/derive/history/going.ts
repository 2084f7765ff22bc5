import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';
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

/** Removes facts of a few players on both sides, with what points to them. Returns how many went from the live tables. */
export async function removeFacts(tx: PoolClient, family: Derivation, bounds: readonly Bound[]): Promise<number> {
  const values = [bounds.map((bound) => bound.player_id), bounds.map((bound) => timestamptzText(bound.before))];
  const facts = family.tables.filter(isForgotten);
  const given = 'bound as (select * from unnest($1::bigint[], $2::timestamptz[]) as k(player_id, before))';
  const going = facts.map(
    ({ name, ages_by }) =>
      `${name} as (select t.* from live.${name} t join bound using (player_id) where ${ages_by} < bound.before)`,
  );
  for (const { spec } of family.totals ?? []) {
    if (!spec.forgets) continue;
    for (const schema of ['live', 'baseline']) {
      await tx.query(foldStatement(spec, schema, [given, ...going].join(', '), '$1::bigint[]'), values);
    }
  }
  let removed = 0;
  for (const schema of ['live', 'baseline'] as const) {
    for (const { name, ages_by } of facts) {
      const { rowCount } = await tx.query(
        `with ${given} delete from ${schema}.${name} t using bound
         where t.player_id = bound.player_id and ${ages_by} < bound.before`,
        values,
      );
      if (schema === 'live') removed += rowCount ?? 0;
    }
    for (const { name, goes_with } of family.tables) {
      if (goes_with === undefined) continue;
      const same = goes_with.by.map((column) => `f.${column} = p.${column}`).join(' and ');
      await tx.query(
        `delete from ${schema}.${name} p where p.player_id = any ($1::bigint[])
         and not exists (select from ${schema}.${goes_with.table} f where ${same})`,
        [values[0]],
      );
    }
  }
  return removed;
}
