import type { EventKind, Micros, PlatformEvent } from '@croupier/contracts';
import type { ClientBase, PoolClient } from 'pg';
import { awaitAll } from '../../database/index.ts';
import type { DeriveConsumer } from '../consumer.ts';
import type { BatchContext, Outcome } from '../derivation.ts';
import type { DerivedEvent } from '../event.ts';
import { deriveShared, deriveState } from '../families/index.ts';
import { addMinutes, type FeedEvent, feedMinutes } from '../feed/index.ts';
import { noteLate, type OldestTouched } from '../history/late.ts';
import { insertEntries, type JournalEntry, journalKept } from '../journal/index.ts';
import { type PlayerIds, playerName } from '../players/index.ts';
import type { ReadableEvent } from '../read.ts';
import type { Verdict } from '../verdict.ts';

export interface Applied {
  events: readonly DerivedEvent[];
  outcome: Outcome;
  /** Players seen for the first time. The caller passes them to `PlayerIds.remember` after the commit. */
  fresh: ReadonlyMap<string, number>;
}

/**
 * Applies the part of a batch that a rebuild repeats: players, facts and totals.
 *
 * @param events must not contain events of erased players (see `PlayerIds.withoutErased`)
 */
export async function applyState(
  tx: ClientBase,
  ids: PlayerIds,
  events: readonly ReadableEvent[],
  context: BatchContext,
): Promise<Applied> {
  const applied = await applyToPlayers(tx, ids, events, context);
  await deriveShared(tx, applied.events, context);
  return applied;
}

async function applyToPlayers(
  tx: ClientBase,
  ids: PlayerIds,
  events: readonly ReadableEvent[],
  context: BatchContext,
): Promise<Applied> {
  const keys = events.map(({ source, event }) => ({
    brand_id: source.brand_id,
    user_id: event.user_id,
    bucket: source.bucket,
  }));
  const { ids: known, fresh } = await ids.resolve(tx, keys);
  const derived = events.map((readable) => derivedEvent(readable, known));
  return { events: derived, outcome: await deriveState(tx, derived, context), fresh };
}

function derivedEvent(readable: ReadableEvent, ids: ReadonlyMap<string, number>): DerivedEvent {
  const { source, event, body, flags, settings } = readable;
  const { brand_id, received_at, position } = source;
  const player_id = ids.get(playerName(brand_id, event.user_id));
  if (player_id === undefined) throw new Error('a player of the batch has no number');
  return { brand_id, player_id, event: event as DerivedEvent['event'], body, flags, received_at, position, settings };
}

export interface LiveDeps {
  ids: PlayerIds;
  consumers: readonly DeriveConsumer[];
  /** The brand's `trigger_age`, in microseconds. */
  triggerAge: (brandId: number) => Micros;
}

/** What a batch records besides its state. It is written once for the whole batch. */
export interface Arrivals {
  entries: JournalEntry[];
  resolved: { brand_id: number; kind: EventKind; orphans: number }[];
  /** The oldest fact or event that the batch touched, per player. */
  oldest: OldestTouched[];
}

/**
 * Applies readable events to the live state and passes them to the following stages, in the caller's transaction. Adds
 * what is to be recorded about their arrival to `arrivals`, but only if everything succeeded.
 */
export async function applyLive(
  tx: PoolClient,
  deps: LiveDeps,
  events: readonly ReadableEvent[],
  context: BatchContext,
  arrivals: Arrivals,
): Promise<Applied['fresh']> {
  const { events: derived, outcome, fresh } = await applyToPlayers(tx, deps.ids, events, context);
  const verdictOf = (event: DerivedEvent): Verdict => outcome.verdicts.get(event) ?? 'applied';
  const applied = derived.map((source) => {
    const { player_id, brand_id, received_at, position } = source;
    const event: PlatformEvent = source.event;
    return { player_id, brand_id, user_id: event.user_id, event, received_at, verdict: verdictOf(source), position };
  });
  await awaitAll([
    ...deps.consumers.map((consumer) => consumer.onBatch(tx, { applied })),
    // The last of these statements. They are sent together to save a round trip.
    deriveShared(tx, derived, context),
  ]);
  for (const event of derived) arrivals.entries.push(entryOf(event, verdictOf(event)));
  arrivals.resolved.push(...(outcome.resolved ?? []));
  for (const { player_id, event, received_at } of derived) {
    const at = Math.min(event.timestamp, outcome.oldest?.get(player_id) ?? event.timestamp);
    arrivals.oldest.push({ player_id, received_at, at });
  }
  return fresh;
}

function entryOf(source: DerivedEvent, verdict: Verdict): JournalEntry {
  const { received_at, brand_id, player_id, event, flags, position } = source;
  return { received_at, brand_id, player_id, at: event.timestamp, kind: event.kind, verdict, flags, position };
}

/**
 * Writes the journal and the statistics of a batch. It runs last in the transaction, because all players share the rows
 * of the statistics and the locks on them last until the commit.
 *
 * @param batch.source the lowest bucket that the worker owns; undefined skips the statistics (parked events were
 *   counted when they arrived)
 */
export async function record(
  tx: ClientBase,
  deps: Pick<LiveDeps, 'triggerAge'>,
  { entries, resolved, oldest }: Arrivals,
  { now, source }: { now: Micros; source: number | undefined },
): Promise<void> {
  const events: readonly FeedEvent[] = entries;
  await awaitAll([
    noteLate(tx, oldest),
    // Skips events older than the journal's retention: their partitions are dropped, or about to be.
    insertEntries(
      tx,
      entries.filter(({ received_at }) => received_at > now - journalKept),
    ),
    source === undefined ? undefined : addMinutes(tx, source, feedMinutes(events, resolved, deps.triggerAge)),
  ]);
}
