import type { Unusable } from './answer.ts';
import type { Asked, JsonObject } from './judgement.ts';
import { signBesideRecord } from './sign-of-failure.ts';

/**
 * Why a record that is there must not be used: it is somebody else's, or the operator says beside it that the look-up failed.
 * Such a record is what an error's template holds, or a copy of unknown age; on the careful side it loosens nothing.
 */
export function whyUnusable(body: JsonObject, { user_id }: Asked, what: string): Unusable | undefined {
  if (body.user_id !== undefined && body.user_id !== null && String(body.user_id) !== user_id)
    return { verdict: 'failed', failure: 'other_player', detail: `answered 200 with ${what} of another player` };
  const sign = signBesideRecord(body);
  if (sign === undefined) return undefined;
  return { verdict: 'failed', failure: 'error_in_answer', detail: `answered 200 with ${what}, and ${sign}` };
}
