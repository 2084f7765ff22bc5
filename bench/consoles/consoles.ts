import { median, report } from '../figure.ts';
import { loadOf } from '../load/load.ts';
import { startPlatform } from '../platform.ts';
import { openConsoles } from './open-consoles.ts';

const consoles = 50;

/*
 * Consoles: acknowledged casino events per second while 50 consoles are open at one api process, compared with the same without them.
 * Rounds with and without consoles alternate, so that a slow minute of the machine affects both. The kind that goes first alternates too,
 * because every round finds more stored events and a longer backlog of derive than the one before it. derive runs, because its
 * commits change the pages.
 */
export async function benchConsoles({ smoke }: { smoke: boolean }): Promise<boolean> {
  const seconds = smoke ? 2 : 12;
  const rounds = smoke ? 1 : 4;
  const platform = await startPlatform({ worker: true });
  let firstNumber = 0;
  const rate = async (): Promise<number> => {
    firstNumber += 10_000_000;
    const headers = { 'x-api-key': platform.key };
    const target = { port: platform.port, connections: 256, headers, method: 'POST' as const };
    const { per_second, statuses } = await loadOf({
      casino: { ...target, path: '/v1/integration/casino', seconds },
      firstNumber,
    });
    const refused = Object.entries(statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return per_second;
  };
  try {
    await rate();
    const alone: number[] = [];
    const accompanied: number[] = [];
    let reads = 0;
    const measureAccompanied = async () => {
      const open = await openConsoles(platform, smoke ? 5 : consoles);
      accompanied.push(await rate().finally(() => open.stop()));
      reads += open.reads();
    };
    for (let round = 0; round < rounds; round++) {
      const consolesFirst = round % 2 === 1;
      if (consolesFirst) await measureAccompanied();
      alone.push(await rate());
      if (!consolesFirst) await measureAccompanied();
      process.stderr.write(`round ${round + 1}: ${alone.at(-1)} events/s, with consoles ${accompanied.at(-1)}\n`);
    }
    report({ bench: 'consoles', figure: 'overviews_read', value: reads / (rounds * seconds), unit: 'reads/s' });
    const holds = report({
      bench: 'consoles',
      figure: `acknowledged_with_${consoles}_consoles`,
      value: median(accompanied),
      unit: 'events/s',
      reference: { name: 'without consoles', value: median(alone) },
      at_least_ratio: 0.95,
    });
    return smoke || holds !== false;
  } finally {
    await platform.stop();
  }
}
