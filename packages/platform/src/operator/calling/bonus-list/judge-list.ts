import type { CallResult } from '../client/operator-client.ts';
import { storableDetail } from '../storable.ts';

/** One bonus that can be chosen. */
export interface OfferedBonus {
  bonus_code: string;
  text: string;
}

export type ListJudgment =
  | { outcome: 'list'; bonuses: readonly OfferedBonus[]; left_out: number }
  /** The operator has no such endpoint (docs/reference/decisions.md 4: it is optional). */
  | { outcome: 'not_offered' }
  | { outcome: 'failed'; reason: string; detail: string };

/** Maximum number of bonuses in a list; further entries are only counted. */
const maxBonuses = 5_000;
const maxText = 300;

/**
 * Judges an answer to GET /bonus/list: `{Data: [{text, value}], Success, Errors}`. A 200 alone proves nothing
 * (docs/reference/decisions.md 4). Pure. Entries without a usable value are left out and counted. An empty list is valid.
 */
export function judgeList(result: CallResult): ListJudgment {
  if (!result.answered) return { outcome: 'failed', reason: result.failure, detail: result.detail };
  const { status, body } = result;
  if (status === 404 || status === 501) return { outcome: 'not_offered' };
  if (status !== 200) return failed(`status_${status}`, `the operator answered ${status}`);
  const answer = parse(body);
  if (answer === undefined) return failed('not_json', 'the answer is not JSON');
  const { Data: data, Success: success } = isRecord(answer) ? answer : {};
  if (success === false) return failed('error_in_200', `Success is false: ${JSON.stringify(answer).slice(0, 200)}`);
  if (!Array.isArray(data)) return failed('wrong_body', 'the answer has no array Data');
  const byCode = new Map<string, OfferedBonus>();
  let leftOut = 0;
  for (const entry of data) {
    const bonus = readBonus(entry);
    if (bonus === undefined || byCode.has(bonus.bonus_code) || byCode.size >= maxBonuses) leftOut++;
    else byCode.set(bonus.bonus_code, bonus);
  }
  if (byCode.size === 0 && leftOut > 0) return failed('wrong_body', 'no entry of Data has a value');
  return { outcome: 'list', bonuses: [...byCode.values()], left_out: leftOut };
}

function readBonus(entry: unknown): OfferedBonus | undefined {
  const { text, value } = isRecord(entry) ? entry : {};
  const code = typeof value === 'number' ? String(value) : value;
  if (typeof code !== 'string' || code.trim() === '') return undefined;
  const label = typeof text === 'string' && text.trim() !== '' ? text : code;
  return { bonus_code: storableDetail(code.trim()), text: storableDetail(label.slice(0, maxText)) };
}

function failed(reason: string, detail: string): ListJudgment {
  return { outcome: 'failed', reason, detail: storableDetail(detail) };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
