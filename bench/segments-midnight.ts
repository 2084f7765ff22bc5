import { setTimeout as delay } from 'node:timers/promises';
import type { Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import { timestamptzText } from '../packages/platform/src/database/index.ts';
import { report } from './figure.ts';
import { Arrivals } from './midnight/arrivals.ts';
import { seedMidnight } from './midnight/seed.ts';
import { startMidnightStage } from './midnight/stage.ts';
import { startPlatform } from './platform.ts';

/*
 * Midnight: 3 of 10 players (SEGMENT_PLAYERS, 1,000,000 by default) deposited today, and leave the segment of today's
 * depositors when the day ends. Meanwhile, others deposit at 200/s and enter it.
 *
 *   time until all have left     <= 60 s
 *   event -> member meanwhile    p99 <= 1 s
 */
const perSecond = 200;
const day = 86_400_000_000;
const depositedToday: Rule = {
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count_today', operator: '>=', value: 1 }],
};
const twiceInSevenDays: Rule = {
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count_7d', operator: '>=', value: 2 }],
};

export async function benchSegmentsMidnight({ smoke }: { smoke: boolean }): Promise<boolean> {
  const players = Number(process.env.SEGMENT_PLAYERS ?? (smoke ? 20_000 : 1_000_000));
  const platform = await startPlatform({ worker: false, brand: { time_zone: 'UTC' } });
  try {
    const holds = await midnight(platform, { players, quietSeconds: smoke ? 2 : 10 });
    return smoke || holds;
  } finally {
    await platform.stop();
  }
}

async function midnight(
  { pool, databaseUrl }: { pool: Pool; databaseUrl: string },
  { players, quietSeconds }: { players: number; quietSeconds: number },
): Promise<boolean> {
  const next = Math.ceil((Date.now() * 1000) / day) * day;
  // Starts one hour before midnight, so that seeding and computing end before it.
  let ahead = next - 3_600_000_000 - Date.now() * 1000;
  const stage = await startMidnightStage({ pool, databaseUrl, clock: () => Date.now() * 1000 + ahead });
  try {
    await seedMidnight(pool, { brandId: stage.brand.brand_id, players, midnight: next });
    const began = performance.now();
    const version = await stage.segment('deposited_today', depositedToday);
    figure('first computation with its rows, of a million', ((performance.now() - began) / players) * 1000, 's');
    const others = await stage.segment('twice_in_7_days', twiceInSevenDays);
    const leavers = await members(pool, version);
    await pool.query('vacuum analyze segment_member, segment_due, segment_transition');
    const from = { pool, stage, ...(await newcomers(pool, version)) };
    await stage.start();
    // If a deposit from just before midnight is read after midnight, it does not count for today. So wait until all deposits are read
    // before moving the clock to midnight.
    const evening = new Arrivals(from);
    evening.start(perSecond);
    await delay(quietSeconds * 1000);
    const before = await evening.stop();
    ahead = next - Date.now() * 1000;
    const night = new Arrivals(from);
    const midnightAt = performance.now();
    night.start(perSecond);
    while (await isDue(pool, [version, others], next)) await delay(50);
    const endedAt = performance.now();
    const after = await night.stop();
    const left = await transitionsSince(pool, version);
    const expected = leavers + before.seen.length;
    const missing = before.missing + after.missing;
    if (left !== expected || missing > 0)
      throw new Error(`${left} of ${expected} players left the segment; ${missing} did not enter it`);
    const meanwhile = after.seen.filter(({ acknowledgedAt: at }) => at <= endedAt);
    figure('players who left at midnight', expected, 'players');
    figure('events per second', perSecond, 'events/s');
    figure('event -> member before midnight, p99', percentile(before.seen, 0.99), 'ms');
    figure('event -> member meanwhile, p50', percentile(meanwhile, 0.5), 'ms');
    const took = report({
      ...named('until all have left'),
      value: (endedAt - midnightAt) / 1000,
      unit: 's',
      at_most: 60,
    });
    const slow = report({
      ...named('event -> member meanwhile, p99'),
      value: percentile(meanwhile, 0.99),
      unit: 'ms',
      at_most: 1_000,
    });
    return took !== false && slow !== false;
  } finally {
    await stage.stop();
  }
}

const named = (name: string) => ({ bench: 'segments-midnight', figure: name });

function figure(name: string, value: number, unit: string): void {
  report({ ...named(name), value, unit });
}

function percentile(arrivals: readonly { tookMs: number }[], share: number): number {
  const sorted = arrivals.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

async function members(pool: Pool, version: number): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from segment_member where version_id = $1 and not protected',
    [version],
  );
  return rows[0]?.n ?? 0;
}

/** Players who have not deposited today, in random order. */
async function newcomers(pool: Pool, version: number) {
  const { rows: players } = await pool.query<{ player_id: number; user_id: string }>(
    `select p.player_id, p.user_id from player p left join segment_member m on m.player_id = p.player_id and m.version_id = $1
       left join player_protection x on x.player_id = p.player_id
      where m.player_id is null and not coalesce(x.excluded or x.blocked, false) order by hashint8(p.player_id) limit 20000`,
    [version],
  );
  const { rows } = await pool.query<{ segment_id: number }>(
    'select segment_id from segment_active where version_id = $1',
    [version],
  );
  return { players, segmentId: rows[0]?.segment_id ?? 0 };
}

async function isDue(pool: Pool, versions: readonly number[], at: number): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>(
    'select exists (select from segment_due where version_id = any($1::int[]) and due_at <= $2::timestamptz) as due',
    [versions, timestamptzText(at)],
  );
  return rows[0]?.due === true;
}

async function transitionsSince(pool: Pool, version: number): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from segment_transition t join segment_active a using (segment_id)
      where a.version_id = $1 and t.transition = 'left' and not t.silent`,
    [version],
  );
  return rows[0]?.n ?? 0;
}
