import { randomBytes } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { applyIntentEvents } from '../actions/index.ts';
import { playerChannels, type SignalSender, type SiteSignal, writeSignals } from '../channels/index.ts';
import { transaction } from '../database/index.ts';
import { enterLiveAlone } from '../derive/index.ts';
import type { Words } from '../language.ts';
import { eraseTables } from './erase-tables.ts';
import { bury, type ClaimedErasure, lockWaiting } from './erasure-store.ts';
import { heldBecause, readObstacles } from './obstacles.ts';
import { openAgainMs, type StepResult } from './steps.ts';
import type { Subject } from './subject.ts';

/** For this long, 30 days, events of an erased user_id are ignored (docs/reference/design.md 7). */
const lateFor: Micros = 30 * 86_400_000_000;

/** Tables whose rows are pending work for the player. A worker may process such a row at any moment. */
const waitingRows = ['public.parked_event', 'public.player_sync', 'public.write_back', 'public.gate_hold'];

/**
 * Makes the player unknown, from the commit of one transaction on. This transaction excludes all batches of events. So no batch that knows
 * the player is in progress at the commit, and each later batch sees the list of erased players.
 *
 * Batches of every brand wait for its lock. So the obstacles are first read without the lock. They are read again under the
 * lock, and only that result counts.
 */
export async function closePlayer(
  { pool, signals }: { pool: Pool; signals?: Pick<SignalSender, 'poke'> | undefined },
  erasure: ClaimedErasure,
  subject: Subject,
  at: Micros,
): Promise<StepResult> {
  const open = heldBecause(await readObstacles(pool, erasure.player_id), erasure.forced);
  if (open !== undefined) return held(open, erasure);
  let written: readonly SiteSignal[] = [];
  const result = await transaction(pool, async (tx): Promise<StepResult> => {
    await enterLiveAlone(tx);
    // A person may have cancelled the erasure while this transaction waited for the lock. A person who cancels from now on
    // waits for this transaction, and learns that the erasure has started.
    const waiting = await lockWaiting(tx, erasure);
    if (waiting === undefined) return 'not_ours';
    const obstacles = await readObstacles(tx, erasure.player_id);
    const opened = heldBecause(obstacles, waiting.forced);
    if (opened !== undefined) return held(opened, erasure);
    await endIntents(tx, obstacles, at);
    // This comes before the tombstone. It waits for a device that is being subscribed. A later subscription finds that the
    // player does not exist.
    await playerChannels.forget(tx, [subject.player_id], at);
    const counts = await eraseTables(tx, subject, (table) => waitingRows.includes(table));
    // Random, so that no event can ever refer to a tombstone.
    const name = `erased:${erasure.player_id}:${randomBytes(12).toString('hex')}`;
    await bury(tx, erasure, { name, at, until: at + lateFor });
    // The tombstone refuses calls, but open sockets must be notified.
    const { brand_id, player_id } = subject;
    written = await writeSignals(tx, [{ brand_id, player_id, kind: 'session_ended', message_id: null }]);
    return { next: 'ledger', counts };
  });
  signals?.poke(written);
  return result;
}

const held = (held_because: Words, { tries }: ClaimedErasure): StepResult => ({
  held_because,
  again_in_ms: openAgainMs(tries),
});

async function endIntents(
  tx: PoolClient,
  { waiting, unknown }: { waiting: readonly string[]; unknown: readonly string[] },
  at: Micros,
): Promise<void> {
  const ended = [
    ...waiting.map((intent_id) => ({ intent_id, event: { type: 'cancelled' } as const })),
    ...unknown.map((intent_id) => ({ intent_id, event: { type: 'person', verdict: 'give_up' } as const })),
  ];
  await applyIntentEvents(tx, ended, { at, actor: 'erasure', note: 'erased' });
}
