import { setTimeout as pause } from 'node:timers/promises';
import { startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { startChild } from '../child.ts';
import { report } from '../figure.ts';
import { resultOf } from '../load/load.ts';
import { publishEvent } from '../load/publish-event.ts';
import { type BenchPlatform, startPlatform } from '../platform.ts';
import { hundredSegments, measuredSegment } from './hundred.ts';
import { publishSegments } from './publish.ts';

/** Events per second of the full mix in addition to the measured ones. */
const rate = 1_000;
/** First deposits per second by existing players; each enters `measuredSegment`. */
const measuredPerSecond = 20;
const pollMs = 20;
/** A transition that takes longer counts as missing. */
const longestMs = 30_000;

/*
 * Measures the time from the acknowledgment of a first deposit until the transition of its player can be read, while 1,000
 * events/s of the full mix arrive and 100 segments are in force. A transition is committed together with the membership.
 */
export async function benchSegments({ smoke }: { smoke: boolean }): Promise<boolean> {
  const seconds = smoke ? 5 : 60;
  const warmUp = smoke ? 2 : 20;
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
  const platform = await startPlatform({ worker: true, operatorUrl: operator.url });
  const generator = await startChild('bench/load/process.ts');
  try {
    const players = Array.from({ length: seconds * measuredPerSecond }, (_, i) => `measured-${i}`);
    for (const user_id of players) await publishEvent(platform, '/v2/integration/login', { user_id, timestamp: now() });
    await publishSegments(platform, hundredSegments);
    const target = { port: platform.port, path: '/', method: 'POST' as const, headers: { 'x-api-key': platform.key } };
    const mix = { ...target, connections: 64, seconds: seconds + warmUp, rate };
    const load = resultOf(generator, { mix, events: (seconds + warmUp + 1) * rate, seed: 1 });
    generator.process.send({ more: (seconds + warmUp + 1) * rate });
    await pause(warmUp * 1_000);
    const delays = await measure(platform, players);
    const { per_second, statuses } = await load;
    const refused = Object.entries(statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return judge(delays, { per_second, transitions: await countTransitions(platform.pool), smoke });
  } finally {
    await generator.stop();
    await platform.stop();
    await operator.stop();
  }
}

/**
 * Sends the deposits evenly and watches for their transitions at the same time. @returns milliseconds of each deposit; Infinity
 * if its transition was not seen
 */
async function measure(platform: BenchPlatform, players: readonly string[]): Promise<number[]> {
  const acknowledged = new Map<string, number>();
  const seen = new Map<string, number>();
  let isOver = false;
  const watching = watchTransitions(
    platform.pool,
    (user_id) => seen.set(user_id, performance.now()),
    () => isOver,
  );
  const began = performance.now();
  const sent = players.map(async (user_id, i) => {
    await pause(Math.max(0, began + (i * 1_000) / measuredPerSecond - performance.now()));
    await publishEvent(platform, '/v1/integration/payment', depositOf(user_id));
    acknowledged.set(user_id, performance.now());
  });
  await Promise.all(sent);
  const deadline = performance.now() + longestMs;
  while (players.some((user_id) => !seen.has(user_id)) && performance.now() < deadline) await pause(pollMs);
  isOver = true;
  await watching;
  return players
    .map((user_id) => (seen.get(user_id) ?? Number.POSITIVE_INFINITY) - (acknowledged.get(user_id) ?? 0))
    .sort((a, b) => a - b);
}

/** Reads the transitions of the measured segment as they become visible. */
async function watchTransitions(
  pool: Pool,
  onEntered: (user_id: string) => void,
  isOver: () => boolean,
): Promise<void> {
  const known = new Set<string>();
  while (!isOver()) {
    const { rows } = await pool.query<{ user_id: string }>(
      `select p.user_id from segment_member m join segment_active a using (version_id) join player p using (player_id)
        where a.code = $1 and p.user_id like 'measured-%'
          and exists (select from segment_transition t where t.player_id = m.player_id and t.segment_id = a.segment_id
                                                         and t.transition = 'entered' and not t.silent)
          and p.user_id <> all ($2)`,
      [measuredSegment, [...known]],
    );
    for (const { user_id } of rows) {
      known.add(user_id);
      onEntered(user_id);
    }
    await pause(pollMs);
  }
}

async function countTransitions(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from segment_transition');
  return rows[0]?.n ?? 0;
}

const now = () => new Date().toISOString();

function depositOf(user_id: string): object {
  return {
    user_id,
    payment_id: `p-${user_id}`,
    type: 'Credit',
    status: 'Approved',
    amount: 25,
    currency: 'EUR',
    exchange_rate: 1,
    timestamp: now(),
    vendor_id: 'visa',
    origin: 'www.casino.example',
  };
}

function judge(
  delays: readonly number[],
  { per_second, transitions, smoke }: { per_second: number; transitions: number; smoke: boolean },
): boolean {
  const bench = 'segments';
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
  const missing = delays.filter((delay) => !Number.isFinite(delay)).length;
  report({ bench, figure: 'mix beside it', value: per_second, unit: 'events/s' });
  report({ bench, figure: 'transitions of all segments', value: transitions, unit: 'transitions' });
  report({ bench, figure: 'missing', value: missing, unit: 'transitions', at_most: 0 });
  const p50 = report({ bench, figure: 'acknowledged_to_visible_p50', value: at(0.5), unit: 'ms', at_most: 150 });
  const p99 = report({ bench, figure: 'acknowledged_to_visible_p99', value: at(0.99), unit: 'ms', at_most: 1_000 });
  return missing === 0 && (smoke || (p50 !== false && p99 !== false));
}
