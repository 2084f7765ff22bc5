import { setTimeout as delay } from 'node:timers/promises';
import { type SandboxOperator, startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { openPool } from '../../packages/platform/src/database/index.ts';
import { brandIdOf } from '../checker/check.ts';
import { type Console, consoleOf } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import { eventOf } from '../load/event.ts';
import { lookUpsOfLogin, lookUpTimes, noteLookUps, sendLogins } from '../load/look-up-times.ts';
import { startTraffic, type Traffic } from '../load/traffic.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { Run, Scenario } from '../scenario.ts';

/** The result is the median of this many pairs (P10). Each pair is a period without the neighbor's fault and one with it. */
const pairs = 5;
/** Seconds of each half. It contains 2,000 look-ups, so twenty are slower than the p99. */
const halfSeconds = 10;
/** The pause before each half, so that our own writing of due work and the backlog of the previous half do not affect it. */
const restMs = 3_000;
/** 200 look-ups per second. */
const loginRate = 200 / lookUpsOfLogin;
const allowedShare = 0.1;
const allowedMs = 10;

/** Number of the neighbor's players with due work when its operator stops answering. */
const duePlayers = 3_334;
const knownPlayers = 100;
const drainLimitMs = 180_000;
const neighbor = { code: 'neighbor', key: 'key-of-the-neighbor-0123456789abcdef' };
const auth = { type: 'api_key', value: 'key-of-the-operator' } as const;

/** The time from a login until its look-ups are written, in ms. */
interface Half {
  p50: number;
  p99: number;
}

interface Street {
  troubled: SandboxOperator;
  /** Writes the due work that a long outage would leave, and reads the database. */
  pool: Pool;
  brandId: number;
  console: Console;
  run: Run;
}

/**
 * Two brands in one installation. The operator of one stops answering while 10,000 look-ups, bonuses and changed consents are
 * due there. The look-ups of the other continue at 200 per second and must not become slower.
 */
export const neighbors: Scenario = {
  name: 'neighbors',
  story:
    "one brand's operator does not answer while 10,000 look-ups are due there; the other brand's look-ups are timed",
  async run(run) {
    await using stack = new AsyncDisposableStack();
    const healthy = await startSandboxOperator({ auth, population: { prefix: 'b-', count: 1e9 } });
    stack.defer(() => healthy.stop());
    healthy.dials.set('*', { delay_ms: 20 });
    const troubled = await startSandboxOperator({ auth, population: { prefix: 'a-', count: 1e9 } });
    stack.defer(() => troubled.stop());
    const installation = stack.use(
      await run.start({
        operator: { url: healthy.url, key: auth.value },
        neighbors: [
          {
            code: neighbor.code,
            name: 'The brand next door',
            api_keys: [{ name: 'main', key: neighbor.key }],
            operator: { base_url: troubled.url, auth, call_timeout_ms: 1_000 },
          },
        ],
      }),
    );
    const pool = openPool(installation.databaseUrl, { name: 'neighbors', log: pino({ level: 'silent' }), max: 2 });
    stack.defer(() => pool.end());
    const trafficOf = (key: string, operator: SandboxOperator) =>
      stack.use(
        startTraffic({
          url: installation.url,
          key,
          signal: run.signal,
          simulation: { seed: run.seed, players: 1, books: operator.books, brand: { brand_id: 1 } },
        }),
      );
    const console = consoleOf({ ...installation, brandCode: neighbor.code });
    const street = { troubled, pool, console, run, brandId: await brandIdOf(pool, neighbor.code) };
    await settle(street, trafficOf(neighbor.key, troubled));
    await noteLookUps(pool, await brandIdOf(pool, installation.brandCode));
    // Awaited here because its resources end with this block.
    return await play(street, trafficOf(installation.key, healthy));
  },
};

async function play(street: Street, traffic: Traffic): Promise<Outcome[]> {
  const { run, pool, troubled } = street;
  let from = 0;
  const half = async (seconds = halfSeconds): Promise<Half> => {
    await delay(restMs, undefined, { signal: run.signal });
    const sent = await sendLogins({ traffic, prefix: 'b-', from, rate: loginRate, seconds, signal: run.signal });
    from += sent.size;
    const times = async () => {
      const all = await lookUpTimes(pool, sent);
      return all.length >= sent.size * lookUpsOfLogin && all;
    };
    const sorted = await until('the look-ups of a half', times, { limitMs: 60_000, everyMs: 250, signal: run.signal });
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
    return { p50: at(0.5), p99: at(0.99) };
  };
  await half(5);
  const off: Half[] = [];
  const on: Half[] = [];
  const seen = { calls: 0, due: Number.POSITIVE_INFINITY, circuits: 0, bonuses: 0, writes: 0 };
  let slowestDrain = 0;
  for (let pair = 1; pair <= pairs; pair++) {
    off.push(await half());
    troubled.dials.set('*', { faults: [{ fault: 'timeout', when: 'before_effect' }] });
    const calls = troubled.calls.count();
    seen.due = Math.min(seen.due, await makeDue(street, pair));
    on.push(await half());
    seen.calls += troubled.calls.count() - calls;
    const health = await healthOf(street);
    seen.circuits = Math.max(seen.circuits, health.filter(({ circuit }) => circuit.state !== 'closed').length);
    seen.bonuses += waitingAt(health, 'bonus_credit');
    seen.writes += waitingAt(health, 'userconsents_write');
    troubled.dials.clear();
    slowestDrain = Math.max(slowestDrain, await drained(street));
    const told = (of: Half | undefined) => `${round(of?.p50)} and ${round(of?.p99)} ms`;
    run.say(`pair ${pair}: p50 and p99 ${told(off.at(-1))} without, ${told(on.at(-1))} with the neighbor's fault`);
  }
  return [judgeNeighbor(off, on, seen, run.allowance), judgeDrain(slowestDrain, seen)];
}

function judgeNeighbor(
  off: readonly Half[],
  on: readonly Half[],
  seen: { calls: number; due: number; circuits: number },
  allowance: number,
): Outcome {
  const of = (halves: readonly Half[], name: keyof Half) => halves.map((half) => half[name]);
  const movedBy = (name: keyof Half) =>
    medianOf(off.map((half, pair) => (on[pair]?.[name] ?? Number.NaN) - half[name]));
  const moved = movedBy('p99');
  const limit = Math.max(allowedMs, medianOf(of(off, 'p99')) * allowedShare) * allowance;
  const each = (name: string, list: readonly number[]) =>
    Object.fromEntries(list.map((ms, pair) => [`${name}_${pair + 1}_ms`, round(ms)]));
  const counts = {
    pairs,
    moved_ms: round(moved),
    limit_ms: round(limit),
    p50_moved_ms: round(movedBy('p50')),
    p50_off_ms: round(medianOf(of(off, 'p50'))),
    p50_on_ms: round(medianOf(of(on, 'p50'))),
    p99_off_ms: round(medianOf(of(off, 'p99'))),
    p99_on_ms: round(medianOf(of(on, 'p99'))),
    ...each('p99_off', of(off, 'p99')),
    ...each('p99_on', of(on, 'p99')),
    due: seen.due,
    calls_in_vain: seen.calls,
    circuits_open: seen.circuits,
  };
  const broken =
    moved <= limit ? [] : [`the p99 of look-ups rose by ${round(moved)} ms, but only ${round(limit)} ms are allowed`];
  if (seen.due < duePlayers * 3 || seen.calls === 0) broken.push('nothing was due or called at the neighbor');
  return outcome('P10', "an operator that does not answer does not slow another brand's look-ups", counts, broken);
}

function judgeDrain(slowestMs: number, { bonuses, writes }: { bonuses: number; writes: number }): Outcome {
  const counts = { drained_ms: Math.round(slowestMs), bonus_calls_waited: bonuses, writes_waited: writes };
  const broken = Number.isFinite(slowestMs) ? [] : ['waiting calls were not made after the operator recovered'];
  return outcome('P11', 'after the operator recovers, all waiting calls are made', counts, broken);
}

/** Some players whose consents are known, for bonuses and writes, and many whose look-ups become due together later. */
async function settle({ pool, brandId, run }: Street, traffic: Traffic): Promise<void> {
  const users = Array.from({ length: knownPlayers }, (_, n) => `a-${n}`);
  await Promise.all(users.map((user_id) => traffic.publish(eventOf('registration', { user_id }))));
  await until('the first look-ups', async () => (await openLookUps(pool, brandId)) === 0 && (await countPlayers()), {
    limitMs: 60_000,
    signal: run.signal,
  });
  await pool.query(
    `with made as (insert into player (brand_id, user_id, bucket)
                   select $1, 'a-' || n, 0 from generate_series($2::int, $3::int) n returning player_id)
     insert into player_sync (player_id, look_up, brand_id, lane, requested, done)
     select player_id, look_up, $1, 0, 1, 1 from made, unnest(array['details', 'consents', 'blocks']) look_up`,
    [brandId, knownPlayers, knownPlayers + duePlayers - 1],
  );

  async function countPlayers(): Promise<boolean> {
    const { rowCount } = await pool.query('select from player_sync where brand_id = $1', [brandId]);
    return rowCount === knownPlayers * 3;
  }
}

/** Writes the work that is due after an outage: look-ups, bonuses, changed consents. @returns how many look-ups are due. */
async function makeDue({ pool, brandId, console }: Street, pair: number): Promise<number> {
  for (let n = 0; n < knownPlayers; n++) {
    await console.post(`players/a-${n}/bonus-credits`, { bonus_code: 'RELOAD50' }, `neighbor-${pair}-${n}`);
    const changes = [{ type: 'Email', opted_in: pair % 2 === 0 }];
    await console.post(`players/a-${n}/consents`, { changes, note: 'a fault run' });
  }
  const { rowCount } = await pool.query(
    `update player_sync s set requested = requested + 1, due_at = now(), attempts = 0, lane = 0
       from player p where p.player_id = s.player_id and s.brand_id = $1 and s.claim is null`,
    [brandId],
  );
  return rowCount ?? 0;
}

/** Milliseconds until the neighbor has no due work left; Infinity if that never happened. */
async function drained({ pool, brandId, console, run }: Street): Promise<number> {
  const began = performance.now();
  const isEmpty = async () => {
    if ((await openLookUps(pool, brandId)) > 0) return false;
    const health = await console.get<Health>('operator-health');
    return health?.endpoints.every(({ waiting }) => waiting.due + waiting.retrying === 0);
  };
  return until('the due calls to be made', isEmpty, { limitMs: drainLimitMs, everyMs: 500, signal: run.signal }).then(
    () => performance.now() - began,
    () => Number.POSITIVE_INFINITY,
  );
}

interface Health {
  endpoints: { endpoint: string; circuit: { state: string }; waiting: { due: number; retrying: number } }[];
}

async function healthOf({ console }: Street): Promise<Health['endpoints']> {
  return (await console.get<Health>('operator-health'))?.endpoints ?? [];
}

function waitingAt(health: Health['endpoints'], endpoint: string): number {
  const waiting = health.find((one) => one.endpoint === endpoint)?.waiting;
  return waiting === undefined ? 0 : waiting.due + waiting.retrying;
}

async function openLookUps(pool: Pool, brandId: number): Promise<number> {
  const { rowCount } = await pool.query('select from player_sync where brand_id = $1 and requested > done', [brandId]);
  return rowCount ?? 0;
}

function medianOf(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

function round(ms: number | undefined): number {
  return Math.round((ms ?? Number.NaN) * 10) / 10;
}
