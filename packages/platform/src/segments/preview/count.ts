import type { Micros } from '@croupier/contracts';
import { combineConditions, compileConditions, type Rule } from '@croupier/rules';
import type { ClientBase } from 'pg';
import { type RuleCatalogue, sqlSource } from '../fields/index.ts';
import type { Counted } from './estimate.ts';

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
export function countingRule(rule: Rule, options: { catalogue: RuleCatalogue; at: Micros }): CountingRule {
  const { catalogue, at } = options;
  const { brand_id, settings } = catalogue.brand;
  const statement = (scoped: boolean) => {
    // The parameters of the statement: the brand, and the players to count.
    const source = sqlSource(catalogue, scoped ? (column) => `${column} = any($2::bigint[])` : undefined);
    return compileConditions(rule, { catalogue, source, at, zone: settings.time_zone, values: [brand_id, []] });
  };
  const conditions = [...statement(true).conditions].map(([path, { field }]) => ({ path, field }));
  return {
    conditions,
    async count(db, players) {
      const { joins, conditions: compiled, values } = statement(players !== undefined);
      const names = new Map([...compiled.keys()].map((path, i) => [path, `c${i + 1}`]));
      const shown = [...compiled].map(([path, { condition }]) => `, ${condition} as ${names.get(path)}`).join('');
      const whole = combineConditions(rule, (path) => names.get(path));
      const without = [...names.keys()].map((left, i) => {
        const rest = combineConditions(rule, (path) => (path === left ? undefined : names.get(path)));
        return `, count(*) filter (where not protected and ${rest}) as w${i + 1}`;
      });
      const sample = players
        ? `(array_agg(player_id) filter (where not protected and ${whole}))[1:${sampleSize}]`
        : 'null::bigint[]';
      const text = `
        select count(*) as players, count(*) filter (where not protected and ${whole}) as holds,
               count(*) filter (where protected and ${whole}) as protected, ${sample} as sample${without.join('')}
        from (
          select p.player_id, coalesce(q.excluded or q.blocked, false) as protected${shown}
          from player p left join player_protection q on q.player_id = p.player_id ${joins}
          where p.brand_id = $1 and p.erased_at is null and ${players ? 'p.player_id = any($2::bigint[])' : '$2::bigint[] is not null'}
        ) r`;
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
