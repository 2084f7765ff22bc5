import { startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { startChild } from './child.ts';
import { median, report } from './figure.ts';
import { loadOf, resultOf } from './load/load.ts';
import type { Order } from './load/process.ts';
import { type BenchPlatform, freePort, startPlatform } from './platform.ts';

/** Acknowledged and not yet derived, at most: one to two seconds of work. The load waits when it is reached. */
const windowEvents = 8_000;
const pollMs = 50;

/*
 * Pipeline: the full mix of kinds, acknowledged and fully derived. The load follows what derive has worked off, so the
 * lag cannot grow; what is counted is what derive has committed at the end of the clock.
 */
export async function benchPipeline(options: { smoke: boolean }): Promise<boolean> {
  const seconds = options.smoke ? 2 : 60;
  const rounds = options.smoke ? 1 : 3;
  const maxPerSecond = 15_000;
  const naive: number[] = [];
  const ours: number[] = [];
  const longestLags: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
    const platform = await startPlatform({ worker: true, operatorUrl: operator.url });
    try {
      naive.push(await naiveRate(platform, options.smoke ? 1 : 10));
      const { derived, longest_lag } = await derivedRate(platform, seconds, seconds * maxPerSecond, round);
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

async function derivedRate(
  platform: BenchPlatform,
  seconds: number,
  events: number,
  seed: number,
): Promise<{ derived: number; longest_lag: number }> {
  const generator = await startChild('bench/load/process.ts');
  const order = (message: Order) => generator.process.send(message);
  let allowed = 0;
  let derived = 0;
  let longestLag = 0;
  let startedAt = 0;
  const follow = async () => {
    derived = await derivedEvents(platform.pool);
    longestLag = Math.max(longestLag, allowed - derived);
    const more = derived + windowEvents - allowed;
    if (more > 0) {
      order({ more });
      allowed += more;
    }
  };
  const result = resultOf(
    generator,
    {
      mix: {
        port: platform.port,
        connections: 256,
        seconds,
        headers: { 'x-api-key': platform.key },
        method: 'POST',
        path: '/',
      },
      events,
      seed: seed + 1,
    },
    () => {
      startedAt = performance.now();
    },
  );
  let following: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (startedAt === 0 || following) return;
    following = follow().finally(() => {
      following = undefined;
    });
  }, pollMs);
  try {
    const load = await result;
    const elapsed = (performance.now() - startedAt) / 1_000;
    clearInterval(timer);
    await following;
    const refused = Object.entries(load.statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return { derived: (await derivedEvents(platform.pool)) / elapsed, longest_lag: longestLag };
  } finally {
    clearInterval(timer);
    await generator.stop();
  }
}

async function derivedEvents(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(
    'select coalesce(sum(events), 0)::bigint as events from feed_minute',
  );
  return rows[0]?.events ?? 0;
}
