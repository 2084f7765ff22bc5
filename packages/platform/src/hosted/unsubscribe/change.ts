import type { ConsentType } from '@croupier/contracts';
import type { Pool } from 'pg';
import { storeReport } from '../../channels/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { changeConsents, lockConsents, UnknownPlayer, withdrawalsInForce } from '../../operator/writeback/index.ts';
import { type Receipt, receiptMicros } from '../links/receipts.ts';
import type { LinkHolder } from '../links/unsubscribe-links.ts';
import { withdrawalOf } from './channels.ts';
import { insertUnsubscription, lastUnsubscription, markUndone } from './store.ts';

/*
 * The effects of presses. Each press is one transaction. When a function here resolves, the change is durable, applies to the
 * very next decision of the gate, and is queued for the operator. If it throws, nothing was changed.
 *
 *      on, unknown --stop--> off --undo within the hour, nothing newer in between--> on, for channels that were on
 *                             |
 *                             '--stop again--> off
 *
 * Until the operator has the first "stop", a second one writes nothing and gets the same answer. Later, a second one is written
 * again, and its undo still restores the channels that were on before the first.
 */
interface ChangeDeps {
  pool: Pool;
  clock: Clock;
}

const channelOf: Readonly<Record<ConsentType, string>> = {
  Email: 'email',
  SMS: 'sms',
  Telephone: 'telephone',
  PostMail: 'post_mail',
  SiteNotification: 'site',
  PushNotification: 'push',
};

export type Stopped =
  | { outcome: 'stopped'; receipt: Receipt }
  /** All requested channels were already off, and not because of a press within the last hour. */
  | { outcome: 'off_already' }
  | { outcome: 'gone' };

export async function stopChannels(
  { pool, clock }: ChangeDeps,
  holder: LinkHolder,
  asked: { channel: ConsentType | 'all'; way: 'page' | 'one_click' },
): Promise<Stopped> {
  return transaction(pool, async (tx): Promise<Stopped> => {
    const { brand_id, player_id, channel } = holder;
    const { stopped, on } = withdrawalOf(await lockConsents(tx, holder), asked.channel);
    const at = clock();
    const last = await lastUnsubscription(tx, player_id, at - receiptMicros);
    if (stopped.length === 0) {
      // If the player presses twice, the second press must not remove the undo of the first.
      const same = last !== null && (asked.channel === 'all' || last.stopped.includes(asked.channel));
      return same ? { outcome: 'stopped', receipt: last } : { outcome: 'off_already' };
    }
    const changes = stopped.map((type) => ({ type, opted_in: false }));
    const { change_id } = await changeConsents(tx, { brand_id, player_id, changes, source: 'unsubscribe', at });
    const restorable = stopped.filter((type) => on.includes(type) || last?.restorable.includes(type));
    const receipt = { brand_id, player_id, change_id, at, stopped, restorable };
    await insertUnsubscription(tx, { ...receipt, channel, way: asked.way });
    for (const type of stopped) {
      // A link identifies its player and channel, not its message.
      const left = { message_id: null, campaign_id: null, channel: channelOf[type], place: `${change_id}:${type}` };
      await storeReport(
        tx,
        { brand_id, player_id, ...left, what: 'unsubscribed', provider: 'page', reason: asked.way },
        at,
      );
    }
    return { outcome: 'stopped', receipt };
  }).catch(ifPlayerUnknown({ outcome: 'gone' }));
}

/**
 * Restores the channels that the receipt allows, except those that were changed after it. @returns the channels that are on
 * again; none if it is too late
 */
export async function undoStop({ pool, clock }: ChangeDeps, receipt: Receipt): Promise<ConsentType[]> {
  const { brand_id, player_id, change_id } = receipt;
  return transaction(pool, async (tx): Promise<ConsentType[]> => {
    await lockConsents(tx, receipt);
    const stillWithdrawn = await withdrawalsInForce(tx, player_id, change_id);
    const restored = receipt.restorable.filter((type) => stillWithdrawn.includes(type));
    if (restored.length === 0) return [];
    const changes = restored.map((type) => ({ type, opted_in: true }));
    const at = clock();
    await changeConsents(tx, { brand_id, player_id, changes, source: 'unsubscribe', at });
    await markUndone(tx, change_id, at);
    return restored;
  }).catch(ifPlayerUnknown([]));
}

/** A link still exists after its player was erased. */
function ifPlayerUnknown<A>(answer: A): (error: unknown) => A {
  return (error) => {
    if (error instanceof UnknownPlayer) return answer;
    throw error;
  };
}
