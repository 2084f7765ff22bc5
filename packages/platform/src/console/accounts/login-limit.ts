import type { Micros } from '@croupier/contracts';
import { networkOf } from '../../http/network.ts';
import { sha256 } from './tokens.ts';

/**
 * How wrong passwords delay the next attempt. Pure.
 *
 * There are three counts. Each of them counters a different attack: one network guessing at one account; many networks guessing at one
 * account; one network trying one password at many accounts. After its free failures, a subject may try once a second. An
 * attempt waits for its turn, and is refused (429) only if it would wait longer than 10 s. No account is ever locked, because
 * otherwise an attacker could lock out its owner. Attackers do not delay the owner either: a network that signed in to the
 * account within 90 days is exempt from the account's count.
 *
 * At one guess a second, a password of 12 characters cannot be found in practice. Counts are stored in the database, so several
 * api processes share them. Each kind has 4,096 places, so the table stays small, regardless of what is sent. Two
 * subjects that share a place share its limit.
 */
export interface LoginLimit {
  subject: Buffer;
  /** Failures within the window that cause no delay. */
  free: number;
}

export const windowMicros: Micros = 15 * 60 * 1_000_000;
export const knownMicros: Micros = 90 * 24 * 3_600 * 1_000_000;
const betweenTurns: Micros = 1_000_000;
export const longestWait: Micros = 10_000_000;

/** @param known whether the network has signed in to the account before */
export function limitsOf(email: string, address: string, known = false): LoginLimit[] {
  const network = networkOf(address);
  return [
    { subject: placeOf('account from network', `${email}\n${network}`), free: 10 },
    { subject: placeOf('network', network), free: 100 },
    ...(known ? [] : [{ subject: placeOf('account', email), free: 100 }]),
  ];
}

/** Identifies the pair of this account and this network. It is stored when a person has signed in from the network. */
export function knownSubject(email: string, address: string): Buffer {
  return sha256(`known\n${email}\n${networkOf(address)}`);
}

/** 12 bits of the hash. */
function placeOf(kind: string, subject: string): Buffer {
  const place = sha256(`${kind}\n${subject}`).readUInt16BE(0) % 4_096;
  return sha256(`${kind}\n${place}`);
}

export interface LoginCount {
  subject: Buffer;
  failures: number;
  window_ends_at: Micros;
  /** When the last attempt that took a turn is checked. */
  turn_at: Micros;
}

/** The count with one more attempt, which is checked at `turn_at`. A window starts with its first attempt. */
export function withAttempt(count: LoginCount, { free }: LoginLimit, now: Micros): LoginCount {
  const { subject } = count;
  if (count.window_ends_at <= now) return { subject, failures: 1, window_ends_at: now + windowMicros, turn_at: now };
  const failures = count.failures + 1;
  const next = Math.max(count.turn_at, now) + betweenTurns;
  // A refused attempt takes no turn.
  const refused = now + longestWait + betweenTurns;
  return { ...count, failures, turn_at: failures <= free ? now : Math.min(next, refused) };
}
