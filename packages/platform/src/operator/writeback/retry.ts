import type { LookUpFailure } from '../calling/index.ts';

/*
 * What follows a write that the operator did not store: a table (style.md 13). Each failure has a ladder of waits; the n-th
 * failure in a row takes the n-th step, and the last step stands for all that follow. Nothing is ever given up: what
 * fails for long is listed, with the last answer.
 */

/** Why a write is not stored. `not_stored`: 2xx with a sign of failure in the body (decisions.md 4: a 200 alone proves nothing). */
export type WriteFailure = Exclude<LookUpFailure, 'other_player' | 'not_json' | 'error_in_answer'> | 'not_stored';

/** Failures after which the operator may still do what was asked, now or much later (records/own-changes.ts). */
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

/** The network or the operator's machines. */
const passing = [second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute];
/** Nothing changes until a person does something. */
const settings = [30 * second, minute, 5 * minute, 15 * minute];
/** The operator refuses this very write (decisions.md 4): the same again is nearly certain, and never given up all the same. */
const refused = [hour, 6 * hour, 24 * hour];

const ladders: Record<WriteFailure, readonly number[]> = {
  unreachable: passing,
  connect_timeout: passing,
  timeout: passing,
  // A connection kept alive that the other side closed at that moment: the next one is new, so go at once.
  cut: [0, ...passing],
  server_error: passing,
  rate_limited: passing,
  tls: settings,
  refused_address: settings,
  no_token: settings,
  unauthorized: settings,
  redirected: settings,
  rejected: refused,
  // Some operators answer errors of their machines with 200.
  not_stored: [5 * second, minute, 10 * minute, hour],
  too_large: [5 * second, minute, 10 * minute, hour],
  unstorable: [5 * second, minute, 10 * minute, hour],
  // The player may be on the way into the operator's books.
  unknown_player: [minute, 10 * minute, hour, 6 * hour, 24 * hour],
};

/** Spread of a wait, so that writes that failed together do not come back together. */
const jitter = 0.1;

/**
 * @param attempts failures in a row, this one included: 1, 2, 3, ...
 * @param random a number in [0, 1).
 * @returns milliseconds.
 */
export function waitAfter(
  failure: WriteFailure,
  attempts: number,
  options: { random: number; retry_after_ms?: number | undefined },
): number {
  return Math.max(spread(step(ladders[failure], attempts), options.random), options.retry_after_ms ?? 0);
}

function step(ladder: readonly number[], attempt: number): number {
  return ladder[Math.min(attempt, ladder.length) - 1] ?? 0;
}

function spread(wait: number, random: number): number {
  return Math.round(wait * (1 - jitter + 2 * jitter * random));
}
