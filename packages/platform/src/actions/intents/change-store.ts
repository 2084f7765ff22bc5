import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { IntentState } from '../intent.ts';

/** A change of an intent, as the API shows it. */
export interface ListedChange {
  at: Micros;
  event: string;
  state: IntentState;
  reason: string | null;
  actor: string | null;
  note: string | null;
  proof: Record<string, unknown> | null;
}

/** The platform makes a dozen changes per intent at most; people may add some. */
const mostChanges = 200;

/** Oldest first. */
export async function selectChanges(pool: Pool, intentId: string): Promise<ListedChange[]> {
  const { rows } = await pool.query<ListedChange>(
    `select at, event, state, reason, actor, note, proof from bonus_intent_change
      where intent_id = $1 order by change_id limit $2`,
    [intentId, mostChanges],
  );
  return rows;
}
