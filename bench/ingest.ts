import { type Child, startChild } from './child.ts';
import { median, report } from './figure.ts';
import type { LoadResult } from './load/http-load.ts';
import { loadOf } from './load/load.ts';
import { freePort, startPlatform } from './platform.ts';

/*
 * Ingest: acknowledged casino events per second over HTTP, durable, with every check on, against two references in the same
 * run. The three servers are measured in turns, so that a slow minute of the machine affects all of them.
 */
export async function benchIngest(options: { smoke: boolean }): Promise<boolean> {
  const seconds = options.smoke ? 1 : 10;
  const rounds = options.smoke ? 1 : 3;
  const platform = await startPlatform({ worker: false });
  const [barePort, naivePort] = [await freePort(), await freePort()];
  let firstNumber = 0;
  const load = async (port: number, connections: number, rate?: number): Promise<LoadResult> => {
    firstNumber += 10_000_000;
    const headers = { 'x-api-key': platform.key };
    const common = { port, connections, headers, method: 'POST' as const, path: '/v1/integration/casino' };
    const result = await loadOf({ casino: { ...common, seconds, ...(rate ? { rate } : {}) }, firstNumber });
    const refused = Object.entries(result.statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return result;
  };
  /** Only one of the servers runs at a time: the others would use memory and caches. */
  const during = async (start: () => Promise<Child>, measure: () => Promise<LoadResult>) => {
    const child = await start();
    const result = await measure();
    await child.stop();
    return result;
  };
  const duringBare = (measure: () => Promise<LoadResult>) =>
    during(() => startChild('bench/reference/bare-server.ts', [String(barePort)]), measure);
  const duringNaive = (measure: () => Promise<LoadResult>) =>
    during(
      () =>
        startChild('bench/reference/insert-per-request.ts', [String(naivePort)], {
          DATABASE_URL: platform.databaseUrl,
        }),
      measure,
    );
  try {
    const bare: number[] = [];
    const naive: number[] = [];
    const ours: number[] = [];
    const ours64: number[] = [];
    await load(platform.port, 256);
    for (let round = 0; round < rounds; round++) {
      bare.push((await duringBare(() => load(barePort, 256))).per_second);
      ours.push((await load(platform.port, 256)).per_second);
      naive.push((await duringNaive(() => load(naivePort, 256))).per_second);
      ours64.push((await load(platform.port, 64)).per_second);
    }
    const steady = await load(platform.port, 64, 1_000);
    const alone = await load(platform.port, 1, 5);
    const naiveAlone = await duringNaive(() => load(naivePort, 1, 5));
    const value = median(ours);
    const unit = 'events/s';
    const verdicts = [
      report({
        bench: 'ingest',
        figure: 'acknowledged_256',
        value,
        unit,
        reference: { name: 'bare node:http', value: median(bare) },
        at_least_ratio: 0.55,
      }),
      report({
        bench: 'ingest',
        figure: 'acknowledged_256',
        value,
        unit,
        reference: { name: 'Fastify, one INSERT per request', value: median(naive) },
        at_least_ratio: 3,
      }),
      report({ bench: 'ingest', figure: 'acknowledged_64', value: median(ours64), unit }),
      report({ bench: 'ingest', figure: 'steady_1000_p99', value: steady.p99_ms, unit: 'ms', at_most: 25 }),
      // How long group commit delays a single event, compared with a server that commits immediately.
      report({
        bench: 'ingest',
        figure: 'added_waiting_alone_p50',
        value: alone.p50_ms - naiveAlone.p50_ms,
        unit: 'ms',
        at_most: 2,
      }),
    ];
    // A smoke run shows that the bench works; one second of load on a busy machine is not a measurement.
    return options.smoke || verdicts.every((verdict) => verdict !== false);
  } finally {
    await platform.stop();
  }
}
