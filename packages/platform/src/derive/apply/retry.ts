import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { transaction } from '../../database/index.ts';
import type { Bucket, Lease, Ledger } from '../../ledger/index.ts';
import { deleteEntries } from '../journal/index.ts';
import { dueParked, type Parked, parkedPositions, postpone, retryDelay, unpark } from '../parking/index.ts';
import type { ReadableEvent } from '../read.ts';
import { type Arrivals, applyLive, record } from './apply.ts';
import { type BatchDeps, enterLive } from './batch.ts';
import { attempt } from './narrow.ts';

/** Parked players tried in one round, and events of one player tried together: a round must not hold up the live feed. */
const maxPlayersPerRound = 20;
const maxEventsPerTry = 1_000;

/** What a retry came to for one player: all or some events applied, or none with the reason. */
export interface RetryCounts {
  tried: number;
  applied: number;
  failed: number;
}

/**
 * Tries parked events that are due, player by player, each in a transaction that also checks the lease of its bucket. To
 * be called by the loop that applies batches, between two of them.
 *
 * A player's events are applied together, oldest first, all or none: when one still fails, the rest goes on waiting
 * behind it. Events of other players are never held up by that.
 */
export async function retryParked(
  deps: BatchDeps & { ledger: Pick<Ledger, 'at'>; log: Logger },
  owned: ReadonlyMap<Bucket, Lease>,
  now: Micros,
): Promise<RetryCounts> {
  const counts: RetryCounts = { tried: 0, applied: 0, failed: 0 };
  for (const parked of await dueParked(deps.pool, [...owned.keys()], now, maxPlayersPerRound)) {
    const lease = owned.get(parked.bucket);
    if (lease === undefined) continue;
    counts.tried += 1;
    const { applied, reason } = await retryOne(deps, parked, lease, now);
    counts.applied += applied;
    if (reason !== undefined) counts.failed += 1;
    const { brand_id, cause, attempts } = parked;
    if (reason === undefined) deps.log.info({ brand_id, cause, applied }, 'parked events were applied');
    else deps.log.warn({ brand_id, cause, attempts, reason }, 'parked events still cannot be applied');
  }
  return counts;
}

async function retryOne(
  deps: BatchDeps & { ledger: Pick<Ledger, 'at'> },
  parked: Parked,
  lease: Lease,
  now: Micros,
): Promise<{ applied: number; reason?: string }> {
  let fresh: ReadonlyMap<string, number> = new Map();
  const result = await transaction(deps.pool, async (tx) => {
    await enterLive(tx);
    const positions = await parkedPositions(tx, parked, maxEventsPerTry);
    const sources = await deps.ledger.at(positions);
    const readable: ReadableEvent[] = [];
    let unreadable: string | undefined;
    for (const source of sources) {
      const reading = deps.read(source);
      if (reading.ok) readable.push(reading.readable);
      else unreadable = reading.unreadable.reason;
    }
    const taken = readable.map(({ source }) => source);
    const reason = await attempt(tx, async () => {
      const arrivals: Arrivals = { entries: [], resolved: [] };
      await deleteEntries(tx, taken);
      if (readable.length > 0) fresh = await applyLive(tx, deps, readable, now, arrivals);
      await record(tx, deps, arrivals, undefined);
    });
    if (reason === undefined) await settle(tx, parked, positions, sources, taken, unreadable, now);
    else await postponeAfter(tx, parked, reason, now);
    await deps.leases.advance(tx, [{ bucket: parked.bucket, ...lease }]);
    const left = reason ?? unreadable;
    return { applied: reason === undefined ? taken.length : 0, ...(left !== undefined && { reason: left }) };
  });
  if (result.applied > 0) deps.ids.remember(fresh);
  return result;
}

type Placed = { position: { writer_id: number; seq: number; index: number } };

/** Takes out what was applied, and what the ledger no longer keeps; the rest is tried later. */
async function settle(
  tx: PoolClient,
  parked: Parked,
  positions: readonly Placed['position'][],
  sources: readonly Placed[],
  taken: readonly Placed[],
  unreadable: string | undefined,
  now: Micros,
): Promise<void> {
  const name = ({ position }: Placed) => `${position.writer_id}:${position.seq}:${position.index}`;
  const kept = new Set(sources.map(name));
  const gone = positions.filter((position) => !kept.has(name({ position })));
  const isEmpty = await unpark(tx, parked, [...taken.map((event) => event.position), ...gone]);
  if (isEmpty) return;
  if (unreadable === undefined) await postpone(tx, parked, { attempts: parked.attempts, retryAt: now });
  else await postponeAfter(tx, parked, unreadable, now);
}

async function postponeAfter(tx: PoolClient, parked: Parked, reason: string, now: Micros): Promise<void> {
  const attempts = parked.attempts + 1;
  await postpone(tx, parked, { attempts, retryAt: now + retryDelay(attempts), reason });
}
