import type { CallFailure } from '../../operator/calling/index.ts';
import { Ladder, passing, untilPersonActs, waitOf } from '../../outgoing/index.ts';

/*
 * A table (outgoing/ladder.ts) of what follows a call that certainly did nothing (docs/reference/decisions.md 5, "retry").
 * It applies until the intent has waited `longestWait`.
 */
/** Why a call certainly did nothing. The failures are those in which no byte was sent. */
export type RetryReason =
  | Extract<CallFailure, 'unreachable' | 'connect_timeout' | 'tls' | 'refused_address' | 'no_token'>
  | 'unauthorized'
  | 'rate_limited'
  /** A 5xx of a brand whose setting bonus_500 says that it means "not applied". */
  | 'server_error'
  /** Before it sent the first byte, this process found that its claim would expire too early. */
  | 'not_sent';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const intentLadder = new Ladder<RetryReason>({
  unreachable: passing,
  connect_timeout: passing,
  rate_limited: passing,
  server_error: passing,
  tls: untilPersonActs,
  refused_address: untilPersonActs,
  no_token: untilPersonActs,
  unauthorized: untilPersonActs,
  not_sent: [0, second, 5 * second, minute],
});

/**
 * Waits before the repeats of an unknown call, if the operator honors the Idempotency-Key. After these, the deadline applies.
 */
const repeatWaits = [second, 15 * second, 2 * minute, 10 * minute, hour, 6 * hour];

/** @param repeats made so far @returns null after the last repeat */
export function repeatDelayMs(repeats: number, random: number): number | null {
  return repeats < repeatWaits.length ? waitOf(repeatWaits, repeats + 1, random) : null;
}
