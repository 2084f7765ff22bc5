import type { DecimalText, Micros } from '@croupier/contracts';
import Big from 'big.js';
import type { Pool } from 'pg';
import { bucketCount } from '../../ledger/index.ts';
import type { Backtest } from './store.ts';

/** The share of candidates that was tried, 0 to 1. Buckets are random shares of the players. */
export function shareTried({ buckets, place, of_bucket, state }: Backtest): number {
  const share = (buckets + (of_bucket === 0 ? 0 : place / of_bucket)) / bucketCount;
  return state === 'done' && buckets === bucketCount ? 1 : share;
}

export function progressOf(backtest: Backtest): number {
  const { state, tried, most_players } = backtest;
  return state === 'done' ? 1 : Math.max(shareTried(backtest), tried / most_players);
}

export const backtestCounts = [
  'entered',
  'sent',
  'withheld',
  'held',
  'credited',
  'control',
  'done',
  'exited',
  'goal_reached',
  'failed',
] as const;
export type BacktestCounts = Record<(typeof backtestCounts)[number], number>;

/**
 * Maps each outcome to the count that includes it. Keys that begin with `run` are outcomes of runs. The other keys are outcomes of steps.
 */
const countOf: Readonly<Record<string, (typeof backtestCounts)[number]>> = {
  'run entered': 'entered',
  'run done': 'done',
  'run exited': 'exited',
  'run goal_reached': 'goal_reached',
  'run failed': 'failed',
  sent: 'sent',
  listed: 'sent',
  withheld: 'withheld',
  held: 'held',
  credited: 'credited',
  offered: 'credited',
  control: 'control',
};

export interface BacktestDay {
  /** A day in the brand's time zone. */
  day: string;
  counts: BacktestCounts;
  withheld: Record<string, number>;
  /** Funds by currency. */
  credited_sums: Record<string, string>;
  /** What the credits and offers would cost, exact, in base currency. Those of `unknown_cost` are not included. */
  cost: DecimalText;
  /** Number of credits and offers whose cost is unknown: bonuses without a value in a budget, and funds in another currency. */
  unknown_cost: number;
}

/** How credits are priced. */
export interface BonusPrices {
  base_currency: string;
  /** The value of each bonus, by bonus_code, in base currency (readBonusValues). */
  values: ReadonlyMap<string, DecimalText>;
}

interface Row {
  day: string | null;
  what: string;
  outcome: string;
  reason: string | null;
  currency: string | null;
  bonus_code: string | null;
  count: number;
  sum: string | null;
}

/** What would have happened on each day, and in total. */
export async function readBacktestDays(
  pool: Pool,
  { backtest_id, from_at, until_at }: Backtest,
  zone: string,
  prices: BonusPrices,
): Promise<{ days: BacktestDay[]; total: BacktestDay; steps: StepCount[] }> {
  const { rows } = await pool.query<Row>(
    `select (at at time zone $2)::date::text as day, case when what = 'run' then 'run' else 'step' end as what, outcome, reason, currency, bonus_code,
            count(*)::int as count, sum(amount)::text as sum
       from campaign_backtest_entry where backtest_id = $1 group by 1, 2, 3, 4, 5, 6`,
    [backtest_id, zone],
  );
  const { rows: steps } = await pool.query<StepCount>(
    `select step, what, outcome, reason, variant, count(*)::int as count from campaign_backtest_entry
      where backtest_id = $1 and step is not null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    [backtest_id],
  );
  const { rows: calendar } = await pool.query<{ day: string }>(
    `select day::date::text as day from generate_series(
       (to_timestamp($1::float8 / 1e6) at time zone $3)::date, (to_timestamp($2::float8 / 1e6) at time zone $3)::date, interval '1 day') day`,
    [from_at, until_at, zone],
  );
  const byDay = Map.groupBy(rows, ({ day }) => day ?? '');
  const days = calendar.map(({ day }) => summed(day, byDay.get(day) ?? [], prices));
  return { days, total: summed('', rows, prices), steps };
}

export interface StepCount {
  step: string;
  what: string;
  outcome: string;
  reason: string | null;
  variant: string | null;
  count: number;
}

function summed(day: string, rows: readonly Row[], { base_currency, values }: BonusPrices): BacktestDay {
  const counts = Object.fromEntries(backtestCounts.map((name) => [name, 0])) as BacktestCounts;
  const withheld: Record<string, number> = {};
  const sums = new Map<string, bigint>();
  let cost = new Big(0);
  let unknown_cost = 0;
  for (const { what, outcome, reason, currency, bonus_code, count, sum } of rows) {
    const name = what === 'run' ? countOf[`run ${outcome}`] : countOf[outcome];
    if (name === undefined) continue;
    counts[name] += count;
    if (name === 'withheld') withheld[reason ?? ''] = (withheld[reason ?? ''] ?? 0) + count;
    if (name === 'credited') {
      const value = currency === null ? values.get(bonus_code ?? '') : undefined;
      if (value !== undefined) cost = cost.plus(new Big(value).times(count));
      else if (currency?.toUpperCase() === base_currency && sum !== null) cost = cost.plus(sum);
      else unknown_cost += count;
    }
    if (currency !== null && sum !== null) sums.set(currency, (sums.get(currency) ?? 0n) + inMillionths(sum));
  }
  const credited_sums = Object.fromEntries([...sums].map(([currency, sum]) => [currency, textOf(sum)]));
  return { day, counts, withheld, credited_sums, cost: cost.toFixed(), unknown_cost };
}

function inMillionths(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

function textOf(millionths: bigint): string {
  const fraction = (millionths % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${millionths / 1_000_000n}.${fraction}`;
}

export interface BacktestEntry {
  player_id: number;
  number: number;
  user_id: string | null;
  at: Micros;
  step: string | null;
  what: string;
  outcome: string;
  reason: string | null;
  variant: string | null;
  channel: string | null;
  bonus_code: string | null;
  amount: string | null;
  currency: string | null;
}

/** The rows behind a count, in the order of player_id. */
export async function listBacktestEntries(
  pool: Pool,
  { backtest_id }: Backtest,
  filter: { outcome?: string | undefined; reason?: string | undefined; day?: string | undefined; zone: string },
  { after, limit }: { after: { player_id: number; number: number }; limit: number },
): Promise<BacktestEntry[]> {
  const { rows } = await pool.query<BacktestEntry>(
    `select e.player_id, e.number, case when p.erased_at is null then p.user_id end as user_id, e.at, e.step, e.what, e.outcome, e.reason, e.variant,
            e.channel, e.bonus_code, e.amount::text as amount, e.currency
       from campaign_backtest_entry e join player p on p.player_id = e.player_id
      where e.backtest_id = $1 and (e.player_id, e.number) > ($2, $3) and ($4::text is null or e.outcome = $4)
        and ($5::text is null or e.reason = $5) and ($6::date is null or (e.at at time zone $7)::date = $6)
      order by e.player_id, e.number limit $8`,
    [
      backtest_id,
      after.player_id,
      after.number,
      filter.outcome ?? null,
      filter.reason ?? null,
      filter.day ?? null,
      filter.zone,
      limit,
    ],
  );
  return rows;
}
