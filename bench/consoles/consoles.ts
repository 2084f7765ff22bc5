import { report } from '../figure.ts';
import type { LoadResult } from '../load/http-load.ts';
import { loadOf } from '../load/load.ts';
import { type BenchPlatform, startPlatform } from '../platform.ts';
import { openConsoles } from './open-consoles.ts';
import { secondsBetween, ticksOfApi } from './processor-time.ts';

const consoles = 50;
/** Events per second of the rounds that measure processor time: about a fifth of what the machine can do. */
const steadyRate = 800;

/*
 * Consoles: the cost of 50 open consoles at one api process, in two figures. derive runs, because its commits change the pages.
 *
 * - Acknowledged casino events per second at full load, compared with the same without consoles. The consoles themselves run on the
 *   same machine, so the figure also contains what they use.
 * - Processor time of the api process and of its connections in PostgreSQL at a steady rate, compared with the same without consoles.
 *
 * Rounds with and without consoles alternate, so that a slow minute of the machine affects both. The kind that goes first alternates too,
 * because every round finds more stored events and a longer backlog of derive than the one before it. Therefore sums of all rounds are
 * compared: they contain both orders equally often, and the speed of the machine can change by half from one round to the next.
 */
export async function benchConsoles({ smoke }: { smoke: boolean }): Promise<boolean> {
  const seconds = smoke ? 2 : 12;
  const rounds = smoke ? 1 : 8;
  const platform = await startPlatform({ worker: true });
  let firstNumber = 0;
  const load = async (rate?: number): Promise<LoadResult> => {
    firstNumber += 10_000_000;
    const headers = { 'x-api-key': platform.key };
    const target = { port: platform.port, connections: 256, headers, method: 'POST' as const };
    const result = await loadOf({
      casino: { ...target, path: '/v1/integration/casino', seconds, ...(rate !== undefined && { rate }) },
      firstNumber,
    });
    const refused = Object.entries(result.statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return result;
  };
  const acknowledged = async () => (await load()).per_second;
  const processorTime = async () => {
    const before = await ticksOfApi(platform);
    await load(steadyRate);
    return (secondsBetween(before, await ticksOfApi(platform)) / seconds) * 100;
  };
  try {
    await load();
    const count = smoke ? 5 : consoles;
    const rates = await inTurns(platform, { rounds, consoles: count, unit: 'events/s', measure: acknowledged });
    const shares = await inTurns(platform, { rounds, consoles: count, unit: '%', measure: processorTime });
    report({ bench: 'consoles', figure: 'overviews_read', value: rates.reads / (rounds * seconds), unit: 'reads/s' });
    const keepsPace = report({
      bench: 'consoles',
      figure: `acknowledged_with_${consoles}_consoles`,
      value: rates.accompanied,
      unit: 'events/s',
      reference: { name: 'without consoles', value: rates.alone },
      at_least_ratio: 0.95,
    });
    const isCheap = report({
      bench: 'consoles',
      figure: `processor_of_${consoles}_consoles`,
      value: shares.accompanied - shares.alone,
      unit: '% of a core',
      at_most: 5,
    });
    return smoke || (keepsPace !== false && isCheap !== false);
  } finally {
    await platform.stop();
  }
}

interface Turns {
  rounds: number;
  consoles: number;
  unit: string;
  measure(): Promise<number>;
}

/** Measures with and without open consoles. @returns the means of all rounds, and the number of overviews that consoles have read */
async function inTurns(platform: BenchPlatform, { rounds, consoles, unit, measure }: Turns) {
  const sums = { alone: 0, accompanied: 0, reads: 0 };
  const measureAccompanied = async () => {
    const open = await openConsoles(platform, consoles);
    const value = await measure().finally(() => open.stop());
    sums.reads += open.reads();
    sums.accompanied += value;
    return value;
  };
  const measureAlone = async () => {
    const value = await measure();
    sums.alone += value;
    return value;
  };
  for (let round = 0; round < rounds; round++) {
    const consolesFirst = round % 2 === 1;
    const early = consolesFirst ? await measureAccompanied() : undefined;
    const alone = await measureAlone();
    const accompanied = early ?? (await measureAccompanied());
    process.stderr.write(`round ${round + 1}: ${alone.toFixed(1)} ${unit}, with consoles ${accompanied.toFixed(1)}\n`);
  }
  return { ...sums, alone: sums.alone / rounds, accompanied: sums.accompanied / rounds };
}
