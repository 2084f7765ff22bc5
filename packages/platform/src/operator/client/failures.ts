import { errors } from 'undici';
import { storableDetail } from '../storable.ts';
import { RefusedAddress } from './addresses.ts';

/** Why a call brought no answer at all. Answers, good or bad, are not failures of the call. */
export const callFailures = [
  /** DNS, connection refused, no route. */
  'unreachable',
  'connect_timeout',
  'tls',
  /** A cloud metadata address (design.md 7). */
  'refused_address',
  /** The OAuth token endpoint gave no token. */
  'no_token',
  /** The whole call took longer than allowed. */
  'timeout',
  /** Connection lost, or the answer broke the rules of HTTP, after the request was on its way. */
  'cut',
  'too_large',
] as const;
export type CallFailure = (typeof callFailures)[number];

export interface FailedCall {
  failure: CallFailure;
  /** Storable. */
  detail: string;
  /**
   * False only when certainly no byte of the request left: then a repeat cannot do anything twice (decisions.md 5).
   */
  sent: boolean;
}

/** Thrown inside a call by our own limits. */
export class TooLarge extends Error {
  override name = 'TooLarge';
}
export class CallTimeout extends Error {
  override name = 'CallTimeout';
}
export class NoToken extends Error {
  override name = 'NoToken';
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

/** Sorts whatever a call threw. An error it does not know counts as sent: the careful side. */
export function failureOf(error: unknown): FailedCall {
  const detail = describe(error);
  if (error instanceof CallTimeout) return { failure: 'timeout', detail, sent: true };
  if (error instanceof TooLarge) return { failure: 'too_large', detail, sent: true };
  if (error instanceof NoToken) return { failure: 'no_token', detail, sent: false };
  if (error instanceof RefusedAddress) return { failure: 'refused_address', detail, sent: false };
  if (error instanceof errors.ConnectTimeoutError) return { failure: 'connect_timeout', detail, sent: false };
  const code = codeOf(error);
  if (unreachable.has(code)) return { failure: 'unreachable', detail, sent: false };
  if (isTls(code)) return { failure: 'tls', detail, sent: false };
  return { failure: 'cut', detail, sent: true };
}

/** Only codes of a failed handshake: a TLS alert in the middle of an answer is a cut. */
function isTls(code: string): boolean {
  return (
    code.startsWith('ERR_TLS_') ||
    code.startsWith('ERR_SSL_') ||
    code.startsWith('CERT_') ||
    code.startsWith('UNABLE_TO_') ||
    code === 'DEPTH_ZERO_SELF_SIGNED_CERT' ||
    code === 'SELF_SIGNED_CERT_IN_CHAIN'
  );
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function describe(error: unknown): string {
  const told = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return storableDetail(told instanceof Error ? told.message : String(told));
}
