import { changesProtection } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { type SettledRow, settleProtection } from '../../ledger/index.ts';
import type { DeriveConsumer } from '../consumer.ts';
import { findPlayers, playersByHash } from '../players/store.ts';
import type { ReadableEvent } from '../read.ts';

/**
 * Handles protection updates that are older than the history. They have no effect on facts until a person imports them.
 * But the operator did report a change, so the following stages look up the player's current state. An unknown player
 * needs no look-up: the first event that is applied requests all of them.
 */
export async function announceTooOld(
  tx: PoolClient,
  consumers: readonly DeriveConsumer[],
  tooOld: readonly ReadableEvent[],
): Promise<void> {
  const updates = tooOld.filter(({ source }) => changesProtection(source.kind));
  if (updates.length === 0) return;
  const keys = updates.map(({ source, event }) => ({ brand_id: source.brand_id, user_id: event.user_id }));
  const known = await findPlayers(tx, keys);
  const found = updates.flatMap(({ source: { brand_id, kind }, event }) => {
    const player_id = known.get(`${brand_id}:${event.user_id}`);
    return player_id === undefined ? [] : [{ player_id, brand_id, kind }];
  });
  for (const consumer of consumers) await consumer.onTooOld?.(tx, found);
}

/**
 * Requests look-ups in place of events that will never be applied, so that the following stages fetch the current state
 * of their players.
 *
 * @param rows the rows that this transaction deleted
 */
export async function requestLookUpsInstead(
  tx: PoolClient,
  consumers: readonly DeriveConsumer[],
  rows: readonly SettledRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const named = rows.flatMap(({ brand_id, user_id }) =>
    brand_id === null || user_id === null ? [] : [{ brand_id, user_id }],
  );
  const found = new Map(
    await playersByHash(
      tx,
      rows.filter(({ user_id }) => user_id === null),
    ),
  );
  for (const [name, player_id] of await findPlayers(tx, named)) found.set(player_id, Number.parseInt(name, 10));
  // What the event was about is not always known, so this requests all look-ups.
  const updates = [...found].map(([player_id, brand_id]) => ({ player_id, brand_id, kind: 'user_update' as const }));
  for (const consumer of consumers) await consumer.onTooOld?.(tx, updates);
}

/**
 * Marks events as settled, so that the gate stops waiting for them: they are applied, or they will never be applied. Parked events are left
 * out, because the gate still waits for them.
 */
export async function settleEvents(
  tx: PoolClient,
  events: readonly Pick<ReadableEvent, 'source'>[],
  parked: readonly Pick<ReadableEvent, 'source'>[],
): Promise<void> {
  const waiting = new Set(parked.map(({ source }) => source));
  await settleProtection(
    tx,
    events.flatMap(({ source }) => (waiting.has(source) ? [] : [source])),
  );
}
