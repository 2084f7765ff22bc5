import { consentTypes } from '@croupier/contracts';
import type { CallResult } from '../calling/index.ts';
import { isObject, readAnswer, withoutRecord } from './answer.ts';
import type { Asked, ConsentsRecord, Judgment } from './judgment.ts';
import { oneItemPerType, readTypedItems } from './typed-items.ts';
import { whyUnusable } from './why-unusable.ts';

/**
 * Judges GET /userconsents: the answer counts if `consents` is a list (docs/reference/decisions.md 4). An unclear value counts as "not
 * given". An opt-in requires a plain `true`. If a type is listed twice, every entry must say so.
 */
export function judgeConsents(result: CallResult, asked: Asked): Judgment<ConsentsRecord> {
  const answer = readAnswer(result);
  if (answer.verdict !== 'readable') return answer;
  const { body } = answer;
  if (!isObject(body) || !Array.isArray(body.consents)) return withoutRecord(body, 'a list of consents');
  const unusable = whyUnusable(body, asked, 'the consents');
  if (unusable !== undefined) return unusable;
  const list = 'consents';
  const { read, problems } = readTypedItems(body.consents, {
    list,
    flag: 'opted_in',
    types: consentTypes,
    inDoubt: 'it counts as not given',
    damaged: answer.damaged,
  });
  const consents = oneItemPerType(read, { list, order: [false, null, true] }, problems).map(
    ({ type_key, type, spelling, flag }) => ({ type_key, type, spelling, opted_in: flag }),
  );
  return { verdict: 'record', record: { consents }, problems };
}
