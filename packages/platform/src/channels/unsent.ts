import type { ClientBase } from 'pg';
import type { Unsent, UnsentEnding } from './channel.ts';

/** Tables of messages, with the condition on `q` that a dropped message was unsent. */
const isUnsent = {
  email_message: 'true',
  called_message: 'true',
  notification: 'true',
  // People may already have called from a list that was exported before.
  list_entry: 'q.exported_at is null',
} as const;

/** What became of these messages, read after they were ended. It includes those that a sender ended for the same reason. */
export async function readUnsent(
  tx: ClientBase,
  table: keyof typeof isUnsent,
  messageIds: readonly number[],
  { reason }: UnsentEnding,
): Promise<Unsent> {
  const { rows } = await tx.query<{ message_id: number; state: 'dropped' | 'sending' }>({
    name: `read_unsent_${table}`,
    text: `select q.message_id, q.state from ${table} q
            where q.message_id = any($1::bigint[])
              and (q.state = 'sending' or (q.state = 'dropped' and q.reason = $2 and ${isUnsent[table]}))`,
    values: [messageIds, reason],
  });
  const idsOf = (state: 'dropped' | 'sending') =>
    rows.filter((row) => row.state === state).map(({ message_id }) => message_id);
  return { ended: idsOf('dropped'), sending: idsOf('sending') };
}
