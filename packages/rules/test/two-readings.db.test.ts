import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { setupDatabase } from '../../platform/testing/database.ts';
import { momentText } from '../src/calendar.ts';
import { horizon } from '../src/evaluate.ts';
import { answerOf, checkRule, compileToSql, evaluate, operatorsOf, type Rule, ruleHolds } from '../src/index.ts';
import { playerArbitrary, readings, ruleArbitrary, zones } from './sample-rules.ts';
import { allFields, catalog, createTables, insertPlayers, type SamplePlayer, source, viewOf } from './sample-world.ts';

/*
 * Compares the two implementations of one tree in PostgreSQL. For random rules and random players, the
 * evaluator must give the same answer as the compiled SQL. The answers are compared at the moment of
 * evaluation, and just before and after the moment until which the evaluator says that the answer holds.
 */
const { pool } = await setupDatabase();
const playersPerMoment = 60;
const rulesPerMoment = 80;
const seed = Number(process.env.RULES_SEED ?? 20260504);

/** SQL's result for each player: whether the rule holds, and when that may first change; null for never. */
async function changes(
  rule: Rule,
  at: number,
  zone: string,
  ids: readonly number[],
): Promise<Map<number, { holds: boolean; at: number | null }>> {
  const compiled = compileToSql(rule, { catalog, source, at, zone, values: [ids], changes: true });
  const { rows } = await pool.query<{ player_id: number; holds: boolean; at: number | null }>(
    `select p.player_id, ${compiled.condition} as holds, ${compiled.changesAt} as at from sample_player p ${compiled.joins} where p.player_id = any($1::bigint[])`,
    compiled.values,
  );
  return new Map(rows.map((row) => [Number(row.player_id), row]));
}

/** The players that SQL finds with the rule in the where clause. */
async function playersBySql(rule: Rule, at: number, zone: string, ids: readonly number[]): Promise<Set<number>> {
  const { joins, condition, values } = compileToSql(rule, {
    catalog,
    source,
    at,
    zone,
    values: [ids],
    asFilter: true,
  });
  const text = `select p.player_id from sample_player p ${joins} where p.player_id = any($1::bigint[]) and ${condition}`;
  const { rows } = await pool.query<{ player_id: number }>(text, values);
  return new Set(rows.map((row) => Number(row.player_id)));
}

describe('both implementations of a rule agree', () => {
  const seen = { pairs: 0, operators: new Map<string, Set<boolean>>(), flips: 0, staying: 0 };
  beforeAll(() => createTables(pool));

  test.each(readings.map((at, index) => [momentText(at), at, index] as const))(
    'at %s',
    { timeout: 120_000 },
    async (_, at, index) => {
      const players = Array.from({ length: playersPerMoment }, (_, n) => {
        const id = index * playersPerMoment + n + 1;
        return fc.sample(playerArbitrary(id, at), { numRuns: 1, seed: seed + id })[0] as SamplePlayer;
      });
      await insertPlayers(pool, players);
      const ids = players.map((player) => player.player_id);
      const rules = fc.sample(ruleArbitrary(at), { numRuns: rulesPerMoment, seed: seed + index });
      for (const [n, rule] of rules.entries()) {
        const zone = zones[n % zones.length] ?? 'UTC';
        expect(checkRule(rule, catalog, 'stored'), JSON.stringify(rule)).toEqual([]);
        const members = await playersBySql(rule, at, zone, ids);
        const changesAt = await changes(rule, at, zone, ids);
        const turns: { player: SamplePlayer; value: boolean; until: number }[] = [];
        for (const player of players) {
          const view = viewOf(player, zone);
          const { trace, ...result } = evaluate(rule, view, { catalog, at, zone });
          const describeCase = () =>
            `seed ${seed}, zone ${zone}, at ${momentText(at)}\n${JSON.stringify({ rule, player, result }, null, 1)}`;
          expect(answerOf(rule, view, { catalog, at, zone }), describeCase()).toEqual(result);
          if (ruleHolds(rule, view, { catalog, at, zone }) !== result.value)
            expect.fail(`without a trace: ${describeCase()}`);
          if (result.value !== members.has(player.player_id))
            expect.fail(`SQL says ${!result.value}: ${describeCase()}`);
          seen.pairs++;
          const column = changesAt.get(player.player_id);
          if (result.value !== column?.holds) expect.fail(`SQL says ${!result.value} in a column: ${describeCase()}`);
          const first = column.at ?? Number.POSITIVE_INFINITY;
          if (first <= at || first > (result.holds_until ?? Number.POSITIVE_INFINITY))
            expect.fail(`SQL says that nothing changes before ${first}: ${describeCase()}`);
          for (const { operator, field, holds } of trace) {
            const key = `${field.startsWith('did.') ? 'did' : ''} ${operator}`.trim();
            seen.operators.set(key, (seen.operators.get(key) ?? new Set()).add(holds));
          }
          if (result.holds_until === null) seen.staying++;
          else turns.push({ player, value: result.value, until: result.holds_until });
        }
        // The test moves the clock for only a few of them, because each moment needs a separate statement.
        for (const { player, value, until } of turns.slice(0, 3)) {
          const holdsAt = async (when: number) =>
            (await playersBySql(rule, when, zone, [player.player_id])).has(player.player_id);
          const describeCase = `seed ${seed}, zone ${zone}, until ${momentText(until)}\n${JSON.stringify({ rule, player }, null, 1)}`;
          expect(await holdsAt(until - 1), `before: ${describeCase}`).toBe(value);
          expect(await holdsAt(Math.floor((at + until) / 2)), `in the middle: ${describeCase}`).toBe(value);
          // Beyond the horizon, `holds_until` is only the moment at which to evaluate again.
          if (until <= at + horizon) expect(await holdsAt(until), `then: ${describeCase}`).toBe(!value);
          seen.flips++;
        }
      }
    },
  );

  test('covers enough pairs, with each operator true and false', () => {
    expect(seen.pairs).toBeGreaterThanOrEqual(20_000);
    expect(seen.flips).toBeGreaterThan(100);
    expect(seen.staying).toBeGreaterThan(100);
    const expected = new Set(allFields.flatMap((field) => operatorsOf(field).map((operator) => operator.name)));
    for (const name of [...expected, 'did atLeast', 'did atMost', 'did exactly'])
      expect([name, [...(seen.operators.get(name) ?? [])].sort()]).toEqual([name, [false, true]]);
  });
});
