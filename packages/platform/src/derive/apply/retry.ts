import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { CursorMove, Lease } from '../../buckets/index.ts';
import { transaction } from '../../database/index.ts';
import { type Bucket, type Ledger, settleProtection, takeNeverApplied } from '../../ledger/index.ts';
import type { BatchContext } from '../derivation.ts';
import { deleteEntries, positionName } from '../journal/index.ts';
import { type DueEvent, dueParked, postpone, retryDelay, unpark } from '../parking/index.ts';
import type { ReadableEvent, ReadingOfLedgerEvent } from '../read.ts';
import { type Arrivals, applyLive, record } from './apply.ts';
import { type BatchDeps, enterLive } from './batch.ts';
import { applyNarrowly } from './narrow.ts';
import { askInstead } from './protection.ts';

/** Parked events tried in one round. When every one still fails this is 400 tries, about a second of the live feed's time. */
const maxEventsPerRound = 200;

const damagedReason = 'the block of the ledger that holds it cannot be read';

/** Events, all of them. What the ledger no longer keeps is tried, and neither applied nor failed. */
export interface RetryCounts {
  tried: number;
  applied: number;
  failed: number;
}

/**
 * Tries parked events that are due, in one transaction that also checks the leases of their buckets. To be called by the
 * loop that applies batches, between two of them.
 *
 * Each event stands for itself: one that fails again waits longer, those beside it are applied. For updates of protection that will never be
 * applied, the look-ups are asked for that would tell the same (ledger/pending-protection.ts).
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
    // Gone from the ledger, or damaged: what they would have asked for is asked now.
    const neverApplied = [
      ...(await settleProtection(
        tx,
        due.filter((parked) => !isRead(parked)),
      )),
      ...(await takeNeverApplied(tx, [...owned.keys()], maxEventsPerRound)),
    ];
    await askInstead(tx, deps.consumers, neverApplied);
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

/** Applies what can be applied; returns why the others cannot, by `positionName`. */
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
  const failed = await applyNarrowly(tx, readable, async (part) => {
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

/** The cursors stay where they are: moving them checks that the worker still owns the buckets. */
function leasesOf(due: readonly { bucket: Bucket }[], owned: ReadonlyMap<Bucket, Lease>): CursorMove[] {
  return [...new Set(due.map(({ bucket }) => bucket))].flatMap((bucket) => {
    const lease = owned.get(bucket);
    return lease === undefined ? [] : [{ bucket, ...lease }];
  });
}
