import { randomBytes } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { applyIntentEvent } from '../actions/index.ts';
import { transaction } from '../database/index.ts';
import { enterLiveAlone } from '../derive/index.ts';
import { eraseTables } from './erase-tables.ts';
import { bury, type ClaimedErasure } from './erasure-store.ts';
import { heldBecause, readObstacles } from './obstacles.ts';
import { askAgainMs, type StepResult } from './steps.ts';
import type { Subject } from './subject.ts';

/** So long nothing is taken of an erased user_id (design.md 7). */
const lateFor: Micros = 30 * 86_400_000_000;

/** What waits for the player, and would be taken up by somebody at any moment. */
const waitingRows = ['public.parked_event', 'public.player_sync', 'public.write_back', 'public.gate_hold'];

/**
 * From the commit on the player is known to nobody: batches of events were shut out while it was made, so none that knows the player is
 * half done, and each that follows sees the list of erased players.
 */
export function closePlayer(pool: Pool, erasure: ClaimedErasure, subject: Subject, at: Micros): Promise<StepResult> {
  return transaction(pool, async (tx): Promise<StepResult> => {
    await enterLiveAlone(tx);
    const obstacles = await readObstacles(tx, erasure.player_id);
    const held = heldBecause(obstacles, erasure.forced);
    if (held !== undefined) return { held_because: held, again_in_ms: askAgainMs.open };
    await endIntents(tx, obstacles, at);
    const counts = await eraseTables(tx, subject, (table) => waitingRows.includes(table));
    // Random, so that no event can ever name a tombstone.
    const name = `erased:${erasure.player_id}:${randomBytes(12).toString('hex')}`;
    await bury(tx, erasure, { name, at, until: at + lateFor });
    return { next: 'ledger', counts };
  });
}

async function endIntents(
  tx: PoolClient,
  { waiting, unknown }: { waiting: readonly string[]; unknown: readonly string[] },
  at: Micros,
): Promise<void> {
  const by = { at, actor: 'erasure', note: 'erased' };
  for (const id of [...waiting, ...unknown].sort()) {
    const event = waiting.includes(id)
      ? ({ type: 'cancelled' } as const)
      : ({ type: 'person', verdict: 'give_up' } as const);
    await applyIntentEvent(tx, id, event, by);
  }
}
