/**
 * How the publisher handles an answer. In the interface, only status 200 is a success. The operator retries the same event
 * until the answer is 200 (docs/reference/interface.md, Delivery rules 2).
 */
export type Verdict = 'acknowledged' | 'again' | 'refused';

/** Answers that a retry does not change, because the message, the key or the address is wrong. */
const permanentRefusals = new Set([400, 401, 403, 404, 405, 413, 415, 422]);

export function verdictOf(status: number, onRefused: 'drop' | 'retry'): Verdict {
  if (status === 200) return 'acknowledged';
  return permanentRefusals.has(status) && onRefused === 'drop' ? 'refused' : 'again';
}

export interface Backoff {
  /** Milliseconds before the second attempt. Default 100. */
  first: number;
  /** Longest wait between two attempts, in milliseconds, even if a Retry-After is longer. Default 5,000. */
  longest: number;
}

/**
 * Milliseconds to wait after this many failed attempts. The wait doubles, with a quarter of jitter so that retries do not
 * happen at the same time.
 */
export function waitAfter(attempts: number, backoff: Backoff, retryAfter: number | undefined, jitter: number): number {
  const delay = backoff.first * 2 ** Math.min(attempts - 1, 20);
  const asked = retryAfter === undefined ? delay : Math.max(delay, retryAfter * 1000);
  return Math.min(asked, backoff.longest) * (0.875 + jitter * 0.25);
}
