import type { JsonObject } from '../calling/index.ts';
import type { Unusable } from './answer.ts';
import type { Asked } from './judgment.ts';
import { signBesideRecord } from './sign-of-failure.ts';

/**
 * Why a record in an answer must not be used: it belongs to another player, or the operator reports beside it that the look-up
 * failed. Such a record may come from an error template, or may be a copy of unknown age, so it must not lift any protection.
 */
export function whyUnusable(body: JsonObject, { user_id }: Asked, what: string): Unusable | undefined {
  if (body.user_id !== undefined && body.user_id !== null && String(body.user_id) !== user_id)
    return { verdict: 'failed', failure: 'other_player', detail: `answered 200 with ${what} of another player` };
  const sign = signBesideRecord(body);
  if (sign === undefined) return undefined;
  return { verdict: 'failed', failure: 'error_in_answer', detail: `answered 200 with ${what}, and ${sign}` };
}
