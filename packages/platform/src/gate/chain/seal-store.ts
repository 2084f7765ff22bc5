import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { DecisionRow } from './leaf.ts';
import type { Seal } from './seal.ts';

/** First key of the advisory lock under which a brand is sealed; the second is the brand. */
const sealingLock = 0x5ea1;

/** True when this transaction is the only one that seals the brand, until it ends. */
export async function lockSealing(tx: ClientBase, brandId: number): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1, $2) as locked', [
    sealingLock,
    brandId,
  ]);
  return rows[0]?.locked === true;
}

export async function brandsToSeal(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ brand_id: number }>(
    `select brand_id from brand b
      where exists (select from gate_decision_seal s where s.brand_id = b.brand_id and s.seal_no is null)
      order by brand_id`,
  );
  return rows.map((row) => row.brand_id);
}

export const decisionColumns = `d.decision_id, d.brand_id, d.player_id, d.channel, d.purpose, d.outcome, d.reason, d.cause_kind,
  d.cause_id, d.rule_version, d.inputs::text as inputs, d.inputs_sha256, d.age_ms, d.decided_at, d.expires_at`;

export async function unsealedDecisions(tx: ClientBase, brandId: number, limit: number): Promise<DecisionRow[]> {
  const { rows } = await tx.query<DecisionRow>({
    name: 'unsealed_decisions',
    text: `select ${decisionColumns}
             from gate_decision_seal s join gate_decision d using (decision_id)
            where s.brand_id = $1 and s.seal_no is null
            order by s.decision_id limit $2`,
    values: [brandId, limit],
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
  const { brand_id, seal_no, decisions, decision_ids, leaves, root, previous, hash, sealed_at } = seal;
  await tx.query({
    name: 'write_seal',
    text: `insert into gate_seal (brand_id, seal_no, decisions, decision_ids, leaves, root, previous, hash, sealed_at)
           values ($1, $2, $3, $4::bigint[], $5, $6, $7, $8, $9)`,
    values: [brand_id, seal_no, decisions, decision_ids, leaves, root, previous, hash, timestamptzText(sealed_at)],
  });
  await tx.query({
    name: 'mark_sealed',
    text: 'update gate_decision_seal set seal_no = $2 where decision_id = any($1::bigint[])',
    values: [decision_ids, seal_no],
  });
}
