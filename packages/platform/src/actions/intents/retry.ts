import type { CallFailure } from '../../operator/calling/index.ts';

/*
 * What follows a call that certainly did nothing (decisions.md 5, "retry"): a table, no ifs (style.md 13). The n-th such call
 * in a row takes the n-th step of its ladder, and the last step stands for all that follow, until the intent has waited
 * `longestWait`.
 */
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Why a call certainly did nothing. The failures are those of which no byte left. */
export type RetryReason =
  | Extract<CallFailure, 'unreachable' | 'connect_timeout' | 'tls' | 'refused_address' | 'no_token'>
  | 'unauthorized'
  | 'rate_limited'
  /** A 5xx where the brand says that it means "not applied" (setting bonus_500). */
  | 'server_error'
  /** This process found out before the first byte that its claim would not last. */
  | 'not_sent';

/** The network or the operator's machines: usually short. */
const passing = [second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute];
/** Nothing changes until a person does something. */
const settings = [30 * second, minute, 5 * minute, 15 * minute];

const ladders: Record<RetryReason, readonly number[]> = {
  unreachable: passing,
  connect_timeout: passing,
  rate_limited: passing,
  server_error: passing,
  tls: settings,
  refused_address: settings,
  no_token: settings,
  unauthorized: settings,
  not_sent: [0, second, 5 * second, minute],
};

/** Waits before the repeats of an unknown call, where the operator honours the Idempotency-Key; then the deadline rules. */
const repeatLadder = [second, 15 * second, 2 * minute, 10 * minute, hour, 6 * hour];

/** Spread of a wait, so that intents that failed together do not come back together. */
const jitter = 0.1;

/** @param tries calls in a row that did nothing, this one included: 1, 2, 3, ... @param random in [0, 1) */
export function retryDelayMs(
  reason: RetryReason,
  tries: number,
  { random, retry_after_ms = 0 }: { random: number; retry_after_ms?: number | undefined },
): number {
  const ladder = ladders[reason];
  return Math.max(spread(ladder[Math.min(tries, ladder.length) - 1] ?? 0, random), retry_after_ms);
}

/** @param repeats made so far. @returns null when there were enough. */
export function repeatDelayMs(repeats: number, random: number): number | null {
  const delay = repeatLadder[repeats];
  return delay === undefined ? null : spread(delay, random);
}

function spread(delay: number, random: number): number {
  return Math.round(delay * (1 - jitter + 2 * jitter * random));
}
