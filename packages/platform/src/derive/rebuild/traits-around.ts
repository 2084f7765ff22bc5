import { randomUUID } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { type Ledger, type LedgerEvent, type LedgerPosition, playerHash } from '../../ledger/index.ts';
import type { DerivedEvent } from '../event.ts';
import { derivedTables, deriveState } from '../families/index.ts';
import { hasBaseline } from '../history/baseline.ts';
import { positionName } from '../journal/index.ts';
import { parkedAmong } from '../parking/index.ts';
import { readLedgerEvent } from '../read.ts';
import { readTraits, type TraitReading } from '../traits/index.ts';

/*
 * The traits of a player before and after one event. Traits are not stored, so they are derived again: the player's events that
 * were received before are applied to an invented player, in a transaction that is rolled back. Then the event is applied, too.
 * All rows belong to the invented player. So the transaction locks no row that other work needs, and its effects are never visible.
 *
 * Both readings are as of the receipt of the event, so only the event can make a difference, and not the passing of time.
 */

/** A call for a player with 500 events took 285 to 500 ms while other work kept both cores of the machine busy. */
export const mostReplayedEvents = 5_000;
const eventsPerStep = 500;

/**
 * Why there is no answer:
 *
 *   too_many_events  more than `mostReplayedEvents` of the player were received before
 *   older_days       the ledger no longer keeps all events of the player
 *   not_applied      the event is parked, or is too old
 */
export type WhyNoTraits = 'too_many_events' | 'older_days' | 'not_applied';

export interface ChangedTrait extends Pick<TraitReading, 'unit'> {
  name: string;
  before: TraitReading['value'];
  after: TraitReading['value'];
}

export async function traitsAround(
  { pool, ledger }: { pool: Pool; ledger: Pick<Ledger, 'history'> },
  brand: Brand,
  event: LedgerEvent,
  player: { player_id: number; user_id: string },
): Promise<{ changed: ChangedTrait[] } | { why: WhyNoTraits }> {
  if (await hasOlderDays(pool, player.player_id)) return { why: 'older_days' };
  const earlier = await earlierEvents(ledger, brand, event, player.user_id);
  if (earlier === null) return { why: 'too_many_events' };
  const parked = new Set(
    (
      await parkedAmong(
        pool,
        [event, ...earlier].map(({ position }) => position),
      )
    ).map(positionName),
  );
  if (parked.has(positionName(event.position))) return { why: 'not_applied' };
  const past = earlier.filter(({ position }) => !parked.has(positionName(position)));
  const client = await pool.connect();
  try {
    await client.query('begin');
    const traits = await replay(client, { brand, userId: player.user_id, past, event });
    return { changed: differences(...traits) };
  } finally {
    // A connection on which even this fails is closed.
    const failure = await client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(failure);
  }
}

/** The player's events that were received before, oldest first. Null if there are too many. */
async function earlierEvents(
  ledger: Pick<Ledger, 'history'>,
  brand: Brand,
  { position, received_at }: LedgerEvent,
  userId: string,
): Promise<LedgerEvent[] | null> {
  const { brand_id } = brand;
  const events: LedgerEvent[] = [];
  for await (const page of ledger.history({ brand_id, player_hash: playerHash(brand_id, userId), to: received_at })) {
    events.push(...page.filter((one) => one.received_at < received_at || isBefore(one.position, position)));
    if (events.length > mostReplayedEvents) return null;
  }
  return events;
}

/** Events with the same time are in the order of their positions. */
function isBefore(a: LedgerPosition, b: LedgerPosition): boolean {
  return (a.writer_id - b.writer_id || a.seq - b.seq || a.index - b.index) < 0;
}

/** True if the baseline contains rows of the player, so some of the player's events may no longer be in the ledger. */
async function hasOlderDays(pool: Pool, playerId: number): Promise<boolean> {
  if (!(await hasBaseline(pool))) return false;
  const parts = derivedTables.map(({ name }) => `exists (select from baseline.${name} where player_id = $1)`);
  const { rows } = await pool.query<{ found: boolean }>(`select ${parts.join(' or ')} as found`, [playerId]);
  return rows[0]?.found ?? false;
}

type Traits = Record<string, TraitReading>;

async function replay(
  client: PoolClient,
  { brand, userId, past, event }: { brand: Brand; userId: string; past: readonly LedgerEvent[]; event: LedgerEvent },
): Promise<[before: Traits, after: Traits]> {
  const { rows } = await client.query<{ player_id: number }>(
    'insert into player (brand_id, user_id, bucket) values ($1, $2, $3) returning player_id',
    [brand.brand_id, `replay:${randomUUID()}`, event.bucket],
  );
  const player_id = rows[0]?.player_id ?? 0;
  const now = event.received_at;
  const apply = async (events: readonly LedgerEvent[]) => {
    for (let at = 0; at < events.length; at += eventsPerStep) {
      const derived = events.slice(at, at + eventsPerStep).flatMap((one) => readAs(player_id, one, brand, userId));
      await deriveState(client, derived, { now, source: 0 });
    }
  };
  const { time_zone } = brand.settings;
  const read = (at: Micros) => readTraits(client, { player_id, time_zone }, at);
  await apply(past);
  const before = await read(now);
  await apply([event]);
  return [before, await read(now)];
}

/**
 * The event as derive reads it, but of the invented player. Empty if the event cannot be read, or belongs to another
 * player with the same hash.
 */
function readAs(player_id: number, source: LedgerEvent, brand: Brand, userId: string): DerivedEvent[] {
  const reading = readLedgerEvent(source, brand);
  if (!reading.ok || reading.readable.event.user_id !== userId) return [];
  const { event, body, flags, settings } = reading.readable;
  const { brand_id, received_at, position } = source;
  return [{ brand_id, player_id, event: event as DerivedEvent['event'], body, flags, received_at, position, settings }];
}

function differences(before: Traits, after: Traits): ChangedTrait[] {
  return Object.entries(after).flatMap(([name, { value, unit }]) => {
    const earlier = before[name]?.value ?? null;
    const isSame = JSON.stringify(earlier) === JSON.stringify(value);
    return isSame ? [] : [{ name, unit, before: earlier, after: value }];
  });
}
