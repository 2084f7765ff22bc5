import { checkRule, compileToSql, evaluate, type Rule, type Value } from '@croupier/rules';
import { describe, expect, test } from 'vitest';
import { setupStage } from '../../../testing/derive/stage.ts';
import { Coverage } from '../../../testing/segments/fields/coverage.ts';
import { addRecords, histories } from '../../../testing/segments/fields/histories.ts';
import { randomRules } from '../../../testing/segments/fields/random-rules.ts';
import type { RuleCatalog } from './catalog.ts';
import { listFields, loadPlayerViews, needsOf, readBrandNames, ruleCatalog, sqlSource } from './index.ts';

/*
 * Evaluates random rules over the platform's tables, which derive filled from real events. For each player, the result in
 * memory must equal the result of PostgreSQL. They are compared at the moment of reading, and around each moment at which the
 * result in memory may change.
 *
 * RULES_SEED selects other rules and histories.
 */
const seed = Number(process.env.RULES_SEED ?? 11);
/** The number of players of each history. One statement evaluates a rule for all of them. */
const playersEach = 46;
const least = { pairs: 20_000, turns: 600, ofEach: 4 };
const seen = { pairs: 0, turns: 0 };
const coverage = new Coverage();
let lastRead: { catalog: RuleCatalog; fields: readonly string[] } | undefined;
const horizon = 800 * 86_400_000_000;

describe.each([
  { time_zone: 'Europe/Malta', now: '2026-05-01T12:30:00Z', rules: 240 },
  // The clocks went forward the day before. So the brand's midnight was at 22:00 UTC, and not at 23:00 UTC.
  { time_zone: 'Europe/Malta', now: '2026-03-29T22:59:59.999999Z', rules: 130 },
  { time_zone: 'America/New_York', now: '2026-11-01T05:30:00Z', rules: 130 },
  // The leap day begins in half an hour. Some players were born on a leap day.
  { time_zone: 'Europe/Malta', now: '2028-02-28T22:30:00Z', rules: 80 },
])('$time_zone at $now', async ({ time_zone, now, rules }) => {
  const { pool, clock, brand, publish, derive } = await setupStage({
    brand: { time_zone, segmentation_traits: { vip_level: { name: 'vip_level', kind: 'number' } } },
  });
  const at = Date.parse(now) * 1000 + (now.includes('.999999') ? 999 : 0);
  clock.set(at);
  await publish(...histories({ seed, now: at, players: playersEach, eventsEach: 25 }));
  await derive();
  await addRecords(pool, { seed, now: at, brandId: brand.brand_id });
  const catalog = ruleCatalog(brand, await readBrandNames(pool, brand));
  const { rows } = await pool.query<{ player_id: number }>('select player_id from player order by player_id');
  const players = rows.map(({ player_id }) => player_id);
  const fields = fieldsToTry(listFields(catalog).map(({ name }) => name));
  const known = await loadPlayerViews(pool, catalog, {
    players,
    needs: { fields: new Set(fields), facts: new Map() },
    at,
  });
  const valuesOf = (field: string): Value[] => [...known.values()].map((view) => view.value(field, at));

  /** PostgreSQL's result: which players satisfy the rule, and when that may change. */
  async function judge(rule: Rule, moment: number): Promise<Map<number, { holds: boolean; changes: number | null }>> {
    const compiled = compileToSql(rule, {
      at: moment,
      zone: time_zone,
      catalog,
      source: sqlSource(catalog),
      changes: true,
    });
    const { rows } = await pool.query<{ player_id: number; holds: boolean; changes: number | null }>(
      `select p.player_id, ${compiled.condition} as holds, ${compiled.changesAt} as changes from player p ${compiled.joins}`,
      compiled.values,
    );
    expect({ rule, found: await filtered(rule, moment) }).toEqual({
      rule,
      found: rows.flatMap(({ player_id, holds }) => (holds ? [player_id] : [])).sort((a, b) => a - b),
    });
    return new Map(rows.map(({ player_id, ...answer }) => [player_id, answer]));
  }

  /** The players that PostgreSQL finds with the rule in the where clause. */
  async function filtered(rule: Rule, moment: number): Promise<number[]> {
    const { joins, condition, values } = compileToSql(rule, {
      at: moment,
      zone: time_zone,
      catalog,
      source: sqlSource(catalog),
      asFilter: true,
    });
    const { rows } = await pool.query<{ player_id: number }>(
      `select p.player_id from player p ${joins} where ${condition} order by 1`,
      values,
    );
    return rows.map(({ player_id }) => player_id);
  }

  test.for([
    { field: 'trait.deposit_count', operator: '=', value: 0 },
    { field: 'trait.casino_bet_count', operator: '=', value: '0' },
    { field: 'consent.Email', operator: '=', value: true },
    { field: 'consent.Email', operator: '=', value: false },
  ])('a condition that is written for estimates finds the same players: $field is $value', async (node) => {
    const answers = [...(await judge({ combinator: 'and', rules: [node] }, at)).values()];
    expect(new Set(answers.map(({ holds }) => holds))).toEqual(new Set([true, false]));
  });

  test('both readings agree, and no result changes before the moment that it states', async () => {
    const source = randomRules(seed, { catalog, at, fields, valuesOf });
    let pairs = 0;
    let moves = 0;
    for (let n = 0; n < rules; n++) {
      const rule = source.next().value as Rule;
      // Random ranges may be in the wrong order, as in stored rules.
      expect(checkRule(rule, catalog, 'stored')).toEqual([]);
      coverage.add(rule, catalog);
      const views = await loadPlayerViews(pool, catalog, { players, needs: needsOf([rule]), at });
      const answers = await judge(rule, at);
      const turns = new Map<number, number[]>();
      for (const player of players) {
        const view = views.get(player);
        if (view === undefined) throw new Error(`player ${player} was not loaded`);
        const { value, holds_until, trace } = evaluate(rule, view, { at, zone: time_zone, catalog });
        const { holds, changes } = answers.get(player) ?? {};
        expect({ rule, player, value }).toEqual({ rule, player, value: holds });
        pairs++;
        for (const { actual } of trace) coverage.count(actual === null ? 'value null' : 'value present');
        if (holds_until === null) continue;
        // SQL may return an earlier moment, but never a later one.
        expect({ rule, player, changes: changes ?? Number.POSITIVE_INFINITY }).toSatisfy(
          (one: { changes: number }) => one.changes <= holds_until,
        );
        if (holds_until <= at + horizon) turns.set(holds_until, [...(turns.get(holds_until) ?? []), player]);
      }
      for (const [moment, turning] of [...turns].slice(0, 3)) {
        const [before, after] = [await judge(rule, moment - 1), await judge(rule, moment)];
        for (const player of turning) {
          const { holds } = answers.get(player) ?? {};
          expect({ rule, player, moment, holds: before.get(player)?.holds }).toEqual({ rule, player, moment, holds });
          expect({ rule, player, moment, holds: after.get(player)?.holds }).toEqual({
            rule,
            player,
            moment,
            holds: !holds,
          });
          moves++;
          coverage.count('turns');
        }
      }
    }
    expect(pairs).toBe(rules * players.length);
    expect(moves).toBeGreaterThan(rules / 2);
    seen.pairs += pairs;
    seen.turns += moves;
    lastRead ??= { catalog, fields };
  }, 120_000);
});

test('covers enough pairs, with each kind of node, operator, window and value', () => {
  expect(seen.pairs).toBeGreaterThanOrEqual(least.pairs);
  expect(seen.turns).toBeGreaterThanOrEqual(least.turns);
  if (lastRead === undefined) throw new Error('no rule was read');
  expect(coverage.missing(lastRead.catalog, lastRead.fields, least.ofEach)).toEqual([]);
});

/** Every field that changes with the clock, with each of its windows, and some of the other fields. */
function fieldsToTry(names: readonly string[]): string[] {
  const windows = [
    'deposit_count',
    'ggr',
    'casino_bet_average',
    'sports_bet_biggest',
    'game_session_last_loss',
    'rtp',
  ].flatMap((name) =>
    ['1h', '3h', '48h', 'today', '2d', '7d', '30d', 'prev_1d', 'prev_7d'].map((window) => `trait.${name}_${window}`),
  );
  const groups = ['trait.deposit_count_by_vendor.visa', 'trait.custom_events.wheel'];
  return [...names, ...windows, ...windows, ...groups];
}
