import { startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { startChild } from './child.ts';
import { median, report } from './figure.ts';
import { derivedRate } from './load/derived-rate.ts';
import { loadOf } from './load/load.ts';
import { type BenchPlatform, freePort, startPlatform } from './platform.ts';
import { hundredSegments } from './segments/hundred.ts';
import { publishSegments } from './segments/publish.ts';

/*
 * Pipeline: the full mix of kinds, acknowledged and fully derived. The load follows derive's progress, so the lag cannot grow.
 * The result counts what derive has committed at the end of the clock.
 */
export async function benchPipeline({ smoke }: { smoke: boolean }): Promise<boolean> {
  const { naive, ours, lags } = await roundsOf({ smoke, prepare: async () => {} });
  const holds = judge('pipeline', naive, ours);
  report({ bench: 'pipeline', figure: 'longest_lag', value: Math.max(...lags), unit: 'events' });
  return smoke || holds;
}

/*
 * The same with the hundred segments in force. The load follows derive alone, so segments may lag behind it. The number of
 * changes that wait for them at the end of the clock is a separate figure.
 */
export async function benchPipelineSegments({ smoke }: { smoke: boolean }): Promise<boolean> {
  const waiting: number[] = [];
  const { naive, ours, lags } = await roundsOf({
    smoke,
    prepare: (platform) => publishSegments(platform, hundredSegments),
    after: async ({ pool }) => {
      waiting.push(await newsWaiting(pool));
    },
  });
  const bench = 'pipeline-segments';
  const holds = judge(bench, naive, ours);
  report({ bench, figure: 'longest_lag', value: Math.max(...lags), unit: 'events' });
  report({ bench, figure: 'news_waiting', value: Math.max(...waiting), unit: 'news' });
  return smoke || holds;
}

interface Rounds {
  smoke: boolean;
  /** Runs before the clock starts, after the reference. */
  prepare(platform: BenchPlatform): Promise<void>;
  after?(platform: BenchPlatform): Promise<void>;
}

async function roundsOf({ smoke, prepare, after }: Rounds) {
  const seconds = smoke ? 2 : 60;
  const rounds = smoke ? 1 : 3;
  const naive: number[] = [];
  const ours: number[] = [];
  const lags: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
    const platform = await startPlatform({ worker: true, operatorUrl: operator.url });
    try {
      naive.push(await naiveRate(platform, smoke ? 1 : 10));
      await prepare(platform);
      const { derived, longest_lag } = await derivedRate(platform, { seconds, seed: round + 1 });
      ours.push(derived);
      lags.push(longest_lag);
      await after?.(platform);
    } finally {
      await platform.stop();
      await operator.stop();
    }
  }
  return { naive, ours, lags };
}

function judge(bench: string, naive: readonly number[], ours: readonly number[]): boolean {
  const verdict = report({
    bench,
    figure: 'acknowledged_and_derived',
    value: median(ours),
    unit: 'events/s',
    reference: { name: 'Fastify, one INSERT per request', value: median(naive) },
    at_least_ratio: 1,
  });
  return verdict !== false;
}

async function newsWaiting(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from segment_news');
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
