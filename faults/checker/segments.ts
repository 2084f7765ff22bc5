import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { BrandRegistry, Vault } from '../../packages/platform/src/brands/index.ts';
import { systemClock } from '../../packages/platform/src/clock.ts';
import { type Cause, PlatformRules, verifySegments } from '../../packages/platform/src/segments/membership/index.ts';
import { until } from '../installation/until.ts';
import { type Outcome, outcome } from '../outcome.ts';
import { judgeTimes } from './segment-times.ts';

/*
 * P16: live membership of every segment equals its recomputation, player by player; transitions alternate and end in the live
 * membership, and their causes are true.
 */

type FoundDifference = Awaited<ReturnType<typeof verifySegments>>['differences'][number];

const settleLimitMs = 90_000;
const vaultSecret = 'a secret of 32 characters for fault runs';
/** Maximum number of comparisons. They are repeated until one covers every player. */
const comparisons = 200;

/** A transition, with additional data about its player and segment. */
export interface ToldTransition {
  user_id: string;
  player_id: number;
  code: string;
  version: number;
  transition: 'entered' | 'left';
  at: Micros;
  cause: Cause;
  silent: boolean;
  /** Kinds of events that the version reads. */
  kinds: readonly string[];
  /** Whether the player is a member now. */
  is_member: boolean;
}

/** An event of the ledger, as the journal names it. */
export interface ToldEvent {
  user_id: string;
  kind: string;
  received_at: Micros;
}

export interface SegmentEvidence {
  transitions: readonly ToldTransition[];
  events: ReadonlyMap<string, ToldEvent>;
  /** Events that were received before this time may have been dropped from the ledger. Default: no event was dropped. */
  eventsSince?: Micros | undefined;
}

export interface JudgedSegments {
  pool: Pool;
  brandId: number;
  events(): Promise<ReadonlyMap<string, ToldEvent>>;
  eventsSince?: Micros;
  /** Waits until this many transitions were made by the clock alone. */
  leastTimes: number;
  signal: AbortSignal | undefined;
  clock?: () => Micros;
}

export async function judgeSegments(judged: JudgedSegments): Promise<Outcome[]> {
  const { pool, brandId, leastTimes, signal, eventsSince } = judged;
  const clock = judged.clock ?? systemClock;
  const brands = new BrandRegistry({ pool, vault: new Vault(vaultSecret), log: pino({ level: 'silent' }) });
  await brands.refresh();
  const deps = { pool, brands, rules: new PlatformRules({ pool }) };
  const waiting = await settled(pool, brandId, leastTimes, signal).then(
    () => [],
    (error: Error) => [error.message],
  );
  const differences = new Map<string, FoundDifference>();
  let last = await verifySegments(deps, clock);
  for (let n = 0; n < comparisons; n++) {
    for (const one of last.differences) differences.set(JSON.stringify(one), one);
    if (last.left_out === 0) break;
    last = await verifySegments(deps, clock);
  }
  const broken = [...waiting, ...differences.keys()];
  if (last.left_out > 0) broken.push(`${last.left_out} players could not be compared: their work is never done`);
  const { versions, compared } = last;
  const states = await failedVersions(pool, brandId);
  const evidence = { transitions: await readTransitions(pool, brandId), events: await judged.events(), eventsSince };
  return [
    outcome(
      'P16',
      'the live members of every segment equal a recomputation',
      { segments: versions, memberships: compared },
      [...broken, ...states],
    ),
    judgeTransitions(evidence),
    judgeCauses(evidence),
    await judgeTimes(deps, evidence, brandId),
  ];
}

export function judgeTransitions({ transitions }: SegmentEvidence): Outcome {
  const broken: string[] = [];
  const last = new Map<string, ToldTransition>();
  for (const one of transitions) {
    const name = `${one.code} of ${one.user_id}`;
    const before = last.get(name);
    if (before?.transition === one.transition)
      broken.push(`${name}: ${one.transition} twice, at ${before.at} and ${one.at}`);
    if (before !== undefined && before.at > one.at) broken.push(`${name}: ${one.at} is before ${before.at}`);
    last.set(name, one);
  }
  for (const [name, { transition, is_member }] of last)
    if ((transition === 'entered') !== is_member)
      broken.push(`${name}: ${transition} last, but is ${is_member ? 'a member' : 'no member'}`);
  const counts = { transitions: transitions.length, entered_or_left: last.size };
  return outcome('P16', 'transitions alternate, and the last one agrees with the live membership', counts, broken);
}

export function judgeCauses({ transitions, events, eventsSince = 0 }: SegmentEvidence): Outcome {
  const broken: string[] = [];
  const counts: Record<string, number> = {};
  const first = new Set<string>();
  for (const { user_id, code, transition, at, cause, kinds } of transitions) {
    counts[`cause_${cause.type}`] = (counts[`cause_${cause.type}`] ?? 0) + 1;
    const name = `${code} of ${user_id}, ${transition} at ${at} by ${JSON.stringify(cause)}`;
    const pair = `${code} ${user_id}`;
    const isFirst = !first.has(pair);
    first.add(pair);
    if (cause.at > at) broken.push(`${name}: the cause is later than the transition`);
    if (cause.type !== 'event' || at < eventsSince) continue;
    const event = events.get(cause.id);
    if (event === undefined) broken.push(`${name}: the ledger has no such event`);
    else if (event.user_id !== user_id) broken.push(`${name}: the event belongs to ${event.user_id}`);
    else if (event.kind !== cause.kind) broken.push(`${name}: the event is of kind ${event.kind}`);
    else if (event.received_at > at) broken.push(`${name}: the event was received at ${event.received_at}`);
    // Every rule reads the events that create a player.
    else if (!kinds.includes(cause.kind) && !isFirst) broken.push(`${name}: the rule reads only ${kinds.join(', ')}`);
  }
  return outcome('P16', 'each transition names its true cause', counts, broken);
}

/**
 * Waits until no work is left, except work that the clock can make due at any time, and until the clock alone has made enough
 * transitions.
 */
async function settled(
  pool: Pool,
  brandId: number,
  leastTimes: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const look = async () => {
    const { rows } = await pool.query<{ waiting: number; times: number }>(
      `select (select count(*)::int from segment_news) + (select count(*)::int from record_change)
                + (select count(*)::int from segment_computation) as waiting,
              (select count(*)::int from segment_transition where brand_id = $1 and cause ->> 'type' = 'time') as times`,
      [brandId],
    );
    return rows[0]?.waiting === 0 && rows[0].times >= leastTimes;
  };
  await until('segments to be settled, and moved by the clock', look, { limitMs: settleLimitMs, everyMs: 200, signal });
}

async function failedVersions(pool: Pool, brandId: number): Promise<string[]> {
  const { rows } = await pool.query<{ code: string; state: string; reason: string | null }>(
    `select s.code, v.state, v.reason from segment_version v join segment s using (segment_id)
      where s.brand_id = $1 and v.state <> 'in_force' and v.state <> 'past'`,
    [brandId],
  );
  return rows.map(({ code, state, reason }) => `${code} is ${state}: ${reason}`);
}

async function readTransitions(pool: Pool, brandId: number): Promise<ToldTransition[]> {
  const { rows } = await pool.query<ToldTransition>(
    `select p.user_id, p.player_id, s.code, t.version, t.transition, t.at, t.cause, t.silent, a.kinds,
            m.player_id is not null and not m.protected as is_member
       from segment_transition t join segment s using (segment_id) join player p on p.player_id = t.player_id
       join segment_active a on a.segment_id = t.segment_id and a.phase = 'in_force'
       left join segment_member m on m.version_id = a.version_id and m.player_id = t.player_id
      where t.brand_id = $1 order by t.number`,
    [brandId],
  );
  return rows;
}
