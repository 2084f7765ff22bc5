import { startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { publishSegmentsAndCampaigns } from './campaigns/publish.ts';
import { startChild } from './child.ts';
import { median, report } from './figure.ts';
import { derivedRate } from './load/derived-rate.ts';
import { playersOfMix } from './load/events.ts';
import { loadOf } from './load/load.ts';
import { type BenchPlatform, freePort, startPlatform } from './platform.ts';
import { hundredSegments } from './segments/hundred.ts';
import { publishSegments } from './segments/publish.ts';

/*
 * Pipeline: the full mix of kinds, acknowledged and fully derived. The load follows derive's progress, so the lag cannot grow.
 * The result counts the events that derive has committed when the measured time ends.
 */
export async function benchPipeline({ smoke }: { smoke: boolean }): Promise<boolean> {
  const { rates, lags } = await roundsOf({ smoke, prepare: async () => {} });
  const holds = judge('pipeline', rates);
  report({ bench: 'pipeline', figure: 'longest_lag', value: Math.max(...lags), unit: 'events' });
  return smoke || holds;
}

/*
 * The pipeline with the hundred segments in force. The load follows derive alone, so segments may lag behind it. The
 * number of changes that wait for segments when the measured time ends is a separate figure.
 */
export async function benchPipelineSegments({ smoke }: { smoke: boolean }): Promise<boolean> {
  return withLaterStages({
    bench: 'pipeline-segments',
    smoke,
    prepare: (platform) => publishSegments(platform, hundredSegments),
    waits: { news_waiting: 'segment_news' },
  });
}

/*
 * The pipeline with the hundred segments and the twenty campaigns of `latency-of-events` in force. The events of the mix are ten days old,
 * so the brand's trigger age is longer here: otherwise no campaign would start. The operator knows the players and their consent to site
 * messages, so messages are sent. Separate figures count the news that waits for segments and for campaigns when the measured time ends,
 * and the runs and messages that campaigns have made by then.
 */
export async function benchPipelineCampaigns({ smoke }: { smoke: boolean }): Promise<boolean> {
  return withLaterStages({
    bench: 'pipeline-campaigns',
    smoke,
    brand: { trigger_age_minutes: 30 * 24 * 60 },
    prepare: publishSegmentsAndCampaigns,
    playersKnown: true,
    waits: { news_waiting: 'segment_news', campaign_news_waiting: 'campaign_news' },
    made: { runs: 'campaign_run', messages: 'notification' },
  });
}

interface LaterStages {
  bench: string;
  smoke: boolean;
  prepare(platform: BenchPlatform): Promise<void>;
  brand?: Rounds['brand'];
  playersKnown?: boolean;
  /** Tables whose rows wait for a stage, by figure. The figure is the largest number of rows of all rounds. */
  waits: Readonly<Record<string, string>>;
  /** Tables whose rows are the work of a stage, by figure. The figure is the median of all rounds. */
  made?: Readonly<Record<string, string>>;
}

async function withLaterStages({ bench, waits, made = {}, ...rounds }: LaterStages): Promise<boolean> {
  const counted = new Map<string, number[]>();
  const { rates, lags } = await roundsOf({
    ...rounds,
    after: async ({ pool }) => {
      for (const [figure, table] of Object.entries({ ...waits, ...made }))
        counted.set(figure, [...(counted.get(figure) ?? []), await rowsOf(pool, table)]);
    },
  });
  const holds = judge(bench, rates);
  report({ bench, figure: 'longest_lag', value: Math.max(...lags), unit: 'events' });
  for (const [figure, values] of counted)
    report({ bench, figure, value: figure in waits ? Math.max(...values) : median(values), unit: 'rows' });
  return rounds.smoke || holds;
}

interface Rounds {
  smoke: boolean;
  /** Further settings of the brand. */
  brand?: Record<string, unknown>;
  /** Whether the operator knows the players of the mix, with a consent to site messages. */
  playersKnown?: boolean;
  /** Called after the reference was measured, and before the measured time starts. */
  prepare(platform: BenchPlatform): Promise<void>;
  after?(platform: BenchPlatform): Promise<void>;
}

/** Events per second. */
interface Rate {
  ours: number;
  /** The mean of the reference immediately before and after: the speed of a shared machine can change within a minute. */
  reference: number;
}

async function roundsOf({ smoke, brand = {}, playersKnown = false, prepare, after }: Rounds) {
  const seconds = smoke ? 2 : 60;
  const rounds = smoke ? 1 : 3;
  const naiveSeconds = smoke ? 1 : 10;
  const naive: number[] = [];
  const ours: number[] = [];
  const lags: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const seed = round + 1;
    const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
    const consents = [{ type: 'SiteNotification', opted_in: true }];
    if (playersKnown)
      for (const userId of playersOfMix(seed)) operator.books.addPlayer(userId, { blocks: [], consents });
    const platform = await startPlatform({ worker: true, operatorUrl: operator.url, brand });
    try {
      naive.push(await naiveRate(platform, naiveSeconds));
      await prepare(platform);
      const { derived, longest_lag } = await derivedRate(platform, { seconds, seed });
      ours.push(derived);
      lags.push(longest_lag);
      process.stderr.write(
        `round ${seed}: ${Math.round(derived)} events/s, reference ${Math.round(naive.at(-1) ?? 0)}\n`,
      );
      await after?.(platform);
    } finally {
      await platform.stop();
      await operator.stop();
    }
  }
  // Each round has its own new database, so that no clean-up after a round slows the reference.
  const last = await startPlatform({ worker: false });
  naive.push(await naiveRate(last, naiveSeconds).finally(() => last.stop()));
  const rates = ours.map((rate, round): Rate => {
    const [before = 0, behind = before] = naive.slice(round, round + 2);
    return { ours: rate, reference: (before + behind) / 2 };
  });
  return { rates, lags };
}

/** Judges the round with the median ratio. */
function judge(bench: string, rates: readonly Rate[]): boolean {
  const sorted = rates.toSorted((a, b) => a.ours / a.reference - b.ours / b.reference);
  const { ours, reference } = sorted[Math.floor(sorted.length / 2)] as Rate;
  for (const one of rates) process.stderr.write(`ratio ${(one.ours / one.reference).toFixed(2)}\n`);
  const verdict = report({
    bench,
    figure: 'acknowledged_and_derived',
    value: ours,
    unit: 'events/s',
    reference: { name: 'Fastify, one INSERT per request', value: reference },
    at_least_ratio: 1,
  });
  return verdict !== false;
}

async function rowsOf(pool: Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return rows[0]?.n ?? 0;
}

async function naiveRate(platform: BenchPlatform, seconds: number): Promise<number> {
  const port = await freePort();
  const server = await startChild('bench/reference/insert-per-request.ts', [String(port)], {
    DATABASE_URL: platform.databaseUrl,
  });
  const common = { port, connections: 256, seconds, headers: {}, method: 'POST' as const, path: '/' };
  const result = await loadOf({ casino: common, firstNumber: 0 });
  await server.stop();
  return result.per_second;
}
