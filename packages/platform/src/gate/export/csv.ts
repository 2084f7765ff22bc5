import { timestamptzText } from '../../database/index.ts';
import type { ProvenDecision } from './export.ts';
import { stepText } from './json-lines.ts';

const columns = [
  'decision_id',
  'brand_id',
  'player_id',
  'user_id',
  'decided_at',
  'channel',
  'purpose',
  'outcome',
  'reason',
  'cause_kind',
  'cause_id',
  'rule_version',
  'age_ms',
  'expires_at',
  'inputs',
  'inputs_sha256',
  'seal_no',
  'seal_hash',
  'seal_root',
  'proof',
] as const;

/** RFC 4180, in the order of the columns. */
export const csvHead = `${columns.join(',')}\r\n`;

export function csvLine({ row, proof }: ProvenDecision): string {
  const cells: Record<(typeof columns)[number], unknown> = {
    ...row,
    user_id: row.user_id === null ? null : asText(row.user_id),
    inputs_sha256: row.inputs_sha256.toString('hex'),
    decided_at: timestamptzText(row.decided_at),
    expires_at: row.expires_at === null ? null : timestamptzText(row.expires_at),
    seal_no: proof?.seal.seal_no,
    seal_hash: proof?.seal.hash.toString('hex'),
    seal_root: proof?.seal.root.toString('hex'),
    proof: proof?.steps.map(stepText).join(' '),
  };
  return `${columns.map((column) => cell(cells[column])).join(',')}\r\n`;
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The operator's text. A spreadsheet would execute text that looks like a formula. The field is not hashed, so a quote
 * in front of it does not break the proof.
 */
function asText(userId: string): string {
  return /^[=+\-@\t\r]/.test(userId) ? `'${userId}` : userId;
}
