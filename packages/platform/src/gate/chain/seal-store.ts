import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { Horizon } from './floor.ts';
import type { DecisionRow } from './leaf.ts';
import type { Seal } from './seal.ts';

/** First key of the advisory lock for sealing a brand; the second is the brand. */
const sealingLock = 0x5ea1;

/** True if this transaction is the only one that seals the brand, until it ends. */
export async function lockSealing(tx: ClientBase, brandId: number): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1, $2) as locked', [
    sealingLock,
    brandId,
  ]);
  return rows[0]?.locked === true;
}

/** The current numbers and transaction ids (floor.ts). */
export async function readHorizon(pool: Pool): Promise<Horizon> {
  const { rows } = await pool.query<{ newest_id: number; next_xid: string; oldest_xid: string }>({
    name: 'seal_horizon',
    // pg_current_xact_id() assigns a new transaction id. The upper end of a snapshot would be too low: it is one more than the
    // highest id of a finished transaction, and open transactions may have higher ids.
    text: `select id_in_bucket(case when is_called then last_value else 0 end, 63) as newest_id, pg_current_xact_id()::text as next_xid,
                  pg_snapshot_xmin(pg_current_snapshot())::text as oldest_xid
             from gate_decision_number`,
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the sequence of decisions does not exist');
  return { newest_id: row.newest_id, next_xid: BigInt(row.next_xid), oldest_xid: BigInt(row.oldest_xid) };
}

/** Brands with decisions to seal. @param after all decisions up to this number are already sealed (floor.ts) */
export async function brandsToSeal(pool: Pool, after: number): Promise<number[]> {
  const { rows: brands } = await pool.query<{ brand_id: number }>('select brand_id from brand');
  const { rows } = await pool.query<{ brand_id: number }>({
    name: 'brands_to_seal',
    text: `select brand_id from unnest($1::int[]) as b (brand_id)
            where exists (select from gate_decision_seal s
                           where s.brand_id = b.brand_id and s.seal_no is null and s.decision_id > $2)
            order by brand_id`,
    values: [brands.map(({ brand_id }) => brand_id), after],
  });
  return rows.map((row) => row.brand_id);
}

export const decisionColumns = `d.decision_id, d.brand_id, d.player_id, d.channel, d.purpose, d.outcome, d.reason, d.cause_kind,
  d.cause_id, d.rule_version, d.inputs::text as inputs, d.inputs_sha256, d.age_ms, d.decided_at, d.expires_at`;

/** The next decisions to seal: those with the lowest numbers above `after`. */
export async function unsealedDecisions(
  tx: ClientBase,
  brandId: number,
  after: number,
  limit: number,
): Promise<DecisionRow[]> {
  const { rows } = await tx.query<DecisionRow>({
    name: 'unsealed_decisions',
    text: `select ${decisionColumns}
             from gate_decision_seal s join gate_decision d using (decision_id)
            where s.brand_id = $1 and s.seal_no is null and s.decision_id > $2
            order by s.decision_id limit $3`,
    values: [brandId, after, limit],
  });
  return rows;
}

/** The newest seal of a brand. */
export async function readHead(
  db: Pool | ClientBase,
  brandId: number,
): Promise<Pick<Seal, 'seal_no' | 'hash' | 'sealed_at'> | undefined> {
  const { rows } = await db.query<Pick<Seal, 'seal_no' | 'hash' | 'sealed_at'>>({
    name: 'seal_head',
    text: 'select seal_no, hash, sealed_at from gate_seal where brand_id = $1 order by seal_no desc limit 1',
    values: [brandId],
  });
  return rows[0];
}

export async function writeSeal(tx: ClientBase, seal: Seal): Promise<void> {
  const { brand_id, seal_no, decisions, ids, leaves, root, previous, hash, sealed_at } = seal;
  await tx.query({
    name: 'write_seal',
    text: `insert into gate_seal (brand_id, seal_no, decisions, decision_ids, leaves, root, previous, hash, sealed_at)
           values ($1, $2, $3, $4::bigint[], $5, $6, $7, $8, $9)`,
    values: [brand_id, seal_no, decisions, ids, leaves, root, previous, hash, timestamptzText(sealed_at)],
  });
  await tx.query({
    name: 'mark_sealed',
    text: 'update gate_decision_seal set seal_no = $2 where decision_id = any($1::bigint[])',
    values: [ids, seal_no],
  });
}
