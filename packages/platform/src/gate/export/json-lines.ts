import { timestamptzText } from '../../database/index.ts';
import type { ProofStep } from '../../sealing/index.ts';
import type { Seal } from '../chain/seal.ts';
import type { ProvenDecision } from './export.ts';

/** The line of one decision. Hashes are hexadecimal. Times are RFC 3339 with six digits, the form that was hashed. */
export function decisionLine({ row, proof }: ProvenDecision): string {
  const { inputs_sha256, decided_at, expires_at, seal_no: _, ...rest } = row;
  return line('decision', {
    ...rest,
    inputs_sha256: inputs_sha256.toString('hex'),
    decided_at: timestamptzText(decided_at),
    expires_at: expires_at === null ? null : timestamptzText(expires_at),
    seal_no: proof?.seal.seal_no ?? null,
    proof: proof === null ? null : proof.steps.map(stepText),
  });
}

export function sealLine(seal: Seal): string {
  const { brand_id, seal_no, decisions, root, previous, hash, sealed_at } = seal;
  return line('seal', {
    brand_id,
    seal_no,
    decisions,
    root: root.toString('hex'),
    previous: previous.toString('hex'),
    hash: hash.toString('hex'),
    sealed_at: timestamptzText(sealed_at),
  });
}

/** The last line. An export without it was cut off. */
export function headLine(end: {
  brand_id: number;
  decisions: number;
  head: Pick<Seal, 'seal_no' | 'hash'> | undefined;
}): string {
  const { brand_id, decisions, head } = end;
  return line('end', {
    brand_id,
    decisions,
    head: head ? { seal_no: head.seal_no, hash: head.hash.toString('hex') } : null,
  });
}

/** `left:<hash>` or `right:<hash>`. */
export function stepText({ side, hash }: ProofStep): string {
  return `${side}:${hash.toString('hex')}`;
}

function line(type: string, fields: object): string {
  return `${JSON.stringify({ type, ...fields })}\n`;
}
