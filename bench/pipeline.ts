import { startSandboxOperator } from '@croupier/sandbox';
import { startChild } from './child.ts';
import { median, report } from './figure.ts';
import { derivedRate } from './load/derived-rate.ts';
import { loadOf } from './load/load.ts';
import { type BenchPlatform, freePort, startPlatform } from './platform.ts';

/*
 * Pipeline: the full mix of kinds, acknowledged and fully derived. The load follows what derive has worked off, so the
 * lag cannot grow; what is counted is what derive has committed at the end of the clock.
 */
export async function benchPipeline(options: { smoke: boolean }): Promise<boolean> {
  const seconds = options.smoke ? 2 : 60;
  const rounds = options.smoke ? 1 : 3;
  const naive: number[] = [];
  const ours: number[] = [];
  const longestLags: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
    const platform = await startPlatform({ worker: true, operatorUrl: operator.url });
    try {
      naive.push(await naiveRate(platform, options.smoke ? 1 : 10));
      const { derived, longest_lag } = await derivedRate(platform, { seconds, seed: round + 1 });
      ours.push(derived);
      longestLags.push(longest_lag);
    } finally {
      await platform.stop();
      await operator.stop();
    }
  }
  const verdict = report({
    bench: 'pipeline',
    figure: 'acknowledged_and_derived',
    value: median(ours),
    unit: 'events/s',
    reference: { name: 'Fastify, one INSERT per request', value: median(naive) },
    at_least_ratio: 1,
  });
  report({ bench: 'pipeline', figure: 'longest_lag', value: Math.max(...longestLags), unit: 'events' });
  return options.smoke || verdict !== false;
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
