import { compileToSql, type Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { BrandRegistry, Vault } from '../packages/platform/src/brands/index.ts';
import { openPool } from '../packages/platform/src/database/index.ts';
import {
  protectedPlayers,
  readBrandNames,
  ruleCatalog,
  sqlSource,
} from '../packages/platform/src/segments/fields/index.ts';
import { RulePreviews } from '../packages/platform/src/segments/preview/index.ts';
import { seededRules, seededTables, seedTotals } from '../packages/platform/testing/segments/seed-totals.ts';
import { median, report } from './figure.ts';
import { startPlatform } from './platform.ts';
import { computeWhole } from './segments/whole-computation.ts';

/*
 * Rules over players with totals of two years (SEGMENT_PLAYERS, 1,000,000 by default):
 *
 *   first computation   the members of a rule by compileToSql, against hand-written SQL for the same rule
 *   membership written  the same by the platform's own computation, portion by portion, against one INSERT of the
 *                       hand-written selection
 *   preview             50 previews: how long they took, and how far estimates were from the exact result
 */
type RuleName = keyof typeof seededRules;

export async function benchSegmentsPreview({ smoke }: { smoke: boolean }): Promise<boolean> {
  const players = Number(process.env.SEGMENT_PLAYERS ?? (smoke ? 50_000 : 1_000_000));
  const platform = await startPlatform({ worker: false, brand: { time_zone: 'UTC' } });
  const { pool } = platform;
  const oneCore = openPool(platform.databaseUrl, { name: 'bench one core', statementTimeoutMs: 0, max: 1 });
  try {
    const vault = new Vault('a secret of 32 characters for the bench');
    const brands = new BrandRegistry({ pool, vault, log: pino({ level: 'warn' }) });
    await brands.refresh();
    const brand = brands.byCode('bench');
    if (brand === undefined) throw new Error('there is no brand bench');
    const at = Date.now() * 1000;
    const began = performance.now();
    await seed(pool, { brandId: brand.brand_id, players, now: at });
    figure('seeding', (performance.now() - began) / 1000, 's');
    const catalog = ruleCatalog(brand, await readBrandNames(pool, brand));
    const names = Object.keys(seededRules) as RuleName[];
    // The statements use one core, as in the platform's computation, which leaves the other cores to derive.
    await oneCore.query('set max_parallel_workers_per_gather = 0');
    let holds = true;
    const truth = new Map<RuleName, number>();
    for (const name of names) {
      const compiled = compileToSql(ruleOf(name), {
        catalog,
        source: sqlSource(catalog),
        at,
        zone: 'UTC',
        asFilter: true,
      });
      // Protected players are left out by the join that the platform's computation uses.
      const text = `select count(*) as members from player p left join ${protectedPlayers()} q using (player_id) ${compiled.joins}
        where p.brand_id = ${brand.brand_id} and p.erased_at is null and q.player_id is null and ${compiled.condition}`;
      const byHand = byHandOf(name, brand.brand_id);
      const times: { compiled: number[]; byHand: number[] } = { compiled: [], byHand: [] };
      for (let round = 0; round < 5; round++) {
        const ours = await timed(oneCore, text, compiled.values);
        const theirs = await timed(oneCore, byHand);
        if (ours.members !== theirs.members)
          throw new Error(`${name}: ${ours.members} members, but ${theirs.members} with hand-written SQL`);
        truth.set(name, ours.members);
        times.compiled.push(ours.ms);
        times.byHand.push(theirs.ms);
      }
      const [value, reference] = [median(times.compiled), median(times.byHand)];
      report({
        bench: 'segments-preview',
        figure: `first computation: ${name}`,
        value,
        unit: 'ms',
        reference: { name: 'hand-written SQL', value: reference },
      });
      holds &&= value <= 1.5 * reference;
    }
    for (const name of names)
      await computeWhole({ pool, brands, brand, name, rule: ruleOf(name), byHand: byHandOf(name, brand.brand_id) });
    const took: number[] = [];
    let [exact, estimates, far] = [0, 0, 0];
    for (let round = 0; round < 5; round++) {
      // Each round samples other players. If all rounds used one sample, an estimate that is further off would count five times.
      const previews = new RulePreviews({ pool, firstBucket: round * 12 });
      for (const name of names) {
        const asked = performance.now();
        const preview = await previews.preview({ catalog, rule: ruleOf(name), at });
        took.push(performance.now() - asked);
        if (preview.error === null) exact++;
        else {
          estimates++;
          if (Math.abs(preview.count - (truth.get(name) ?? 0)) > preview.error) far++;
        }
      }
    }
    took.sort((a, b) => a - b);
    const p95 = took[Math.floor(took.length * 0.95)] ?? 0;
    figure('previews, exact', exact, 'previews');
    figure('previews, estimated', estimates, 'previews');
    figure('estimates further off than their error', far, 'previews');
    report({ bench: 'segments-preview', figure: 'preview p95', value: p95, unit: 'ms', at_most: 1_000 });
    return smoke || (holds && p95 <= 1_000);
  } finally {
    await oneCore.end();
    await platform.stop();
  }
}

function figure(name: string, value: number, unit: string): void {
  report({ bench: 'segments-preview', figure: name, value, unit });
}

export function ruleOf(name: RuleName): Rule {
  return { combinator: 'and', rules: seededRules[name].map((one) => ({ ...one })) };
}

async function seed(pool: Pool, options: { brandId: number; players: number; now: number }): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await seedTotals(client, options);
    await client.query('commit');
    await client.query(`vacuum analyze ${seededTables.join(', ')}`);
  } finally {
    client.release();
  }
}

async function timed(pool: Pool, text: string, values: unknown[] = []): Promise<{ ms: number; members: number }> {
  const began = performance.now();
  const { rows } = await pool.query<{ members: number }>(text, values);
  return { ms: performance.now() - began, members: rows[0]?.members ?? 0 };
}

/** The same rules as an experienced person writes them in SQL, starting from the smallest table that answers. */
export function byHandOf(name: RuleName, brandId: number): string {
  const members = (from: string, where: string) =>
    `select count(*) as members from ${from} join player p using (player_id) left join player_protection q using (player_id)
     where p.brand_id = ${brandId} and p.erased_at is null and not coalesce(q.excluded or q.blocked, false) and ${where}`;
  const today = `(now() at time zone 'UTC')::date`;
  const days = (table: string, column: string, first: number, last: number, having: string) =>
    `(select player_id, sum(${column}) as n from ${table} where day between ${today} - ${first} and ${today} - ${last} group by 1 ${having}) d`;
  const everyone = (where: string, more = '') =>
    `select count(*) as members from player p left join player_protection q using (player_id) ${more}
     where p.brand_id = ${brandId} and p.erased_at is null and not coalesce(q.excluded or q.blocked, false) and ${where}`;
  const statements: Record<RuleName, string> = {
    'deposited today': members(days('payment_day', 'deposit_count', 0, 0, 'having sum(deposit_count) >= 1'), 'true'),
    'twice in the last 7 days': members(
      days('payment_day', 'deposit_count', 6, 0, 'having sum(deposit_count) >= 2'),
      'true',
    ),
    'slipping away': members(
      `(select player_id from payment_total group by 1 having sum(deposit_count) >= 3) d join login_total l using (player_id)`,
      `(l.login_last_at at time zone 'UTC')::date <= ${today} - 14`,
    ),
    'big losers of the last 30 days': members(
      days('casino_day', 'real_bet_sum - real_win_sum', 29, 0, 'having sum(real_bet_sum - real_win_sum) >= 500'),
      'true',
    ),
    'less than before': members(
      `${days('casino_day', 'bet_count', 13, 7, 'having sum(bet_count) >= 50')} left join
       (select player_id, sum(bet_count) as n from casino_day where day between ${today} - 6 and ${today} group by 1) e using (player_id)`,
      'coalesce(e.n, 0) < 20',
    ),
    'new without a deposit': members(
      'login_total l',
      `l.login_count >= 1 and not exists (select from payment_total t where t.player_id = p.player_id and t.deposit_count > 0)`,
    ),
    'from Malta or Sweden': members('player_profile f', `f.country in ('MT', 'SE')`),
    'reachable by e-mail': members('player_consent c', `c.type_key = 'email' and c.opted_in and not c.in_doubt`),
    'birthday this week': everyone(
      `(case when (f.birth_date::date + make_interval(years => y))::date < ${today} then (f.birth_date::date + make_interval(years => y + 1))::date
             else (f.birth_date::date + make_interval(years => y))::date end) - ${today} <= 7`,
      `join player_profile f using (player_id)
       cross join lateral (select (extract(year from ${today}) - extract(year from f.birth_date::date))::int as y) y`,
    ),
    'high rollers': members(
      `(select player_id from payment_total group by 1 having sum(deposit_sum) >= 2000) d join
       ${days('casino_day', 'real_bet_sum + bonus_bet_sum + locked_bet_sum', 89, 0, 'having sum(real_bet_sum + bonus_bet_sum + locked_bet_sum) >= 5000').replace(/d$/, 'e')} using (player_id)`,
      'true',
    ),
  };
  return statements[name];
}
