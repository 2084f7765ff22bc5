import type { Micros, ReconciliationField } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';

/**
 * The time of the last result of each field that was applied in full: "a complete result renews the age of that fact for every
 * player" (docs/reference/decisions.md 4). A field without such a result is missing.
 *
 * The time is valid for every older fact that *permits* something: if the result had said otherwise, the fact would have been
 * tightened, and its row would carry that time itself. It does not make an unknown fact known: it says nothing about a player
 * whose consents or blocks were never looked up.
 */
export async function readReconciliationAges(
  db: Pool | ClientBase,
  brandIds: readonly number[],
): Promise<{ brand_id: number; field: ReconciliationField; as_of: Micros }[]> {
  const { rows } = await db.query<{ brand_id: number; field: ReconciliationField; as_of: Micros }>({
    name: 'reconciliation_ages',
    text: 'select brand_id, field, as_of from reconciliation_age where brand_id = any($1::int[])',
    values: [brandIds],
  });
  return rows;
}
