import { setTimeout as delay } from 'node:timers/promises';
import { type Role, send } from '../installation/processes.ts';
import { until } from '../installation/until.ts';
import { planKills } from '../load/fault-plan.ts';
import type { Run, Scenario } from '../scenario.ts';
import { type Stage, setStage } from './stage.ts';

/** Messages a second: enough that every kill finds commits and batches under way. */
const rate = 200;
/**
 * A process may be on its way back from the last strike: then the blow waits this long, and falls through. The supervisor
 * lets one that ends again and again wait up to 30 s, and the plan must not be held up by that.
 */
const patienceMs = 3_000;

/**
 * SIGKILL of api, worker and PostgreSQL at moments of chance, under load. The supervisor brings each of them back; the
 * publisher repeats what was not acknowledged. Nothing else helps.
 */
export const kill = killing('kill', {});

/** The same with several processes of a role: those that live take over what the killed one had, and it joins them again. */
export const killSeveral = killing('kill-several', { api: 2, worker: 2 });

function killing(name: string, processes: { api?: number; worker?: number }): Scenario {
  const { api = 1, worker = 1 } = processes;
  return {
    name,
    story: `${api} api, ${worker} worker and PostgreSQL are killed (SIGKILL) at random moments under load`,
    async run(run) {
      await using stage = await setStage(run, { processes });
      const playing = stage.traffic.play({ rate, seconds: run.seconds });
      const kills = await strike(stage, run);
      await playing;
      await stage.traffic.finish();
      const outcomes = await stage.judge();
      const { failed_attempts } = stage.traffic.publisher.counts;
      return outcomes.map((one) => ({ ...one, counts: { ...one.counts, ...kills, failed_attempts } }));
    },
  };
}

/** Carries out the plan; returns how often each role was killed. */
async function strike({ installation }: Stage, { seed, seconds, say, signal }: Run): Promise<Record<string, number>> {
  const startedAt = performance.now();
  const killed: Record<Role, number> = { api: 0, worker: 0, postgres: 0 };
  let missed = 0;
  for (const { at_ms, role, which } of planKills(seed, seconds)) {
    await delay(Math.max(0, startedAt + at_ms - performance.now()), undefined, { signal });
    const pid = await oneOf(() => installation.pids(role), which);
    if (pid === undefined) missed += 1;
    else if (send(pid, 'SIGKILL')) killed[role] += 1;
    const what = pid === undefined ? `${role} was still away` : `killed ${role} ${pid}`;
    say(`${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${what}`);
  }
  const counts = Object.entries(killed).map(([role, times]) => [`killed_${role}`, times]);
  return { ...Object.fromEntries(counts), missed };
}

/** One of the processes of a role, by a number in [0, 1); undefined when there is none for a while. */
async function oneOf(list: () => Promise<number[]>, which: number): Promise<number | undefined> {
  const look = async () => {
    const pids = await list();
    return pids[Math.floor(which * pids.length)];
  };
  return until('a process to kill', look, { limitMs: patienceMs }).catch(() => undefined);
}
