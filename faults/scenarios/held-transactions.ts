import { setTimeout as delay } from 'node:timers/promises';
import { brandIdOf } from '../checker/check.ts';
import type { ShownPlayer } from '../checker/read-console.ts';
import { consoleOf } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import { holdUnrelated, holdWriter } from '../load/held-transactions.ts';
import { loginOf } from '../load/login.ts';
import { followProbes, type Probe, quantileOf } from '../load/probes.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';
import { setStage } from './stage.ts';

/** Transactions are held for one minute. A shorter run holds them for its whole length. */
const longestHoldSeconds = 60;
const rate = 100;
const probeRate = 25;
/** Maximum time until an event is derived, for all events that are not held. */
const limitMs = 1_000;
/** Number of events of the held writer. */
const heldEvents = 20;

/**
 * Two transactions stay open for a minute, under load: the transaction of an ingest writer in the middle of its append, and one
 * that is unrelated to events. If a reader looked only at the numbers of blocks, it would skip the first transaction when later ones commit
 * before it. If a reader waited for the oldest transaction, it would stop until both end.
 */
export const heldTransactions: Scenario = {
  name: 'held-transactions',
  story: 'an ingest writer in the middle of its transaction and an unrelated writing transaction are held open',
  short: { seconds: 8, least: { followed: 100 } },
  async run(run) {
    await using stage = await setStage(run);
    const { installation, pool, traffic, books } = stage;
    const seconds = Math.min(run.seconds, longestHoldSeconds);
    const playing = traffic.play({ rate, seconds });
    const brandId = await brandIdOf(pool, installation.brandCode);
    const held = Array.from({ length: heldEvents }, (_, i) => traffic.note(loginOf(`held-${i + 1}`)));

    await using unrelated = await holdUnrelated(installation.databaseUrl);
    await using writer = await holdWriter(installation.databaseUrl, brandId, held);
    const heldAt = performance.now();
    run.say(`both are held for ${seconds} s`);
    const holding = new AbortController();
    const following = followProbes({
      pool,
      traffic,
      books,
      rate: probeRate,
      until: holding.signal,
      maxWaitMs: 10_000,
    });
    await delay(seconds * 1000, undefined, { signal: run.signal });
    holding.abort();
    const probes = await following;
    const heldMs = performance.now() - heldAt;
    await writer.release();
    const late = await derivedAfter(
      consoleOf(installation),
      held.map(({ user_id }) => user_id),
    );
    await unrelated.release();

    await playing;
    await traffic.finish();
    return [judgeOthers(probes, heldMs, limitMs * run.allowance), judgeHeld(late), ...(await stage.judge())];
  },
};

/** How long after the commit each of the held events was derived; Infinity if never. */
async function derivedAfter(console: ReturnType<typeof consoleOf>, userIds: readonly string[]): Promise<number[]> {
  const committedAt = performance.now();
  return Promise.all(
    userIds.map((userId) =>
      until(
        `the login of ${userId}`,
        async () => {
          const player = await console.get<ShownPlayer>(`players/${userId}`);
          return player?.traits.login_count?.value === 1 && performance.now() - committedAt;
        },
        { limitMs: 10_000 },
      ).catch(() => Number.POSITIVE_INFINITY),
    ),
  );
}

function judgeOthers(probes: readonly Probe[], heldMs: number, limit: number): Outcome {
  const p50 = quantileOf(probes, 0.5);
  const p99 = quantileOf(probes, 0.99);
  const missing = probes.filter(({ latency_ms }) => latency_ms === null).length;
  const broken = p99 > limit ? [`event to derived p99 was ${p99} ms while both were held`] : [];
  if (missing > 0) broken.push(`${missing} events of other writers were not derived while both were held`);
  const counts = { held_ms: Math.round(heldMs), followed: probes.length, p50_ms: p50, p99_ms: p99 };
  return outcome('P11', 'held transactions do not delay the events of other writers', counts, broken);
}

function judgeHeld(late: readonly number[]): Outcome {
  const skipped = late.filter((ms) => !Number.isFinite(ms)).length;
  const slowest = Math.round(Math.max(...late));
  const broken = skipped > 0 ? [`${skipped} events that were committed late were skipped`] : [];
  return outcome(
    'P1',
    'events that a slow writer commits late are not skipped',
    { held: late.length, slowest_ms: slowest },
    broken,
  );
}
