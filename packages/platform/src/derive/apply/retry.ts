import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { CursorMove, Lease } from '../../buckets/index.ts';
import { transaction } from '../../database/index.ts';
import { type Bucket, type Ledger, settleProtection, takeNeverApplied } from '../../ledger/index.ts';
import type { BatchContext } from '../derivation.ts';
import { noteLeftovers } from '../erasure/leftovers.ts';
import { deleteEntries, positionName } from '../journal/index.ts';
import { type DueEvent, dueParked, postpone, retryDelay, unpark } from '../parking/index.ts';
import type { ReadableEvent, ReadingOfLedgerEvent } from '../read.ts';
import { type Arrivals, applyLive, record } from './apply.ts';
import { type BatchDeps, enterLive } from './batch.ts';
import { applyNarrowly } from './narrow.ts';
import { requestLookUpsInstead } from './protection.ts';

/**
 * Maximum number of parked events retried per round. If all of them fail again, the round takes 400 tries, which delays
 * the live feed by about one second.
 */
const maxEventsPerRound = 200;

const damagedReason = 'the ledger block that contains it cannot be read';

/** Counts of events. An event that the ledger no longer has counts as tried, but neither as applied nor as failed. */
export interface RetryCounts {
  tried: number;
  applied: number;
  failed: number;
}

/**
 * Retries parked events that are due, in one transaction that also checks the leases of their buckets. The loop that
 * applies batches calls this between two batches.
 *
 * Events are independent: one that fails again waits longer, while the others are applied. For protection updates that
 * will never be applied, it requests the look-ups that return the same information (ledger/pending-protection.ts).
 */
export async function retryParked(
  deps: BatchDeps & { ledger: Pick<Ledger, 'find'>; log: Logger },
  owned: ReadonlyMap<Bucket, Lease>,
  now: Micros,
): Promise<RetryCounts> {
  const fresh: ReadonlyMap<string, number>[] = [];
  const { due, applied, failed } = await transaction(deps.pool, async (tx) => {
    await enterLive(tx);
    const due = await dueParked(tx, [...owned.keys()], now, maxEventsPerRound);
    const { events: found, damaged } = await deps.ledger.find(
      due.map(({ position, bucket }) => ({ ...position, bucket })),
    );
    const failed = await applyAgain(tx, deps, found.map(deps.read), { now, source: Math.min(...owned.keys()) }, fresh);
    for (const position of damaged) failed.set(positionName(position), damagedReason);
    const waiting = due.filter(({ position }) => failed.has(positionName(position)));
    const over = due.filter((parked) => !waiting.includes(parked));
    await unpark(
      tx,
      over.map(({ position }) => position),
    );
    const read = new Set(found.map(({ position }) => positionName(position)));
    const isRead = ({ position }: DueEvent) => read.has(positionName(position));
    await settleProtection(tx, over.filter(isRead));
    // These events are missing from the ledger or damaged. Request the look-ups that they would have caused.
    const neverApplied = [
      ...(await settleProtection(
        tx,
        due.filter((parked) => !isRead(parked)),
      )),
      ...(await takeNeverApplied(tx, [...owned.keys()], maxEventsPerRound)),
    ];
    await requestLookUpsInstead(tx, deps.consumers, neverApplied);
    await postpone(
      tx,
      waiting.map(({ position, attempts }) => ({
        position,
        reason: failed.get(positionName(position)) ?? '',
        retry_at: now + retryDelay(attempts + 1),
      })),
    );
    await deps.leases.advance(tx, leasesOf([...due, ...neverApplied], owned));
    return { due, applied: found.length + damaged.length - failed.size, failed };
  });
  for (const players of fresh) deps.ids.remember(players);
  const counts = { tried: due.length, applied, failed: failed.size };
  if (failed.size > 0) {
    deps.log.warn({ ...counts, reason: [...failed.values()][0] }, 'parked events still cannot be applied');
  } else if (due.length > 0) deps.log.info(counts, 'parked events were applied');
  return counts;
}

/** Applies the events that can be applied. Returns the reasons of the others, by `positionName`. */
async function applyAgain(
  tx: PoolClient,
  deps: BatchDeps,
  readings: readonly ReadingOfLedgerEvent[],
  context: BatchContext,
  fresh: ReadonlyMap<string, number>[],
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  const readable: ReadableEvent[] = [];
  for (const reading of readings) {
    if (reading.ok) readable.push(reading.readable);
    else reasons.set(positionName(reading.unreadable.source.position), reading.unreadable.reason);
  }
  const { remaining, erased } = await deps.ids.withoutErased(tx, readable);
  if (erased.length > 0) {
    await noteLeftovers(tx, erased);
    await deleteEntries(
      tx,
      erased.map(({ source }) => source),
    );
  }
  const failed = await applyNarrowly(tx, remaining, async (part) => {
    const arrivals: Arrivals = { entries: [], resolved: [], oldest: [] };
    await deleteEntries(
      tx,
      part.map(({ source }) => source),
    );
    const players = await applyLive(tx, deps, part, context, arrivals);
    await record(tx, deps, arrivals, { now: context.now, source: undefined });
    fresh.push(players);
  });
  for (const { event, reason } of failed) reasons.set(positionName(event.source.position), reason);
  return reasons;
}

/** Returns moves of cursors to where they already are. The only purpose is the check that the worker still owns the bucket. */
function leasesOf(due: readonly { bucket: Bucket }[], owned: ReadonlyMap<Bucket, Lease>): CursorMove[] {
  return [...new Set(due.map(({ bucket }) => bucket))].flatMap((bucket) => {
    const lease = owned.get(bucket);
    return lease === undefined ? [] : [{ bucket, ...lease }];
  });
}
