import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { consoleOf } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import { until } from '../installation/until.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';
import { leastMessages, leastOfSegments, setStage } from './stage.ts';

const daysAhead = 500;
const rate = 100;
const bucketCount = 64;
/** After this time, every chore has run at least once. Hourly chores check in their first round. */
const besideMs = 12_000;
const mainScript = fileURLToPath(new URL('../../packages/platform/src/main.ts', import.meta.url));
const clockScript = new URL('../installation/wrong-clock.ts', import.meta.url).href;

/** Names and counts of what a worker with a wrong year would delete or start. */
interface Possessions {
  partitions: string[];
  packs: number;
  sealed: number;
  reconciliations: number;
  erased: number;
}

/**
 * A worker whose clock is 500 days ahead runs next to a healthy one. It must not destroy anything, and the healthy one
 * continues.
 */
export const wrongClock: Scenario = {
  name: 'wrong-clock',
  story: `a worker whose clock is ${daysAhead} days ahead runs beside a healthy one`,
  short: { seconds: 15, least: { acknowledged: 500, days_ahead: daysAhead, ...leastOfSegments } },
  async run(run) {
    await using stage = await setStage(run, { processes: { worker: 1 }, segments: true });
    const { pool, traffic, installation } = stage;
    const seconds = Math.max(15, Math.min(run.seconds, 60));
    const load = traffic.play({ rate, seconds, least: leastMessages });
    try {
      const before = await possessionsOf(pool);
      await using ahead = startAhead(installation);
      const offset = await until('the worker that is ahead to compare its clock', () => furthest(pool), {
        limitMs: 60_000,
      });
      run.say(`a worker is ${Math.round(offset / 86_400_000)} days ahead`);
      await delay(besideMs, undefined, { signal: run.signal });
      const alarms = await alarmsOf(installation);
      const owned = await ownedByOthers(pool);
      const after = await possessionsOf(pool);
      const isAlive = ahead.isAlive();
      await load;
      await traffic.finish();
      return [judgeHarm(before, after, owned, offset), judgeShown(alarms, isAlive), ...(await stage.judge())];
    } finally {
      await Promise.allSettled([load]);
    }
  },
};

function startAhead({ env }: Installation) {
  const args = ['--import', clockScript, mainScript, 'worker'];
  const child = spawn(process.execPath, args, {
    env: { ...env, FAULTS_DAYS_AHEAD: String(daysAhead) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  return {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await Promise.race([ended, delay(15_000)]);
      child.kill('SIGKILL');
    },
  };
}

async function furthest(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ offset_ms: number }>(
    'select offset_ms from process_clock order by abs(offset_ms) desc limit 1',
  );
  return Math.abs(rows[0]?.offset_ms ?? 0) > 60_000 ? rows[0]?.offset_ms : undefined;
}

async function possessionsOf(pool: Pool): Promise<Possessions> {
  const { rows } = await pool.query<Possessions>(
    `select array(select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
                   where i.inhparent in ('journal'::regclass, 'ledger_block'::regclass) order by 1) as partitions,
            (select count(*)::int from ledger_slice) as packs,
            (select count(*)::int from pg_namespace where nspname = 'baseline') as sealed,
            (select count(*)::int from reconciliation) as reconciliations,
            (select count(*)::int from erased_user) as erased`,
  );
  return rows[0] as Possessions;
}

/** Buckets of each worker that counts as alive. */
async function ownedByOthers(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ buckets: number }>(
    'select count(b.bucket)::int as buckets from worker w left join bucket b using (worker_id) group by w.worker_id',
  );
  return rows.map(({ buckets }) => buckets);
}

async function alarmsOf(installation: Installation): Promise<string[]> {
  const overview = await consoleOf(installation).get<{ alarms: { code: string }[] }>('overview');
  return overview?.alarms.map(({ code }) => code) ?? [];
}

function judgeHarm(before: Possessions, after: Possessions, owned: readonly number[], offset: number): Outcome {
  const broken: string[] = [];
  const gone = before.partitions.filter((name) => !after.partitions.includes(name));
  if (gone.length > 0) broken.push(`dropped: ${gone.join(', ')}`);
  for (const name of ['packs', 'sealed', 'reconciliations'] as const)
    if (after[name] > before[name]) broken.push(`${name}: ${before[name]} before, ${after[name]} after`);
  if (after.erased < before.erased) broken.push('the records of erased players were deleted');
  if (owned.length !== 1 || owned[0] !== bucketCount) broken.push(`workers own ${owned.join(', ')} buckets`);
  const counts = { days_ahead: Math.round(offset / 86_400_000), partitions: after.partitions.length };
  return outcome('-', 'a worker with a wrong clock deletes nothing, starts nothing and owns no bucket', counts, broken);
}

function judgeShown(alarms: readonly string[], isAlive: boolean): Outcome {
  const broken: string[] = [];
  if (!alarms.includes('clock_wrong')) broken.push(`the overview raises ${alarms.join(', ') || 'nothing'}`);
  if (!isAlive) broken.push('the worker exited instead of pausing');
  return outcome('P12', 'the overview says that a clock is wrong', { alarms: alarms.length }, broken);
}
