import type { Micros } from '@croupier/contracts';
import { compileConditions, type Rule } from '@croupier/rules';
import type { ClientBase } from 'pg';
import { protectedPlayers, type RuleCatalog, type Scope, sqlSource } from '../fields/index.ts';
import type { Counted } from './estimate.ts';
import { ruleWithout } from './without.ts';

/** A rule as a statement that counts. */
export interface CountingRule {
  /** JSON paths of its conditions with their fields, in the order of `Counted.without`. */
  readonly conditions: readonly { path: string; field: string }[];
  /** @param players the players to count; undefined: all of the brand */
  count(db: ClientBase, players: readonly number[] | undefined): Promise<Counted & { sample: number[] }>;
}

/** The number of players in the answer's sample. */
export const sampleSize = 10;

/** Also counts, for every condition, the players who would satisfy the rule without it. */
export function countingRule(rule: Rule, options: { catalog: RuleCatalog; at: Micros }): CountingRule {
  const { catalog, at } = options;
  const { brand_id, settings } = catalog.brand;
  // The parameters of the statement: the brand, and the players to count.
  const inPlayers: Scope = (column) => `${column} = any($2::bigint[])`;
  const statement = (scope: Scope | undefined) => {
    const source = sqlSource(catalog, scope);
    return compileConditions(rule, { catalog, source, at, zone: settings.time_zone, values: [brand_id, []] });
  };
  const conditions = [...statement(inPlayers).conditions].map(([path, { field }]) => ({ path, field }));
  return {
    conditions,
    async count(db, players) {
      const scope = players && inPlayers;
      const { joins, conditions: compiled, values } = statement(scope);
      const names = new Map([...compiled.keys()].map((path, i) => [path, `c${i + 1}`]));
      const shown = [...compiled].map(([path, { condition }]) => `, ${condition} as ${names.get(path)}`).join('');
      const {
        rows: judged,
        whole,
        without,
      } = ruleWithout(
        rule,
        names,
        `select p.player_id, q.player_id is not null as protected${shown}
           from player p left join ${protectedPlayers(scope)} q on q.player_id = p.player_id ${joins}
          where p.brand_id = $1 and p.erased_at is null and ${players ? 'p.player_id = any($2::bigint[])' : '$2::bigint[] is not null'}`,
      );
      const counts = [...names.keys()].map(
        (path, i) => `, count(*) filter (where not protected and ${without.get(path)}) as w${i + 1}`,
      );
      const sample = players
        ? `(array_agg(player_id) filter (where not protected and ${whole}))[1:${sampleSize}]`
        : 'null::bigint[]';
      const text = `
        select count(*) as players, count(*) filter (where not protected and ${whole}) as holds,
               count(*) filter (where protected and ${whole}) as protected, ${sample} as sample${counts.join('')}
        from (${judged}) r`;
      const { rows } = await db.query<Record<string, number> & { sample: number[] | null }>(text, [
        brand_id,
        players ?? [],
        ...values.slice(2),
      ]);
      const [row] = rows;
      return {
        players: row?.players ?? 0,
        holds: row?.holds ?? 0,
        protected: row?.protected ?? 0,
        without: [...names].map((_, i) => row?.[`w${i + 1}`] ?? 0),
        sample: row?.sample ?? [],
      };
    },
  };
}
