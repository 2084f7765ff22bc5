import { compileToSql, type Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import type { BrandRegistry } from '../../packages/platform/src/brands/index.ts';
import type { PlatformRules } from '../../packages/platform/src/segments/membership/index.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { SegmentEvidence, ToldTransition } from './segments.ts';

/** Number of transitions whose times are checked. Each check costs two statements. */
const lookedAt = 60;

/**
 * A transition by the clock alone must happen at a time at which the clock changes the answer. This check also works later, for players to
 * whom nothing happened after the transition: just before the cause, the rule gives the opposite answer, and at the transition it gives the
 * answer that the transition states.
 */
export async function judgeTimes(
  { pool, brands, rules }: { pool: Pool; brands: BrandRegistry; rules: PlatformRules },
  { transitions, events }: SegmentEvidence,
  brandId: number,
): Promise<Outcome> {
  const brand = brands.byId(brandId);
  if (brand === undefined) throw new Error(`there is no brand ${brandId}`);
  const { catalog, source } = await rules.of(brand);
  const ruleOf = await readRules(pool, brandId);
  const lastEvents = new Map<string, number>();
  for (const { user_id, received_at } of events.values())
    lastEvents.set(user_id, Math.max(received_at, lastEvents.get(user_id) ?? 0));
  const isQuiet = ({ user_id, at }: ToldTransition) => (lastEvents.get(user_id) ?? 0) < at;
  const chosen = transitions
    .filter((one) => one.cause.type === 'time' && isQuiet(one) && ruleOf.has(one.code))
    .slice(-lookedAt);
  const broken: string[] = [];
  for (const one of chosen) {
    const rule = ruleOf.get(one.code) as Rule;
    const holdsAt = async (at: number) => {
      const scope = (column: string) => `${column} = $1::bigint`;
      const zone = brand.settings.time_zone;
      const values = [one.player_id];
      const compiled = compileToSql(rule, { catalog, source: source(scope), at, zone, values });
      const { rows } = await pool.query<{ holds: boolean }>(
        `select ${compiled.condition} as holds from player p ${compiled.joins} where p.player_id = $1::bigint`,
        compiled.values,
      );
      return rows[0]?.holds;
    };
    const [before, after] = [await holdsAt(one.cause.at - 1), await holdsAt(one.at)];
    const entered = one.transition === 'entered';
    if (before !== !entered || after !== entered)
      broken.push(
        `${one.code} of ${one.user_id}, ${one.transition}: ${before} before ${one.cause.at}, ${after} at ${one.at}`,
      );
  }
  return outcome(
    'P16',
    'a transition by the clock happens when the clock changes the answer',
    { times_read: chosen.length },
    broken,
  );
}

/** Reads the rules of those segments whose answer depends only on events and the clock. */
async function readRules(pool: Pool, brandId: number): Promise<Map<string, Rule>> {
  const { rows } = await pool.query<{ code: string; rule: Rule }>(
    `select s.code, v.rule from segment_version v join segment s using (segment_id)
      where s.brand_id = $1 and v.state = 'in_force' and v.rule is not null
        and not v.rule::text ~ '"(segment|tag|profile|consent|block)[.]'`,
    [brandId],
  );
  return new Map(rows.map(({ code, rule }) => [code, rule]));
}
