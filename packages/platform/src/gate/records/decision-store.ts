import type { ClientBase } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { NewDecision } from './record.ts';

/**
 * Writes decisions, and for each decision the mark that shows that it is not sealed yet. @returns their ids, in the
 * given order
 */
export async function insertDecisions(tx: ClientBase, decisions: readonly NewDecision[]): Promise<number[]> {
  if (decisions.length === 0) return [];
  const { rows } = await tx.query<{ decision_id: number }>({
    name: 'insert_decisions',
    text: `with given as (
             select id_in_bucket(nextval('gate_decision_number'), player_id) as decision_id, r.*
               from (select * from jsonb_to_recordset($1::jsonb) as r (
                       place int, brand_id int, player_id bigint, channel text, purpose text, outcome text, reason text,
                       cause_kind text, cause_id text, rule_version int, inputs text, inputs_sha256 text, age_ms bigint,
                       decided_at timestamptz, expires_at timestamptz) order by place) r
           ), written as (
             insert into gate_decision (decision_id, brand_id, player_id, channel, purpose, outcome, reason, cause_kind, cause_id,
                                        rule_version, inputs, inputs_sha256, age_ms, decided_at, expires_at)
             select decision_id, brand_id, player_id, channel, purpose, outcome, reason, cause_kind, cause_id,
                    rule_version, inputs::json, decode(inputs_sha256, 'hex'), age_ms, decided_at, expires_at
               from given
           ), unsealed as (
             insert into gate_decision_seal (decision_id, brand_id) select decision_id, brand_id from given
           )
           select decision_id from given order by place`,
    values: [
      JSON.stringify(
        decisions.map((one, place) => ({
          ...one,
          place,
          inputs_sha256: one.inputs_sha256.toString('hex'),
          decided_at: timestamptzText(one.decided_at),
          expires_at: one.expires_at === null ? null : timestamptzText(one.expires_at),
        })),
      ),
    ],
  });
  return rows.map((row) => row.decision_id);
}
