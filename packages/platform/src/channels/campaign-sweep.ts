import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText, transaction } from '../database/index.ts';
import { forgetContacts } from '../gate/index.ts';
import { rowsOf } from '../outgoing/index.ts';
import { droppedCall } from './calls/store.ts';

/** Rows per statement, so that no lock is held for long. */
const limit = 2_000;
const tables = ['email_message', 'called_message', 'list_entry'] as const;
type MessageTable = (typeof tables)[number];

/**
 * SQL that ends a waiting message `t`. A waiting e-mail certainly did not arrive, so it is dropped. A waiting SMS or
 * webhook may have arrived; then it ends as unknown. A waiting entry of a list was never exported, so it is dropped.
 */
const stopped: Readonly<Record<MessageTable, string>> = {
  email_message: `state = 'dropped', reason = 'campaign_stopped', due_at = null, claim = null`,
  called_message: `${droppedCall('t', `'campaign_stopped'`)}, due_at = null, claim = null`,
  list_entry: `state = 'dropped', reason = 'campaign_stopped'`,
};

export interface SweptMessages {
  dropped: number;
  paused: number;
  resumed: number;
  /** Whether another call would find more now. */
  more: boolean;
}

/**
 * Applies the pause, resume or stop of campaigns to their messages that wait for a call (outgoing/campaign-hold.ts). Safe to
 * repeat and to run in several workers: rows record what was done, and rows that a worker locks are left for the next call.
 *
 * A message that waits for a resume is due at its expiry, so it expires like any other message. An entry of a list has no call. It waits for
 * an export, and only shows that its campaign is paused (lists/export.ts).
 */
export async function sweepCampaignMessages(pool: Pool, at: Micros): Promise<SweptMessages> {
  const swept: SweptMessages = { dropped: 0, paused: 0, resumed: 0, more: false };
  for (const table of tables) {
    const dropped = await dropStopped(pool, table, at);
    const paused = await pauseWaiting(pool, table, at);
    const resumed = await resumePaused(pool, table);
    swept.dropped += dropped;
    swept.paused += paused;
    swept.resumed += resumed;
    swept.more ||= Math.max(dropped, paused, resumed) >= limit;
  }
  return swept;
}

function waiting(table: MessageTable, change: 'stopped' | 'paused' | 'resumed', more = ''): string {
  const waits = `q.state = 'waiting' and q.campaign_id is not null${more}`;
  return rowsOf(change, { table, key: 'message_id', column: 'campaign_id', waits, limit });
}

/** Two statements, because messages that a pause holds have a separate index. */
async function dropStopped(pool: Pool, table: MessageTable, at: Micros): Promise<number> {
  return transaction(pool, async (tx) => {
    const held = await drop(tx, table, 'held', `reason = 'campaign_paused'`, at);
    const free = await drop(tx, table, 'free', `reason is distinct from 'campaign_paused'`, at);
    await forgetContacts(
      tx,
      [...held, ...free].map(({ message_id }) => ({ kind: 'message', id: String(message_id) })),
    );
    return Math.max(held.length, free.length);
  });
}

async function drop(tx: ClientBase, table: MessageTable, name: string, which: string, at: Micros) {
  const { rows } = await tx.query<{ message_id: number }>({
    name: `drop_stopped_${name}_${table}`,
    text: `update ${table} t set ${stopped[table]}, ended_at = $1
             from (${waiting(table, 'stopped', ` and q.${which}`)}) w where t.message_id = w.message_id
           returning t.message_id`,
    values: [timestamptzText(at)],
  });
  return rows;
}

async function pauseWaiting(pool: Pool, table: MessageTable, at: Micros): Promise<number> {
  if (table === 'list_entry') return update(pool, table, 'paused', `reason = 'campaign_paused'`, []);
  const due = 'due_at = $1::timestamptz + (t.expires_at - $2::timestamptz)';
  const values = [timestamptzText(await databaseTime(pool)), timestamptzText(at)];
  return update(pool, table, 'paused', `reason = 'campaign_paused', claim = null, ${due}`, values);
}

async function resumePaused(pool: Pool, table: MessageTable): Promise<number> {
  if (table === 'list_entry') return update(pool, table, 'resumed', 'reason = null', []);
  const values = [timestamptzText(await databaseTime(pool))];
  return update(pool, table, 'resumed', 'reason = null, due_at = $1::timestamptz, claim = null', values);
}

async function update(
  pool: Pool,
  table: MessageTable,
  change: 'paused' | 'resumed',
  set: string,
  values: string[],
): Promise<number> {
  const { rowCount } = await pool.query({
    name: `sweep_${change}_${table}`,
    text: `update ${table} t set ${set} from (${waiting(table, change)}) w where t.message_id = w.message_id`,
    values,
  });
  return rowCount ?? 0;
}
