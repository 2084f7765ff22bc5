import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { IntentState } from '../intent.ts';

/** What moved an intent, as the API shows it. */
export interface ListedChange {
  at: Micros;
  event: string;
  state: IntentState;
  reason: string | null;
  actor: string | null;
  note: string | null;
  proof: Record<string, unknown> | null;
}

/** An intent has a dozen at most by itself; persons may add some. */
const mostChanges = 200;

/** In the order in which they happened. */
export async function selectChanges(pool: Pool, intentId: string): Promise<ListedChange[]> {
  const { rows } = await pool.query<ListedChange>(
    `select at, event, state, reason, actor, note, proof from bonus_intent_change
      where intent_id = $1 order by change_id limit $2`,
    [intentId, mostChanges],
  );
  return rows;
}
