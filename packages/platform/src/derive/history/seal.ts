import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { storedCursors } from '../../buckets/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { Bucket, Cursor, Day, ErasureKeys, Ledger, LedgerEvent, LedgerHistory } from '../../ledger/index.ts';
import { applyState } from '../apply/apply.ts';
import { failureOf, reasonOf } from '../apply/failure.ts';
import { positionName } from '../journal/index.ts';
import { parkedAmong } from '../parking/index.ts';
import { PlayerIds } from '../players/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../read.ts';
import { ensureBaseline } from './baseline.ts';
import { enterStep } from './step.ts';
import * as store from './store.ts';

/*
 * The end of a ledger day:
 *
 *   (packed) --> sealing --> sealed --> dropped
 *                  |  ^
 *                  v  |  tried again in the next round
 *                  held
 *
 * Sealing applies the day's events to the baseline, with the code that applied them to the live state. It stores no
 * progress, because events applied twice change nothing. If sealing a day was interrupted, or the day was held, all of
 * it is sealed again. A rebuild that copies a half-sealed baseline and replays the whole day gets the same result.
 *
 * A day is held, with the reason, if one of its events is not part of the live state (parked, or not derived yet) or cannot be
 * applied to the baseline. Dropping the day would lose the event permanently. Too-old events do not hold a
 * day. They can be imported until the sealing of their day begins. After that, they lapse.
 */

export interface SealDeps {
  pool: Pool;
  ledger: Pick<Ledger, 'beginning' | 'covers'>;
  history: Pick<LedgerHistory, 'readDay'>;
  brands: ErasureKeys & { byId(brandId: number): Brand | undefined };
  clock: Clock;
  /** Called between two steps. It waits, so that the live pipeline can use the database. It throws an error if the work must stop. */
  pause: () => Promise<void>;
}

export type SealOutcome = { outcome: 'sealed'; events: number } | { outcome: 'held'; reason: string };

/** The number of events applied in one transaction. It takes half a second, and its locks are on rows that no other process writes. */
const eventsPerStep = 1_000;

class Held extends Error {}

export async function sealDay(deps: SealDeps, day: Day): Promise<SealOutcome> {
  const { pool, ledger, history, clock, pause } = deps;
  await ensureBaseline(pool);
  await store.noteDay(pool, day, { state: 'sealing', at: clock() });
  const ids = new PlayerIds(deps.brands);
  const cursors = await storedCursors(pool, ledger.beginning);
  let events = 0;
  try {
    for await (const page of history.readDay(day)) {
      for (let from = 0; from < page.length; from += eventsPerStep) {
        await sealStep(deps, day, page.slice(from, from + eventsPerStep), cursors, ids);
        await pause();
      }
      events += page.length;
    }
  } catch (error) {
    const reason = error instanceof Held ? error.message : contentReason(error);
    if (reason === undefined) throw error;
    await store.holdDay(pool, day, reason, clock());
    return { outcome: 'held', reason };
  }
  await store.noteDay(pool, day, { state: 'sealed', at: clock(), events });
  return { outcome: 'sealed', events };
}

async function sealStep(
  { pool, ledger, brands, clock }: SealDeps,
  day: Day,
  events: readonly LedgerEvent[],
  cursors: ReadonlyMap<Bucket, Cursor>,
  ids: PlayerIds,
): Promise<void> {
  for (const { bucket, position } of events) {
    const cursor = cursors.get(bucket);
    if (cursor === undefined || !ledger.covers(cursor, position))
      throw new Held('some of its events are not derived yet');
  }
  const fresh = await transaction(pool, async (tx) => {
    await enterStep(tx);
    // The commit does not wait for the disk. The day is marked as sealed only afterwards, so events that a crash loses are applied
    // again.
    await tx.query('set local search_path = baseline, public; set local synchronous_commit = off');
    const readable = (await withoutLapsing(tx, day, events)).map((event) => readAgain(event, brands));
    const { remaining } = await ids.withoutErased(tx, readable);
    return (await applyState(tx, ids, remaining, { now: clock(), source: 0 })).fresh;
  });
  ids.remember(fresh);
}

/**
 * Leaves out too-old events, which cannot be imported from now on. The locks on their rows block an import in the
 * meantime.
 */
async function withoutLapsing(
  tx: PoolClient,
  day: Day,
  events: readonly LedgerEvent[],
): Promise<readonly LedgerEvent[]> {
  const positions = events.map(({ position }) => position);
  const lapsing = new Set((await store.lapse(tx, day, positions)).map(positionName));
  const parked = (await parkedAmong(tx, positions)).filter((position) => !lapsing.has(positionName(position)));
  if (parked.length > 0) throw new Held('some of its events are parked because they cannot currently be applied');
  return events.filter(({ position }) => !lapsing.has(positionName(position)));
}

function readAgain(event: LedgerEvent, brands: SealDeps['brands']): ReadableEvent {
  const reading = readLedgerEvent(event, brands.byId(event.brand_id));
  if (!reading.ok) throw new Held(`one of its events can no longer be read: ${reading.unreadable.reason}`);
  return reading.readable;
}

function contentReason(error: unknown): string | undefined {
  return failureOf(error) === 'content' && isOfDatabase(error)
    ? `one of its events cannot be applied: ${reasonOf(error)}`
    : undefined;
}

/** True for an error code of the server. A bug in this code, or the stop of the process, does not hold a day. */
function isOfDatabase(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}
