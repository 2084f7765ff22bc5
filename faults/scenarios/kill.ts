import { setTimeout as delay } from 'node:timers/promises';
import { type Role, send } from '../installation/processes.ts';
import { planKills } from '../load/fault-plan.ts';
import type { Run, Scenario } from '../scenario.ts';
import { type Stage, setStage } from './stage.ts';

/** Messages a second: enough that every kill finds commits and batches under way. */
const rate = 200;

/**
 * SIGKILL of api, worker and PostgreSQL at moments of chance, under load. The supervisor brings each of them back; the
 * publisher repeats what was not acknowledged. Nothing else helps.
 */
export const kill: Scenario = {
  name: 'kill',
  story: 'api, worker and PostgreSQL are killed (SIGKILL) at random moments under load',
  async run(run) {
    await using stage = await setStage(run);
    const playing = stage.traffic.play({ rate, seconds: run.seconds });
    const kills = await strike(stage, run);
    await playing;
    await stage.traffic.finish();
    const outcomes = await stage.judge();
    const { failed_attempts } = stage.traffic.publisher.counts;
    return outcomes.map((one) => ({ ...one, counts: { ...one.counts, ...kills, failed_attempts } }));
  },
};

/** Carries out the plan; returns how often each role was killed. */
async function strike({ installation }: Stage, { seed, seconds, say, signal }: Run): Promise<Record<string, number>> {
  const startedAt = performance.now();
  const killed: Record<Role, number> = { api: 0, worker: 0, postgres: 0 };
  for (const { at_ms, role } of planKills(seed, seconds)) {
    await delay(Math.max(0, startedAt + at_ms - performance.now()), undefined, { signal });
    // It may be on its way back from the last strike: then the blow waits for it.
    const pid = await installation.pid(role);
    send(pid, 'SIGKILL');
    killed[role] += 1;
    say(`${((performance.now() - startedAt) / 1000).toFixed(1)} s: killed ${role} ${pid}`);
  }
  return Object.fromEntries(Object.entries(killed).map(([role, times]) => [`killed_${role}`, times]));
}
