import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { transaction } from '../../database/index.ts';
import type { BucketLeases, CursorMove, LedgerEvent } from '../../ledger/index.ts';
import type { JournalEntry } from '../journal/index.ts';
import { failingPlayers, type Parking, park, retryDelay } from '../parking/index.ts';
import type { ReadableEvent, ReadingOfLedgerEvent } from '../read.ts';
import { type Arrivals, applyLive, type LiveDeps, record } from './apply.ts';
import { applyNarrowly, playerOf } from './narrow.ts';

export interface BatchDeps extends LiveDeps {
  pool: Pool;
  leases: Pick<BucketLeases, 'advance'>;
  read: (event: LedgerEvent) => ReadingOfLedgerEvent;
}

/** Events of all buckets of a worker, with the cursors behind them. */
export interface Batch {
  events: readonly ReadingOfLedgerEvent[];
  moves: readonly CursorMove[];
  /** The lowest bucket that the worker owns. */
  source: number;
}

/** Shared by every batch, taken alone by a rebuild that swaps: so it swaps at a border between batches. */
const swapLock = 0x73_77_61;

/**
 * Makes the transaction one that works on live state. Every derived table is named without its schema, so that a rebuild
 * can run the same statements elsewhere.
 */
export async function enterLive(tx: PoolClient): Promise<void> {
  await tx.query(`set local search_path = live, public; select pg_advisory_xact_lock_shared(${swapLock})`);
}

export async function enterLiveAlone(tx: PoolClient): Promise<void> {
  await tx.query(`set local search_path = live, public; select pg_advisory_xact_lock(${swapLock})`);
}

/**
 * Applies a batch in ONE transaction: state, parking, journal, statistics, what the following stages write, and the
 * cursors, whose move checks that the worker still owns every bucket (design.md 2.2). Nothing of it is there, or all.
 *
 * @param how `whole` for the usual batch; `narrowly` after it failed by its content
 */
export async function commitBatch(
  deps: BatchDeps,
  batch: Batch,
  how: 'whole' | 'narrowly',
  now: Micros,
): Promise<{ parked: number }> {
  const fresh: ReadonlyMap<string, number>[] = [];
  const parked = await transaction(deps.pool, async (tx) => {
    fresh.length = 0;
    await enterLive(tx);
    const failing = await failingPlayers(
      tx,
      batch.moves.map((move) => move.bucket),
    );
    const { readable, parkings } = sortOut(batch.events, failing);
    const arrivals: Arrivals = { entries: parkings.map(entryOfParked), resolved: [] };
    const apply = async (part: readonly ReadableEvent[]) => {
      fresh.push(await applyLive(tx, deps, part, now, arrivals));
    };
    if (how === 'whole') {
      if (readable.length > 0) await apply(readable);
    } else {
      for (const { events, reason } of await applyNarrowly(tx, readable, apply)) {
        for (const event of events) {
          parkings.push(failed(event, reason));
          arrivals.entries.push(entryOfParked(failed(event, reason)));
        }
      }
    }
    await park(tx, parkings, now, now + retryDelay(0));
    await record(tx, deps, arrivals, batch.source);
    await deps.leases.advance(tx, batch.moves);
    return parkings.length;
  });
  for (const players of fresh) deps.ids.remember(players);
  return { parked };
}

/** Which events can be tried, and which are parked at once: unreadable ones, and those behind parked ones of their player. */
function sortOut(
  readings: readonly ReadingOfLedgerEvent[],
  failing: ReadonlySet<string>,
): { readable: ReadableEvent[]; parkings: Parking[] } {
  const readable: ReadableEvent[] = [];
  const parkings: Parking[] = [];
  for (const reading of readings) {
    if (!reading.ok) parkings.push({ ...reading.unreadable, cause: 'unreadable', user_id: null });
    else if (failing.has(playerOf(reading.readable))) parkings.push(failed(reading.readable, 'queued'));
    else readable.push(reading.readable);
  }
  return { readable, parkings };
}

function failed({ source, event }: ReadableEvent, reason: string): Parking {
  return { source, cause: 'failing', reason, user_id: event.user_id };
}

function entryOfParked({ source, cause }: Parking): JournalEntry {
  const { received_at, brand_id, kind, position } = source;
  const verdict = cause === 'failing' ? 'parked' : 'unreadable';
  return { received_at, brand_id, player_id: null, at: null, kind, verdict, flags: [], position };
}
