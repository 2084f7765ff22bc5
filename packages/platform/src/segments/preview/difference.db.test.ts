import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { seededTables, seedTotals } from '../../../testing/segments/seed-totals.ts';
import { transaction } from '../../database/index.ts';
import { readBrandNames, ruleCatalog } from '../fields/index.ts';
import { type Change, changeNames, eachChange, RulePreviews } from './index.ts';

const { pool } = await setupDatabase();
const { brand } = await createBrand(pool, { time_zone: 'UTC' });
const at = Date.parse('2026-05-01T12:00:00Z') * 1000;
const players = 45_000;
await transaction(pool, (tx) => seedTotals(tx, { brandId: brand.brand_id, players, now: at }));
await pool.query(`analyze ${seededTables.join(', ')}`);
// Every third player is a member of the version in force, independently of the draft.
await pool.query(
  `insert into segment_member (player_id, version_id, protected, since)
   select player_id, 7, false, now() from (select player_id, row_number() over (order by player_id) as n from player) p where n % 3 = 0`,
);
const rule: Rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 10 }] };
const catalog = ruleCatalog(brand, await readBrandNames(pool, brand));
const comparison = {
  catalog,
  draft: { version_id: 8, rule, include_protected: false },
  inForce: { version_id: 7 },
  at,
};

test('the difference is exact if there is time, and the export contains exactly those players; otherwise it is an estimate within its errors', async () => {
  const { counts, exact, errors, samples } = await new RulePreviews({ pool, budgetMs: 60_000 }).compare(comparison);
  expect([exact, errors]).toEqual([true, null]);
  expect(counts.leaves + counts.stays).toBe(players / 3);
  for (const name of changeNames) {
    expect(counts[name]).toBeGreaterThan(0);
    expect(samples[name]).toHaveLength(10);
  }
  const exported: Change[] = [];
  for await (const changes of eachChange(pool, comparison)) exported.push(...changes);
  expect(exported.filter(({ change }) => change === 'enters')).toHaveLength(counts.enters);
  expect(exported.filter(({ change }) => change === 'leaves')).toHaveLength(counts.leaves);
  expect(new Set(exported.map(({ user_id }) => user_id)).size).toBe(exported.length);

  const quick = await new RulePreviews({ pool, budgetMs: 0 }).compare(comparison);
  expect(quick.exact).toBe(false);
  // The sample is selected by a hash of the players, so it is the same each time.
  for (const name of changeNames)
    expect(Math.abs(quick.counts[name] - counts[name])).toBeLessThanOrEqual((quick.errors?.[name] ?? 0) * 1.5);
});
