import type { Micros } from '@croupier/contracts';
import { compileToSql, type Rule } from '@croupier/rules';
import type { ClientBase } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { needsOf, type RuleReading } from '../../segments/membership/index.ts';

/** Returns those of the given players who satisfy a rule at a given time, in the order of player_id. */
export async function playersInAudience(
  tx: ClientBase,
  rules: RuleReading,
  { audience, brand, at }: { audience: Rule; brand: Brand; at: Micros },
  players: readonly number[],
): Promise<number[]> {
  const { catalog, source } = await rules.of(brand, needsOf(audience).fields);
  const { joins, condition, values } = compileToSql(audience, {
    catalog,
    source: source((column) => `${column} = any($1::bigint[])`),
    at,
    zone: brand.settings.time_zone,
    values: [players],
    asFilter: true,
  });
  const { rows } = await tx.query<{ player_id: number }>(
    `select p.player_id from player p ${joins} where p.player_id = any($1::bigint[]) and ${condition} order by p.player_id`,
    values,
  );
  return rows.map(({ player_id }) => player_id);
}
