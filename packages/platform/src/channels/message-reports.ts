import type { MessageReport, Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

/** What a provider, a mail server or a tracked link reported about a message. Texts that a report lacks are empty. */
export interface ShownReport {
  what: MessageReport;
  at: Micros;
  reason: string;
  /** The link that was clicked. */
  link: string;
}

/** More reports would not help a person: mail scanners may open a message many times. */
const mostShown = 100;

/** The reports about a message, the newest first. They are kept for 90 days. */
export async function readMessageReports(
  pool: Pool,
  { player_id, message_id }: { player_id: number; message_id: number },
): Promise<ShownReport[]> {
  const { rows } = await pool.query<ShownReport>(
    `select what, at, reason, link from message_event
      where player_id = $1 and message_id = $2 order by at desc, fingerprint limit $3`,
    [player_id, String(message_id), mostShown],
  );
  return rows;
}
