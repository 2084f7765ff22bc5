import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { seededRandom } from '../../packages/sandbox/src/random.ts';
import { send } from '../installation/processes.ts';
import { until } from '../installation/until.ts';
import { followProbes, quantileOf } from '../load/probes.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';
import { leastMessages, leastOfSegments, setStage } from './stage.ts';
import { connectionsOf, fateOf, ownersOf, stopInBatch, type WorkerShare } from './worker-traces.ts';

const stoppedMs = 30_000;
/** docs/reference/design.md 3: a dead worker's buckets move within 10 s. */
const takeoverLimitMs = 10_000;
const normalMs = 1_000;
const rate = 150;
const probeRate = 20;
const bucketCount = 64;

/**
 * Two workers share the buckets. One is stopped (SIGSTOP) in the middle of a batch's transaction, where it could do the most
 * harm: it holds rows, and when it is resumed 30 s later, it assumes that it still owns their buckets.
 */
export const stoppedWorker: Scenario = {
  name: 'stopped-worker',
  story: 'one of two workers is stopped (SIGSTOP) in the middle of a batch for 30 s, then resumed',
  short: { seconds: stoppedMs / 1000, least: { acknowledged: 1_000, ...leastOfSegments } },
  async run(run) {
    await using stage = await setStage(run, { processes: { worker: 2 }, segments: true });
    const { pool, traffic, books } = stage;
    const playing = new AbortController();
    const load = traffic.play({ rate, seconds: stoppedMs / 1000 + 5, least: leastMessages });
    const following = followProbes({
      pool,
      traffic,
      books,
      rate: probeRate,
      until: playing.signal,
      maxWaitMs: 20_000,
    });
    try {
      const owners = await shared(pool);
      const victim = seededRandom(run.seed).pick([owners[0], owners[1]]);
      const random = seededRandom(`${run.seed}/stop`);
      const batch = await stopInBatch(pool, victim.pid, { random, limitMs: 30_000, signal: run.signal });
      const stoppedAt = performance.now();
      run.say(`stopped worker ${victim.pid} in transaction ${batch.xid}`);
      const takeoverMs = await takenOver(pool, victim, stoppedAt);
      run.say(`its buckets were taken over after ${takeoverMs} ms`);
      await delay(stoppedAt + stoppedMs - performance.now(), undefined, { signal: run.signal });

      const left = await connectionsOf(pool, victim.pid);
      const fate = await fateOf(pool, batch);
      const wokenAt = performance.now();
      send(victim.pid, 'SIGCONT');
      const woken = await until('the resumed worker to register again', () => registeredAgain(pool, victim), {
        limitMs: 20_000,
      });
      run.say(`resumed, it is worker ${woken.worker_id} instead of ${victim.worker_id}`);
      await shared(pool);
      await load;
      playing.abort();
      const probes = await following;
      const slowest = quantileOf(probes, 1);
      const between = probes.filter(({ sent_at }) => sent_at > stoppedAt + takeoverMs && sent_at < wokenAt);
      await traffic.finish();
      return [
        judgeTakeover(takeoverMs, slowest, quantileOf(between, 0.99), normalMs * run.allowance),
        judgeSilence(left, fate),
        ...(await stage.judge()),
      ];
    } finally {
      playing.abort();
      await Promise.allSettled([load, following]);
    }
  },
};

/** Waits until each worker owns half of the buckets, and returns both workers. */
async function shared(pool: Pool): Promise<[WorkerShare, WorkerShare]> {
  return until(
    'two workers to share the buckets',
    async () => {
      const [one, other, ...more] = (await ownersOf(pool)).filter(({ buckets }) => buckets > 0);
      if (one === undefined || other === undefined || more.length > 0) return undefined;
      return one.buckets === bucketCount / 2 && other.buckets === bucketCount / 2 && [one, other];
    },
    { limitMs: 30_000 },
  );
}

/** Milliseconds from the stop until the other worker owns all buckets. */
async function takenOver(pool: Pool, victim: WorkerShare, stoppedAt: number): Promise<number> {
  await until(
    'the buckets of the stopped worker to move',
    async () => {
      const owners = await ownersOf(pool);
      const rest = owners.find(({ worker_id }) => worker_id !== victim.worker_id);
      return rest?.buckets === bucketCount;
    },
    { limitMs: stoppedMs - 1_000 },
  );
  return Math.round(performance.now() - stoppedAt);
}

/**
 * Returns the stopped process once it is registered with a new worker_id. By then, it has noticed that it lost its buckets, and has
 * released them.
 */
async function registeredAgain(pool: Pool, victim: WorkerShare): Promise<WorkerShare | undefined> {
  const owners = await ownersOf(pool);
  return owners.find(({ process, worker_id }) => process === victim.process && worker_id !== victim.worker_id);
}

function judgeTakeover(takeoverMs: number, slowest: number, p99: number, normal: number): Outcome {
  const broken: string[] = [];
  if (takeoverMs > takeoverLimitMs) broken.push(`the buckets moved after ${takeoverMs} ms`);
  if (slowest > takeoverLimitMs + normal) broken.push(`an event of its buckets waited ${slowest} ms`);
  if (p99 > normal) broken.push(`event to derived p99 was ${p99} ms after the takeover`);
  const counts = { takeover_ms: takeoverMs, slowest_event_ms: slowest, p99_after_takeover_ms: p99 };
  return outcome('P9', "a stopped worker's buckets move within 10 s", counts, broken);
}

/**
 * P1 and P2 show that it wrote nothing else after it was resumed: each event is derived once, and every total is correct. This function
 * checks that the batch it held can no longer be committed, because its transaction was ended while it was stopped.
 */
function judgeSilence(connections: number, fate: string): Outcome {
  const broken: string[] = [];
  if (fate !== 'aborted') broken.push(`the transaction that it was stopped in is ${fate}`);
  if (connections > 0)
    broken.push(`${connections} connections of the stopped worker were still open when it was resumed`);
  return outcome('P9', 'a stopped worker writes nothing once resumed', { stopped_ms: stoppedMs, connections }, broken);
}
