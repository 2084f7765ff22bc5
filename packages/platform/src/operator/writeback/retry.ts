import { Ladder, passing, untilPersonActs } from '../../outgoing/index.ts';
import type { LookUpFailure } from '../judging/index.ts';

/*
 * A table (outgoing/ladder.ts) of what follows a write that the operator did not store. No write is ever given up; long
 * failures are listed, with the last answer.
 */

/**
 * Why a write was not stored. `not_stored`: 2xx with a sign of failure in the body (docs/reference/decisions.md 4: a 200 alone
 * proves nothing).
 */
export type WriteFailure = Exclude<LookUpFailure, 'other_player' | 'not_json' | 'error_in_answer'> | 'not_stored';

/** Failures after which the operator may still carry out the request, now or much later (own-changes/own-changes.ts). */
export const mayComeLate: ReadonlySet<WriteFailure> = new Set([
  'timeout',
  'cut',
  'server_error',
  'too_large',
  'not_stored',
]);

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * The operator refuses this write (docs/reference/decisions.md 4). The same answer is nearly certain, but it is never given up.
 */
const refused = [hour, 6 * hour, 24 * hour];

export const writeLadder = new Ladder<WriteFailure>({
  unreachable: passing,
  connect_timeout: passing,
  timeout: passing,
  // The other side may have closed a kept-alive connection just as the call was sent. The next connection is new, so
  // retry immediately.
  cut: [0, ...passing],
  server_error: passing,
  rate_limited: passing,
  tls: untilPersonActs,
  refused_address: untilPersonActs,
  no_token: untilPersonActs,
  unauthorized: untilPersonActs,
  redirected: untilPersonActs,
  rejected: refused,
  // Some operators answer 200 when their machines fail.
  not_stored: [5 * second, minute, 10 * minute, hour],
  too_large: [5 * second, minute, 10 * minute, hour],
  unstorable: [5 * second, minute, 10 * minute, hour],
  // The player may be about to appear in the operator's records.
  unknown_player: [minute, 10 * minute, hour, 6 * hour, 24 * hour],
});
