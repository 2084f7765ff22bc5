import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { DecisionRow } from '../chain/leaf.ts';
import type { Seal } from '../chain/seal.ts';
import { decisionColumns } from '../chain/seal-store.ts';
import { conditions, type DecisionFilter, visibleUserId } from '../reading/lists.ts';

export interface ExportedRow extends DecisionRow {
  /** Null if the player was erased. */
  user_id: string | null;
  seal_no: number | null;
}

/** A page of the export, oldest first. */
export async function exportPage(
  pool: Pool,
  brandId: number,
  filter: DecisionFilter,
  limit: number,
  after: Pick<DecisionRow, 'decided_at' | 'decision_id'> | undefined,
): Promise<ExportedRow[]> {
  const { where, values } = conditions(brandId, filter);
  const place =
    after === undefined
      ? ''
      : ` and (d.decided_at, d.decision_id) > ($${values.push(timestamptzText(after.decided_at))}::timestamptz, $${values.push(after.decision_id)}::bigint)`;
  const { rows } = await pool.query<ExportedRow>(
    `select ${decisionColumns}, ${visibleUserId}, s.seal_no
       from gate_decision d
       left join player p on p.player_id = d.player_id
       left join gate_decision_seal s on s.decision_id = d.decision_id
      where ${where}${place}
      order by d.decided_at, d.decision_id limit $${values.push(limit)}`,
    values,
  );
  return rows;
}

export async function sealsByNo(pool: Pool, brandId: number, sealNos: readonly number[]): Promise<Map<number, Seal>> {
  const wanted = [...new Set(sealNos)];
  if (wanted.length === 0) return new Map();
  const { rows } = await pool.query<Seal>({
    name: 'seals_by_no',
    text: `select brand_id, seal_no, decisions, decision_ids as ids, leaves, root, previous, hash, sealed_at
             from gate_seal where brand_id = $1 and seal_no = any($2::bigint[]) order by seal_no`,
    values: [brandId, wanted],
  });
  return new Map(rows.map((row) => [row.seal_no, row]));
}
