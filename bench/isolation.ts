import { once } from 'node:events';
import { type Child, startChild } from './child.ts';
import { median, report } from './figure.ts';
import type { LoadResult } from './load/http-load.ts';
import { loadOf } from './load/load.ts';
import { startPlatform } from './platform.ts';

const hostileConnections = 50;
/** Events per second, over as many connections as an operator keeps open. */
const rate = 500;
const eventConnections = 16;

/*
 * Measures the latency of events at a steady 500/s over two api processes that share one port. It is measured twice:
 * undisturbed, and while 50 connections without a credential send the worst bodies as fast as they are answered. The two kinds of
 * runs alternate.
 */
export async function benchIsolation(options: { smoke: boolean }): Promise<boolean> {
  const seconds = options.smoke ? 1 : 10;
  const rounds = options.smoke ? 1 : 3;
  const platform = await startPlatform({ worker: false, apis: 2 });
  let firstNumber = 0;
  const events = async (): Promise<LoadResult> => {
    firstNumber += 10_000_000;
    const headers = { 'x-api-key': platform.key };
    const load = {
      port: platform.port,
      connections: eventConnections,
      headers,
      method: 'POST' as const,
      seconds,
      rate,
    };
    const result = await loadOf({ casino: { ...load, path: '/v1/integration/casino' }, firstNumber });
    const refused = Object.entries(result.statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return result;
  };
  try {
    const quiet: LoadResult[] = [];
    const attacked: LoadResult[] = [];
    const answers: number[] = [];
    await events();
    for (let round = 0; round < rounds; round++) {
      quiet.push(await events());
      const hostile = await startChild('bench/load/hostile.ts', [String(platform.port), String(hostileConnections)]);
      try {
        attacked.push(await events());
        answers.push((await answersOf(hostile)) / seconds);
      } finally {
        await hostile.stop();
      }
    }
    const name = 'without them';
    const of = (results: readonly LoadResult[], figure: 'p50_ms' | 'p99_ms') =>
      median(results.map((one) => one[figure]));
    report({ bench: 'isolation', figure: 'hostile_answers', value: median(answers), unit: 'answers/s' });
    const p50 = { value: of(attacked, 'p50_ms'), reference: { name, value: of(quiet, 'p50_ms') } };
    report({ bench: 'isolation', figure: 'event_p50_while_attacked', unit: 'ms', ...p50 });
    const p99 = { value: of(attacked, 'p99_ms'), reference: { name, value: of(quiet, 'p99_ms') } };
    const holds = report({ bench: 'isolation', figure: 'event_p99_while_attacked', unit: 'ms', ...p99, at_most: 50 });
    return options.smoke || holds !== false;
  } finally {
    await platform.stop();
  }
}

/** Number of answers that the hostile callers have received so far. */
async function answersOf({ process }: Child): Promise<number> {
  const told = once(process, 'message');
  process.send('statuses');
  const [{ statuses }] = (await told) as [{ statuses: Record<string, number> }];
  if (globalThis.process.env.BENCH_VERBOSE) globalThis.process.stderr.write(`${JSON.stringify(statuses)}\n`);
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}
