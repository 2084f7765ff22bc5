import type { ConsentType } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { changeConsents, lockConsents, standingWithdrawals } from '../../operator/index.ts';
import { type Receipt, receiptMicros } from '../links/receipts.ts';
import type { LinkHolder } from '../links/unsubscribe-links.ts';
import { withdrawalOf } from './channels.ts';
import { insertUnsubscription, lastUnsubscription, markUndone, playerIsThere } from './store.ts';

/*
 * What a press does, each in one transaction: when it resolves, the change is durable, counts in the very next decision of
 * the gate, and is on its way to the operator. When it throws, nothing was changed.
 *
 *      on, unknown --stop--> off --undo within the hour, nothing newer in between--> on, for what was on
 *                             |
 *                             '--stop again--> off: the same answer, nothing is written
 */
interface ChangeDeps {
  pool: Pool;
  clock: Clock;
}

export type Stopped =
  | { outcome: 'stopped'; receipt: Receipt }
  /** All of it was off before, and by no press of the last hour. */
  | { outcome: 'off_already' }
  | { outcome: 'gone' };

export async function stopChannels(
  { pool, clock }: ChangeDeps,
  holder: LinkHolder,
  asked: { channel: ConsentType | 'all'; way: 'page' | 'one_click' },
): Promise<Stopped> {
  return transaction(pool, async (tx) => {
    if (!(await playerIsThere(tx, holder))) return { outcome: 'gone' };
    const { brand_id, player_id, channel } = holder;
    const withdrawal = withdrawalOf(await lockConsents(tx, holder), asked.channel);
    const at = clock();
    if (withdrawal.stopped.length === 0) {
      // Pressed twice: the second press must not take away the undo of the first.
      const last = await lastUnsubscription(tx, player_id, at - receiptMicros);
      const same = last !== null && (asked.channel === 'all' || last.stopped.includes(asked.channel));
      return same ? { outcome: 'stopped', receipt: last } : { outcome: 'off_already' };
    }
    const changes = withdrawal.stopped.map((type) => ({ type, opted_in: false }));
    const { change_id } = await changeConsents(tx, { brand_id, player_id, changes, source: 'unsubscribe', at });
    const receipt = { brand_id, player_id, change_id, at, ...withdrawal };
    await insertUnsubscription(tx, { ...receipt, channel, way: asked.way });
    return { outcome: 'stopped', receipt };
  });
}

/** Brings back what the receipt allows and nothing newer has decided. @returns what is on again; none: it is too late. */
export async function undoStop({ pool, clock }: ChangeDeps, receipt: Receipt): Promise<ConsentType[]> {
  const { brand_id, player_id, change_id } = receipt;
  return transaction(pool, async (tx) => {
    if (!(await playerIsThere(tx, receipt))) return [];
    await lockConsents(tx, receipt);
    const standing = await standingWithdrawals(tx, player_id, change_id);
    const restored = receipt.restorable.filter((type) => standing.includes(type));
    if (restored.length === 0) return [];
    const changes = restored.map((type) => ({ type, opted_in: true }));
    const at = clock();
    await changeConsents(tx, { brand_id, player_id, changes, source: 'unsubscribe', at });
    await markUndone(tx, change_id, at);
    return restored;
  });
}
