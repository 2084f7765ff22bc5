import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Vault } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import { forgetContacts, type Gate } from '../../gate/index.ts';
import { mobileNumber } from '../calls/sms/number.ts';
import { isRecalled } from '../email/store.ts';
import { endsMessage } from '../message-hold.ts';
import { aboutOf } from '../products.ts';
import { findSuppressed, type SuppressionReason } from '../suppression-store.ts';
import type { EntryState, ListChannel } from './entry.ts';
import { type LockedOpenEntry, lockOpenEntries, type OpenEntry, stepEntries } from './store.ts';

/*
 * An export contains all players on a list who may be contacted now. The gate decides on each entry in the transaction that
 * marks it as exported, a few hundred at a time. So a list of any length needs little memory and no long lock. If the gate
 * needs more information, the entry stays for the next export. So does an entry of a paused campaign. An entry of a stopped campaign ends.
 *
 * A number that staff suppressed, or whose owner complained, is not called either. A number that cannot receive SMS may be a landline, so it
 * stays on the list.
 *
 * If two exports run at the same time, no entry is in both. So two people who export the same list do not call a player twice. For this,
 * an export omits entries that another export has exported since it began.
 */
const portion = 200;
const uncalled: readonly SuppressionReason[] = ['staff', 'complained'];

export interface ExportOrder {
  brand_id: number;
  channel: ListChannel;
  list: string;
  by: string;
}

export interface ExportedEntry extends OpenEntry {
  /** E.164, for a telephone list. */
  number: string | null;
}

export interface ExportDeps {
  pool: Pool;
  gate: Pick<Gate, 'mayContact'>;
  vault: Pick<Vault, 'addressKey'>;
  clock: () => Micros;
}

export async function* exportEntries(
  { pool, gate, vault, clock }: ExportDeps,
  order: ExportOrder,
): AsyncGenerator<ExportedEntry[]> {
  const begun_at = clock();
  for (let after = 0; ; ) {
    const at = clock();
    const { rows, exported } = await transaction(pool, async (tx) => {
      const rows = await lockOpenEntries(tx, order, { after, begun_at, limit: portion });
      const isSuppressed = await suppressedEntries(tx, vault, rows);
      const decisions = await gate.mayContact(
        tx,
        rows.map((row) => ({
          brand_id: row.brand_id,
          player_id: row.player_id,
          purpose: row.purpose,
          channel: order.channel,
          cause: { kind: 'message' as const, id: String(row.message_id) },
          expires_at: row.expires_at,
          isSuppressed: isSuppressed(row),
          ...aboutOf(order.channel, row),
        })),
      );
      const exported: ExportedEntry[] = [];
      const steps: Parameters<typeof stepEntries>[1][number][] = [];
      for (const [place, row] of rows.entries()) {
        const decision = decisions[place];
        if (decision === undefined) throw new Error('the gate returned no decision');
        const { decision_id, outcome } = decision;
        const drop = await whyDropped(row, at, () => isRecalled(tx, row));
        const step = (state: EntryState, reason: string | null) =>
          void steps.push({ message_id: row.message_id, state, reason, decision_id });
        const number = numberOf(row);
        if (drop !== null) step('dropped', drop);
        else if (outcome === 'withheld') step('dropped', decision.reason);
        else if (outcome === 'held') step(row.state, decision.reason);
        else if (row.hold !== null) step(row.state, row.state === 'waiting' ? row.hold : row.reason);
        else if (number.problem !== null) step('dropped', number.problem);
        else {
          step('exported', null);
          exported.push({ ...row, state: 'exported', number: number.e164 });
        }
      }
      await stepEntries(tx, steps, { at, by: order.by });
      const dropped = steps.filter(({ state }) => state === 'dropped');
      await forgetContacts(
        tx,
        dropped.map(({ message_id }) => ({ kind: 'message', id: String(message_id) })),
      );
      return { rows, exported };
    });
    if (exported.length > 0) yield exported;
    const last = rows.at(-1);
    if (last === undefined || rows.length < portion) return;
    after = last.message_id;
  }
}

async function whyDropped(row: LockedOpenEntry, at: Micros, recalled: () => Promise<boolean>): Promise<string | null> {
  if (row.user_id === null) return 'erased';
  // An entry that was exported in time may still be called, but the next export does not contain it.
  if (row.expires_at <= at) return 'expired';
  if (endsMessage(row.hold)) return row.hold;
  return (await recalled()) ? 'campaign_recalled' : null;
}

/** Whether the number of an entry is suppressed. Lists for post have no numbers. */
async function suppressedEntries(
  tx: PoolClient,
  vault: ExportDeps['vault'],
  rows: readonly OpenEntry[],
): Promise<(row: OpenEntry) => boolean> {
  const keys = new Map<number, Buffer>();
  for (const row of rows) {
    const { e164 } = numberOf(row);
    if (e164 !== null) keys.set(row.message_id, vault.addressKey(row.brand_id, e164));
  }
  const [first] = rows;
  if (first === undefined) return () => false;
  const listed = { brand_id: first.brand_id, address_keys: [...keys.values()] };
  const suppressed = await findSuppressed(tx, listed, uncalled);
  return ({ message_id }) => suppressed.has(keys.get(message_id)?.toString('hex') ?? '');
}

/** The number or address of the player. Without it, the entry is not exported. */
function numberOf(row: OpenEntry): { e164: string | null; problem: string | null } {
  if (row.channel === 'post_mail') {
    const hasAddress = (row.address ?? '').trim() !== '' && (row.city ?? '').trim() !== '';
    return { e164: null, problem: hasAddress ? null : 'no_address' };
  }
  const number = mobileNumber(row.mobile_prefix, row.mobile);
  return 'problem' in number ? { e164: null, problem: number.problem } : { e164: number.e164, problem: null };
}
