import type { Pool } from 'pg';
import type { DecisionRow } from './leaf.ts';
import type { Seal } from './seal.ts';
import { decisionColumns } from './seal-store.ts';

/** The seals with numbers after `after` and up to `to`, in order. */
export async function readSeals(pool: Pool, brandId: number, after: number, to: number): Promise<Seal[]> {
  const { rows } = await pool.query<Seal>({
    name: 'read_seals',
    text: `select brand_id, seal_no, decisions, decision_ids as ids, leaves, root, previous, hash, sealed_at
             from gate_seal where brand_id = $1 and seal_no > $2 and seal_no <= $3 order by seal_no`,
    values: [brandId, after, to],
  });
  return rows;
}

export async function decisionsOfSeal(pool: Pool, ids: readonly number[]): Promise<DecisionRow[]> {
  const { rows } = await pool.query<DecisionRow>({
    name: 'decisions_of_seal',
    text: `select ${decisionColumns} from gate_decision d where d.decision_id = any($1::bigint[])`,
    values: [ids],
  });
  return rows;
}

/** The decisions whose mark is this seal. */
export async function markedIds(pool: Pool, brandId: number, sealNo: number): Promise<number[]> {
  const { rows } = await pool.query<{ decision_id: number }>({
    name: 'marked_decisions',
    text: 'select decision_id from gate_decision_seal where brand_id = $1 and seal_no = $2 order by decision_id',
    values: [brandId, sealNo],
  });
  return rows.map((row) => row.decision_id);
}

/** The newest seal, and the newest seal that a decision is marked with, at one moment. */
export async function sealsMarked(pool: Pool, brandId: number): Promise<{ sealed: number; marked: number }> {
  const { rows } = await pool.query<{ sealed: number; marked: number }>(
    `select coalesce((select max(seal_no) from gate_seal where brand_id = $1), 0) as sealed,
            coalesce((select max(seal_no) from gate_decision_seal where brand_id = $1 and seal_no is not null), 0) as marked`,
    [brandId],
  );
  return rows[0] ?? { sealed: 0, marked: 0 };
}

/** The highest number of a decision or a mark of any brand. */
export async function newestNumber(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ newest: number }>(
    `select greatest((select max(decision_id) from gate_decision), (select max(decision_id) from gate_decision_seal), 0) as newest`,
  );
  return rows[0]?.newest ?? 0;
}

/**
 * The first decision without its mark, or the first mark without its decision, among the numbers above `after` and up
 * to `to`.
 */
export async function strayDecision(
  pool: Pool,
  brandId: number,
  { after, to }: { after: number; to: number },
): Promise<{ id: number; is_there: boolean } | null> {
  const { rows } = await pool.query<{ id: number; is_there: boolean }>(
    `(select d.decision_id as id, true as is_there from gate_decision d
       where d.brand_id = $1 and d.decision_id > $2 and d.decision_id <= $3
         and not exists (select from gate_decision_seal s where s.decision_id = d.decision_id)
       order by d.decision_id limit 1)
     union all
     (select s.decision_id, false from gate_decision_seal s
       where s.brand_id = $1 and s.seal_no is null and s.decision_id > $2 and s.decision_id <= $3
         and not exists (select from gate_decision d where d.decision_id = s.decision_id)
       order by s.decision_id limit 1)
     order by id limit 1`,
    [brandId, after, to],
  );
  return rows[0] ?? null;
}
