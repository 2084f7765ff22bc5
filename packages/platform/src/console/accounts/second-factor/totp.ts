import type { Micros } from '@croupier/contracts';
import { Secret, TOTP } from 'otpauth';

/**
 * Codes of an authenticator app (RFC 6238): SHA-1, 6 digits, 30 seconds, which all apps support. Pure.
 *
 * A code of the step before or after is accepted, too: clocks of phones differ, and people type slowly.
 */
const stepSeconds = 30;
const digits = 6;
const acceptedSteps = 1;
/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20;

export const codePattern = `^[0-9]{${digits}}$`;

/** @returns a new secret in base32 */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What an app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return totp(secret, email).toString();
}

/** The time step of a code; null for a wrong code, or one of another time. */
export function stepOfCode(secret: string, code: string, now: Micros): number | null {
  const milliseconds = now / 1_000;
  const delta = totp(secret, '').validate({ token: code, timestamp: milliseconds, window: acceptedSteps });
  return delta === null ? null : Math.floor(milliseconds / 1_000 / stepSeconds) + delta;
}

function totp(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Croupier',
    label,
    algorithm: 'SHA1',
    digits,
    period: stepSeconds,
    secret: Secret.fromBase32(secret),
  });
}
