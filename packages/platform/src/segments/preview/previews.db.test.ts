import { compileToSql, type Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { seededRules, seededTables, seedTotals } from '../../../testing/segments/seed-totals.ts';
import { protectedPlayers, readBrandNames, ruleCatalog, sqlSource } from '../fields/index.ts';
import { countingRule } from './count.ts';
import { PreviewTooCostly, RulePreviews } from './index.ts';

const { pool } = await setupDatabase();
const { brand } = await createBrand(pool, { time_zone: 'UTC' });
const at = Date.parse('2026-05-01T12:00:00Z') * 1000;
const players = 12_000;
const client = await pool.connect();
await client.query('begin');
await seedTotals(client, { brandId: brand.brand_id, players, now: at });
await client.query('commit');
await client.query(`analyze ${seededTables.join(', ')}`);
client.release();
const catalog = ruleCatalog(brand, await readBrandNames(pool, brand));
const rules = Object.entries(seededRules).map(([name, conditions]) => ({
  name,
  rule: { combinator: 'and', rules: conditions.map((one) => ({ ...one })) } as Rule,
}));

async function truth(rule: Rule) {
  const db = await pool.connect();
  try {
    return await countingRule(rule, { catalog, at }).count(db, undefined);
  } finally {
    db.release();
  }
}

test('a brand with many players: exact for every rule if there is time', async () => {
  const previews = new RulePreviews({ pool, budgetMs: 60_000 });
  for (const { name, rule } of rules) {
    const expected = await truth(rule);
    const preview = await previews.preview({ catalog, rule, at });
    const { count, protected: ofProtected, exact, error } = preview;
    expect({ name, count, protected: ofProtected, exact, error }).toEqual({
      name,
      count: expected.holds,
      protected: expected.protected,
      exact: true,
      error: null,
    });
    expect(count).toBeGreaterThan(0);
    expect(preview.per_condition.map(({ removes }) => removes)).toEqual(
      expected.without.map((without) => without - expected.holds),
    );
  }
});

test('PostgreSQL can estimate how many players a rule in a where clause selects', async () => {
  const estimated = ['new without a deposit', 'reachable by e-mail', 'from Malta or Sweden'];
  for (const { name, rule } of rules.filter((one) => estimated.includes(one.name))) {
    const { joins, condition, values } = compileToSql(rule, {
      catalog,
      source: sqlSource(catalog),
      at,
      zone: 'UTC',
      asFilter: true,
    });
    const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
      `explain (format json) select p.player_id from player p left join ${protectedPlayers()} q using (player_id) ${joins}
        where q.player_id is null and ${condition}`,
      values,
    );
    const { holds } = await truth(rule);
    const ratio = (rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0) / holds;
    expect({ name, isClose: ratio > 0.8 && ratio < 1.25, ratio }).toMatchObject({ name, isClose: true });
  }
});

test('without time for all players, the count is estimated from a random sample, with its error', async () => {
  // No time is left after the first 1,000 players.
  const previews = new RulePreviews({ pool, budgetMs: 0 });
  let far = 0;
  for (const { rule } of rules) {
    const { count, exact, error, sample } = await previews.preview({ catalog, rule, at });
    expect(exact).toBe(false);
    expect(sample.length).toBeLessThanOrEqual(10);
    if (Math.abs(count - (await truth(rule)).holds) > (error ?? 0)) far++;
  }
  // One of 20 estimates may be further away than its error.
  expect(far).toBeLessThanOrEqual(1);
});

test('a rule that takes too long even for a few players is refused, and the next one is counted', async () => {
  const conditions = Array.from({ length: 200 }, (_, i) => ({
    field: `trait.login_count_${i + 1}d`,
    operator: '>=' as const,
    value: 0,
  }));
  const rule: Rule = { combinator: 'and', rules: conditions };
  const hasty = new RulePreviews({ pool, longestMs: 1 });
  await expect(hasty.preview({ catalog, rule, at })).rejects.toThrow(PreviewTooCostly);
  // If there is enough time, a few players can be counted even for a very costly rule.
  const previews = new RulePreviews({ pool, longestMs: 60_000 });
  expect((await previews.preview({ catalog, rule, at })).per_condition).toHaveLength(200);
});
