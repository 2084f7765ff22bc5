import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { BucketLeases, CursorMove } from '../../buckets/index.ts';
import { awaitAll, transaction } from '../../database/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { noteLeftovers } from '../erasure/leftovers.ts';
import { separateTooOld } from '../history/late.ts';
import { rememberBeginning } from '../history/removal.ts';
import type { JournalEntry } from '../journal/index.ts';
import { type Parking, park, retryDelay } from '../parking/index.ts';
import type { ReadableEvent, ReadingOfLedgerEvent } from '../read.ts';
import { type Arrivals, applyLive, type LiveDeps, record } from './apply.ts';
import { applyNarrowly } from './narrow.ts';
import { announceTooOld, settleEvents } from './protection.ts';
import type { Suspects } from './suspects.ts';

export interface BatchDeps extends LiveDeps {
  pool: Pool;
  leases: Pick<BucketLeases, 'advance'>;
  suspects: Suspects;
  read: (event: LedgerEvent) => ReadingOfLedgerEvent;
}

/** Events of all buckets of a worker, and the cursors of these buckets after the events. */
export interface Batch {
  events: readonly ReadingOfLedgerEvent[];
  moves: readonly CursorMove[];
  /** The lowest bucket that the worker owns. */
  source: number;
}

/**
 * Every batch takes this lock shared. A rebuild takes it exclusively while it replaces live rows, so rows are only replaced between two
 * batches.
 */
export const swapLock = 0x73_77_61;

/**
 * Makes the transaction work on the live state. Statements name derived tables without a schema, so that a rebuild can
 * run the same statements in its own schema.
 */
export async function enterLive(tx: PoolClient): Promise<void> {
  await tx.query(
    `set local search_path = live, public; select pg_advisory_xact_lock_shared(${swapLock}), ${rememberBeginning}`,
  );
}

export async function enterLiveAlone(tx: PoolClient): Promise<void> {
  await tx.query(`set local search_path = live, public; select pg_advisory_xact_lock(${swapLock})`);
}

/**
 * Applies a batch in ONE transaction: state, parking, journal, statistics, what the following stages write, and the
 * cursors (docs/reference/design.md 2.2). Moving the cursors checks that the worker still owns every bucket. Either all
 * of it is committed or none.
 *
 * Events that cannot be applied are isolated inside that transaction, never in a second one: if the first transaction
 * ends in an error, it is unknown whether its commit succeeded.
 */
export async function commitBatch(deps: BatchDeps, batch: Batch, now: Micros): Promise<{ parked: readonly Parking[] }> {
  const readable = batch.events.flatMap((reading) => (reading.ok ? [reading.readable] : []));
  const unreadable = batch.events.flatMap((reading) => (reading.ok ? [] : [reading.unreadable]));
  const { parked, failed, fresh, recent } = await transaction(deps.pool, async (tx) => {
    const [, { remaining, erased }, { remaining: strange, erased: erasedStrange }] = await awaitAll([
      enterLive(tx),
      deps.ids.withoutErased(tx, readable),
      deps.ids.withoutErased(tx, unreadable),
    ]);
    await noteLeftovers(tx, [...erased, ...erasedStrange]);
    const { recent, tooOld } = await separateTooOld(tx, remaining);
    await announceTooOld(tx, deps.consumers, tooOld);
    const [others, suspects] = deps.suspects.separate(recent);
    const fresh: ReadonlyMap<string, number>[] = [];
    const arrivals: Arrivals = { entries: [], resolved: [], oldest: [] };
    const apply = async (part: readonly ReadableEvent[]) => {
      fresh.push(await applyLive(tx, deps, part, { now, source: batch.source }, arrivals));
    };
    const failed = [...(await applyNarrowly(tx, others, apply)), ...(await applyNarrowly(tx, suspects, apply))];
    const parked = [
      ...strange.map((event): Parking => ({ ...event, cause: 'unreadable', user_id: null, at: null })),
      ...failed.map(({ event, reason }) => parkingOf(event, 'failing', reason)),
    ];
    await park(tx, parked, now, now + retryDelay(0));
    const old = tooOld.map((event) => parkingOf(event, 'too_old', ''));
    await park(tx, old, now, null);
    arrivals.entries.push(...[...parked, ...old].map(entryOfParked));
    await awaitAll([
      settleEvents(
        tx,
        batch.events.map((reading) => (reading.ok ? reading.readable : reading.unreadable)),
        parked,
      ),
      record(tx, deps, arrivals, { now, source: batch.source }),
      deps.leases.advance(tx, batch.moves),
    ]);
    return { parked, failed, fresh, recent };
  });
  for (const players of fresh) deps.ids.remember(players);
  deps.suspects.recordAnswer(
    recent,
    failed.map(({ event }) => event),
  );
  return { parked };
}

function parkingOf({ source, event }: ReadableEvent, cause: Parking['cause'], reason: string): Parking {
  return { source, reason, cause, user_id: event.user_id, at: event.timestamp };
}

function entryOfParked({ source, cause, at }: Parking): JournalEntry {
  const { received_at, brand_id, kind, position } = source;
  const verdict = cause === 'failing' ? 'parked' : cause;
  return {
    received_at,
    brand_id,
    kind,
    verdict,
    position,
    player_id: null,
    at: cause === 'too_old' ? at : null,
    flags: [],
  };
}
