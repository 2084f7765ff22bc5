import { setTimeout as delay } from 'node:timers/promises';
import { call, type Platform } from './campaign-sync.ts';
import { CliError } from './context.ts';

/** Trials of campaigns on a running platform, shown as lines of text. */

interface Row {
  at: string;
  step: string | null;
  what: string;
  outcome: string;
  reason: string | null;
  rendered: string | null;
}

export async function dryRunCampaign(
  platform: Platform,
  code: string,
  of: { user?: string; players?: number },
): Promise<string[]> {
  const body = {
    ...(of.user !== undefined && { user_id: of.user }),
    ...(of.players !== undefined && { players: of.players }),
  };
  const { items } = (await call(platform, 'POST', `/${code}/dry-run`, body)) as {
    items: { user_id: string; enters: boolean; reason: string | null; timeline: Row[] }[];
  };
  return items.flatMap(({ user_id, enters, reason, timeline }) => [
    enters ? user_id : `${user_id} does not enter (${reason})`,
    ...timeline.map(({ at, step, what, outcome, reason: why, rendered }) => {
      const details = [why, rendered === null ? null : `"${rendered}"`].filter((one) => one !== null);
      return `  ${at} ${step ?? what} ${outcome}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
    }),
  ]);
}

interface Backtest {
  backtest_id: number;
  state: string;
  reason: string | null;
  progress: number;
  share: number;
  tried: number;
  totals: Counts;
  withheld: Record<string, number>;
  credited_sums: Record<string, string>;
  cost: string;
  unknown_cost: number;
  days: { day: string; counts: Counts }[];
}
type Counts = Record<'entered' | 'sent' | 'withheld' | 'credited', number>;

/** @param wait the time between two checks of the progress */
export async function backtestCampaign(
  platform: Platform,
  code: string,
  { days, players, wait = () => delay(1_000) }: { days?: number; players?: number; wait?: () => Promise<unknown> },
): Promise<string[]> {
  const body = { ...(days !== undefined && { days }), ...(players !== undefined && { players }) };
  let backtest = (await call(platform, 'POST', `/${code}/backtest`, body)) as Backtest;
  while (backtest.state === 'queued' || backtest.state === 'running') {
    await wait();
    backtest = (await call(platform, 'GET', `/${code}/backtests/${backtest.backtest_id}`)) as Backtest;
  }
  if (backtest.state !== 'done') throw new CliError(`the backtest is ${backtest.state}: ${backtest.reason ?? ''}`);
  const { tried, share, totals, withheld, credited_sums, cost, unknown_cost } = backtest;
  const sample = share < 1 ? `, ${Math.round(share * 1_000) / 10} % of the possible entrants` : '';
  return [
    `${tried} players tried${sample}`,
    row('day', ['entered', 'sent', 'withheld', 'credited']),
    ...backtest.days.map(({ day, counts }) => row(day, numbers(counts))),
    row('total', numbers(totals)),
    ...Object.entries(withheld).map(([reason, count]) => `withheld, ${reason}: ${count}`),
    ...Object.entries(credited_sums).map(([currency, sum]) => `credited: ${sum} ${currency}`),
    ...(totals.credited === 0 ? [] : [`cost in base currency: ${cost}`]),
    ...(unknown_cost === 0 ? [] : [`credits without a known cost: ${unknown_cost}`]),
  ];
}

function numbers({ entered, sent, withheld, credited }: Counts): string[] {
  return [entered, sent, withheld, credited].map(String);
}

interface Range {
  expected: number;
  low: number;
  high: number;
}
type Ranges = Record<'entered' | 'sent' | 'credited', Range> & { cost: Record<keyof Range, string> };

export async function forecastCampaign(
  platform: Platform,
  code: string,
  { days }: { days?: number },
): Promise<string[]> {
  const found = (await call(platform, 'POST', `/${code}/forecast`, days === undefined ? {} : { days })) as {
    method: string;
    days: (Ranges & { day: string })[];
    total: Ranges;
    unknown_cost: number;
  };
  const ranges = ({ entered, sent, credited, cost }: Ranges) =>
    [entered, sent, credited, cost].map(({ expected, low, high }) => `${expected} (${low}-${high})`);
  return [
    row('day', ['entered', 'sent', 'credited', 'cost'], 24),
    ...found.days.map((one) => row(one.day, ranges(one), 24)),
    row('total', ranges(found.total), 24),
    ...(found.unknown_cost === 0 ? [] : [`credits without a known cost in the past days: ${found.unknown_cost}`]),
    found.method,
  ];
}

function row(name: string, cells: readonly string[], width = 10): string {
  return [name.padEnd(10), ...cells.map((cell) => cell.padStart(width))].join('');
}
