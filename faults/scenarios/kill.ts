import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seededRandom } from '../../packages/sandbox/src/random.ts';
import { send } from '../installation/processes.ts';
import { until } from '../installation/until.ts';
import { type PlannedKill, planKills } from '../load/fault-plan.ts';
import type { Run, Scenario } from '../scenario.ts';
import { leastMessages, leastOfSegments, type Stage, setStage } from './stage.ts';
import { stopInBatch } from './worker-traces.ts';

/** Messages per second: enough that every kill hits open commits and batches. */
const rate = 200;
/**
 * If no process of the role is running because of the previous kill, the kill waits this long and is then skipped. The
 * supervisor delays restarts of a process that exits repeatedly by up to 30 s, and that must not delay the plan.
 */
const maxWaitMs = 3_000;
/** How long a kill that is aimed at a batch waits for one. */
const aimLimitMs = 1_500;

/**
 * SIGKILL of api, worker and PostgreSQL at random times, under load. The supervisor restarts each of them; the publisher
 * repeats what was not acknowledged. Nothing else intervenes.
 */
export const kill = killing(
  'kill',
  {},
  {
    seconds: 20,
    least: {
      killed_api: 1,
      killed_worker: 1,
      killed_postgres: 1,
      failed_attempts: 1,
      acknowledged: 1_000,
      ...leastOfSegments,
    },
  },
);

/** The same with several processes per role: the others take over the work of the killed one, and its successor joins them. */
export const killSeveral = killing('kill-several', { api: 2, worker: 2 });

function killing(name: string, processes: { api?: number; worker?: number }, short?: Scenario['short']): Scenario {
  const { api = 1, worker = 1 } = processes;
  return {
    name,
    story: `${api} api, ${worker} worker and PostgreSQL are killed (SIGKILL) at random times under load`,
    ...(short && { short }),
    async run(run) {
      await using stage = await setStage(run, { processes, segments: true });
      const playing = stage.traffic.play({ rate, seconds: run.seconds, least: leastMessages });
      const kills = await strike(stage, run);
      await playing;
      await stage.traffic.finish();
      const outcomes = await stage.judge();
      const { failed_attempts } = stage.traffic.publisher.counts;
      return outcomes.map((one) => ({ ...one, counts: { ...one.counts, ...kills, failed_attempts } }));
    },
  };
}

type Struck = Pick<Stage, 'installation' | 'pool'>;

/** Carries out the plan; returns how often each role was killed. */
export async function strike(stage: Struck, { seed, seconds, say, signal }: Run): Promise<Record<string, number>> {
  const random = seededRandom(`${seed}/aim`);
  const startedAt = performance.now();
  const counts = { killed_api: 0, killed_worker: 0, killed_postgres: 0, aimed: 0, missed: 0 };
  for (const planned of planKills(seed, seconds)) {
    await delay(Math.max(0, startedAt + planned.at_ms - performance.now()), undefined, { signal });
    const { role } = planned;
    const hit = await strikeOnce(stage, planned, random);
    if (hit === undefined) counts.missed += 1;
    else counts[`killed_${role}`] += 1;
    if (hit?.aimed) counts.aimed += 1;
    const what = hit === undefined ? `no ${role} was running` : `killed ${role} ${hit.pid}`;
    const when = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(`${when} s: ${what}${hit?.aimed ? ' in the middle of a batch' : ''}`);
  }
  return counts;
}

/** Kills one process. If no batch starts in time, it kills without one. @returns undefined if no process was running */
async function strikeOnce(
  { installation, pool }: Struck,
  { role, which, aimed }: PlannedKill,
  random: Random,
): Promise<{ pid: number; aimed: boolean } | undefined> {
  const workers = aimed ? await installation.pids('worker') : [];
  const worker = workers[Math.floor(which * workers.length)];
  const stopped =
    worker !== undefined &&
    (await stopInBatch(pool, worker, { random, limitMs: aimLimitMs }).then(
      () => true,
      () => false,
    ));
  const pid = role === 'worker' && stopped ? worker : await oneOf(() => installation.pids(role), which);
  const killed = pid !== undefined && send(pid, 'SIGKILL');
  // If the worker was stopped only to time another kill, it continues, and finds that its database is gone.
  if (worker !== undefined) send(worker, 'SIGCONT');
  return killed ? { pid, aimed: stopped } : undefined;
}

/** One of the processes of a role, by a number in [0, 1); undefined if there is none for a while. */
async function oneOf(list: () => Promise<number[]>, which: number): Promise<number | undefined> {
  const look = async () => {
    const pids = await list();
    return pids[Math.floor(which * pids.length)];
  };
  return until('a process to kill', look, { limitMs: maxWaitMs }).catch(() => undefined);
}
