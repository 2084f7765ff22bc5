import type { Language } from '../../language.ts';
import { type CallResult, judgeList } from '../../operator/calling/index.ts';
import { judge, type LookUp } from '../../operator/judging/index.ts';
import type { TriedList } from '../../operator/reconciliation/index.ts';
import { judgeSidAnswer } from '../../site/index.ts';
import { maskProfile, maskSidAnswer } from '../access/masking.ts';
import { errorsIn, inLanguage } from '../language/translate.ts';
import type { TestedEndpoint } from './endpoints.ts';

/** How Croupier judges an answer. */
export interface Verdict {
  outcome: 'works' | 'not_offered' | 'fails';
  reason: string | null;
  detail: string | null;
  entries: number | null;
  findings: { path: string; message: string }[];
}

const works: Verdict = { outcome: 'works', reason: null, detail: null, entries: null, findings: [] };

const lookUpOf = { userdetails: 'details', userconsents: 'consents', userblocks: 'blocks' } as const satisfies Partial<
  Record<TestedEndpoint, LookUp>
>;

/** Judges the answer to a test, with the same functions as in operation. Pure. */
export function verdictOf(
  endpoint: Exclude<TestedEndpoint, 'token' | 'reconciliation'>,
  result: CallResult,
  about: { user_id: string; zone: string; isRandomSid: boolean },
): Verdict {
  switch (endpoint) {
    case 'userdetails':
    case 'userconsents':
    case 'userblocks': {
      const judged = judge(lookUpOf[endpoint], result, about);
      if (judged.verdict === 'record')
        return { ...works, findings: judged.problems.map(({ path, message }) => ({ path, message })) };
      return fails(judged.verdict === 'unknown_player' ? judged.verdict : judged.failure, judged.detail);
    }
    case 'bonus_list': {
      const judged = judgeList(result);
      if (judged.outcome === 'list') return { ...works, entries: judged.bonuses.length };
      if (judged.outcome === 'not_offered') return { ...works, outcome: 'not_offered' };
      return fails(judged.reason, judged.detail);
    }
    case 'authenticate':
      return verdictOfSid(result, about.isRandomSid);
  }
}

/** Judges a list that was read to its end. Pure. */
export function verdictOfList({ status, ids, failure }: TriedList): Verdict {
  if (failure === undefined) return { ...works, entries: ids };
  if (status !== null && notOfferedStatuses.includes(status)) return { ...works, outcome: 'not_offered' };
  return fails(failure.reason, failure.detail);
}

/** The same statuses as for reconciliations (docs/reference/decisions.md 4). */
const notOfferedStatuses: readonly number[] = [404, 405, 501];

/** A session id that exists nowhere must be refused, and one that a person entered must be accepted. */
function verdictOfSid(result: CallResult, isRandom: boolean): Verdict {
  const answer = judgeSidAnswer(result);
  if (answer.outcome === 'unknown') return fails(answer.reason, answer.detail);
  if (answer.outcome === 'valid')
    return isRandom ? fails('sid_accepted', null) : { ...works, detail: `user_id ${answer.user_id}` };
  const isUnauthorized = result.answered && (result.status === 401 || result.status === 403);
  if (isRandom) return { ...works, reason: isUnauthorized ? 'sid_or_credentials_refused' : 'sid_refused' };
  return fails(isUnauthorized ? 'sid_or_credentials_refused' : 'sid_refused', null);
}

/** The verdict in a language. The detail of a working endpoint is the id of a player, and not an explanation. Pure. */
export function verdictIn(verdict: Verdict, language: Language): Verdict {
  const { outcome, detail, findings } = verdict;
  return {
    ...verdict,
    detail: outcome === 'works' ? detail : detail && inLanguage(detail, language),
    findings: errorsIn(findings, language),
  };
}

function fails(reason: string, detail: string | null): Verdict {
  return { outcome: 'fails', reason, detail, entries: null, findings: [] };
}

const hidden = '***';

/** The body of an answer without personal data. If it is not JSON, everything is hidden. Pure. */
export function maskedBody(endpoint: TestedEndpoint, body: string): string {
  if (endpoint === 'bonus_list' || endpoint === 'reconciliation') return body;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null) return hidden;
    if (endpoint === 'authenticate') return JSON.stringify(maskSidAnswer(parsed));
    if (endpoint !== 'userdetails') return JSON.stringify(parsed, (key, value) => (key === 'note' ? hidden : value));
    return JSON.stringify(maskProfile(parsed));
  } catch {
    return hidden;
  }
}
