import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { forgetContacts } from '../../gate/index.ts';
import { storableDetail } from '../../operator/calling/index.ts';
import { changeConsents, UnknownPlayer } from '../../operator/writeback/index.ts';
import { UnfitNotification } from '../notifications/unfit.ts';
import { storeReport } from '../reports/store-report.ts';
import type { EntryOutcome, EntryState } from './entry.ts';
import { lockEntry, writeOutcome } from './store.ts';

/**
 * Stores the outcome of an entry, as reported by the person who called or wrote. Opting out withdraws the consent in the same
 * transaction, in the platform and at the operator. Reporting the same outcome again changes nothing. Opting out may follow any outcome,
 * because it must always count.
 *
 * @returns null if the brand has no such entry. @throws {UnfitNotification} for an entry that was never exported, or that has
 * another outcome
 */
export async function reportOutcome(
  tx: PoolClient,
  brandId: number,
  messageId: number,
  { outcome, note, by }: { outcome: EntryOutcome; note: string | null; by: string },
  at: Micros,
): Promise<{ state: EntryState; changed: boolean } | null> {
  const entry = await lockEntry(tx, brandId, messageId);
  if (entry === null) return null;
  if (entry.state === outcome) return { state: outcome, changed: false };
  // People may still call from an exported list after its entry has ended in the platform.
  const isOpen = entry.state === 'exported' || (entry.state === 'dropped' && entry.exported_at !== null);
  const isReported = entry.state === 'reached' || entry.state === 'not_reached' || entry.state === 'dropped';
  if (!isOpen && !(isReported && outcome === 'opted_out'))
    throw new UnfitNotification([
      {
        path: 'outcome',
        rule: 'state',
        message: `the entry is ${entry.state}; report an outcome only after an export`,
      },
    ]);
  await writeOutcome(tx, messageId, { outcome, note: note === null ? null : storableDetail(note), by }, at);
  await forgetContacts(tx, [{ kind: 'message', id: String(messageId) }]);
  const { player_id, campaign_id, channel } = entry;
  const what = outcome === 'opted_out' ? 'unsubscribed' : outcome;
  const report = { brand_id: brandId, player_id, message_id: messageId, campaign_id, channel, what } as const;
  await storeReport(tx, { ...report, provider: 'staff' }, at);
  if (outcome === 'opted_out') {
    const type = entry.channel === 'telephone' ? 'Telephone' : 'PostMail';
    const changes = [{ type, opted_in: false }] as const;
    await changeConsents(tx, { brand_id: brandId, player_id: entry.player_id, changes, source: 'staff', at }).catch(
      (error: unknown) => {
        // The player was erased in the meantime, so there is no consent to withdraw.
        if (!(error instanceof UnknownPlayer)) throw error;
      },
    );
  }
  return { state: outcome, changed: true };
}
