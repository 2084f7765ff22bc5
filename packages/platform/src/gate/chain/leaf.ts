import { createHash } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import { leafHash } from '../../sealing/index.ts';

/** A decision as stored in the table, with the text of its inputs. */
export interface DecisionRow {
  decision_id: number;
  brand_id: number;
  player_id: number;
  channel: string;
  purpose: string;
  outcome: string;
  reason: string | null;
  cause_kind: string;
  cause_id: string;
  rule_version: number;
  inputs: string;
  inputs_sha256: Buffer;
  age_ms: number | null;
  decided_at: Micros;
  expires_at: Micros | null;
}

/**
 * The bytes of a decision that are hashed: a JSON array without spaces, with its fields in this order and times as RFC
 * 3339 in UTC with six digits. The inputs are included by their own digest. docs/guides/compliance.md documents the
 * same for regulators. If anything here changes, increase the "1" in the first element.
 */
export function canonicalDecision(row: DecisionRow): string {
  return JSON.stringify([
    'croupier decision 1',
    row.decision_id,
    row.brand_id,
    row.player_id,
    row.channel,
    row.purpose,
    row.outcome,
    row.reason,
    row.cause_kind,
    row.cause_id,
    row.rule_version,
    row.inputs_sha256.toString('hex'),
    row.age_ms,
    timestamptzText(row.decided_at),
    row.expires_at === null ? null : timestamptzText(row.expires_at),
  ]);
}

/** The leaf of the tree for a decision. */
export function leafOf(row: DecisionRow): Buffer {
  return leafHash(canonicalDecision(row));
}

/** True if the digest was computed from these inputs. */
export function hasItsInputs({ inputs, inputs_sha256 }: Pick<DecisionRow, 'inputs' | 'inputs_sha256'>): boolean {
  return createHash('sha256').update(inputs).digest().equals(inputs_sha256);
}
