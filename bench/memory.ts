import { startSandboxOperator } from '@croupier/sandbox';
import { median, report } from './figure.ts';
import { derivedRate } from './load/derived-rate.ts';
import { startPlatform } from './platform.ts';
import { residentMegabytes } from './resident.ts';

const sampleMs = 1_000;
/** Share of the run in which caches fill up to their limits. After that, memory must be flat. */
const warmUpShare = 0.2;

/*
 * Measures the resident memory of api and worker at full load, without PostgreSQL. Flat means that the last tenth of the run
 * uses at most 10 % more than the tenth after the warm-up.
 */
export async function benchMemory(options: { smoke: boolean }): Promise<boolean> {
  const seconds = options.smoke ? 3 : 600;
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
  const platform = await startPlatform({ worker: true, operatorUrl: operator.url });
  const samples: number[] = [];
  const timer = setInterval(async () => {
    const sizes = await Promise.all(platform.pids.map(residentMegabytes));
    samples.push(sizes.reduce((sum, size) => sum + size, 0));
  }, sampleMs);
  try {
    const { derived } = await derivedRate(platform, { seconds, seed: 1, streamed: true });
    clearInterval(timer);
    const tenth = Math.ceil(samples.length / 10);
    const warmedUp = Math.floor(samples.length * warmUpShare);
    const verdicts = [
      report({
        bench: 'memory',
        figure: 'api_and_worker_largest',
        value: Math.max(...samples),
        unit: 'MB',
        at_most: 600,
      }),
      report({
        bench: 'memory',
        figure: 'growth_after_warm_up',
        unit: 'ratio',
        value: median(samples.slice(-tenth)) / median(samples.slice(warmedUp, warmedUp + tenth)),
        at_most: 1.1,
      }),
    ];
    report({ bench: 'memory', figure: 'rate_meanwhile', value: derived, unit: 'events/s' });
    return options.smoke || !verdicts.includes(false);
  } finally {
    clearInterval(timer);
    await platform.stop();
    await operator.stop();
  }
}
