import type { Micros } from '@croupier/contracts';
import { sha256 } from './tokens.ts';

/**
 * How many wrong passwords are heard before a login is refused unheard (429).
 *
 * Three counts at once, each against another attack: one machine guessing at one account; many machines guessing at one
 * account; one machine trying one password at many accounts. The second is the high one, because whoever reaches it
 * also locks the owner out: with 100 an attacker needs many addresses to do so, and still gets 9,600 guesses a day at most,
 * nothing against the 12 characters that a password must have. Counts live in the database: several api processes share them.
 */
export interface LoginLimit {
  subject: Buffer;
  failures: number;
}

export const windowMicros: Micros = 15 * 60 * 1_000_000;

export function limitsOf(email: string, address: string): LoginLimit[] {
  return [
    { subject: sha256(`account from address\n${email}\n${address}`), failures: 10 },
    { subject: sha256(`account\n${email}`), failures: 100 },
    { subject: sha256(`address\n${address}`), failures: 100 },
  ];
}

export interface FailureCount {
  subject: Buffer;
  failures: number;
  window_ends_at: Micros;
}

/** Null when the attempt may be heard, otherwise when to come back. The counts include the attempt itself. */
export function refusedUntil(limits: readonly LoginLimit[], counts: readonly FailureCount[]): Micros | null {
  let until: Micros | null = null;
  for (const limit of limits) {
    const count = counts.find((row) => row.subject.equals(limit.subject));
    if (count === undefined || count.failures <= limit.failures) continue;
    until = Math.max(until ?? 0, count.window_ends_at);
  }
  return until;
}
