import { errors } from 'undici';
import { storableDetail } from '../storable.ts';
import { isOfConnecting, RefusedAddress } from './addresses.ts';

/** Why a call got no answer. An answer is never one of these failures, whatever it says. */
export const callFailures = [
  /** DNS, connection refused, no route. */
  'unreachable',
  'connect_timeout',
  'tls',
  /** A cloud metadata address (docs/reference/design.md 7). */
  'refused_address',
  /** The OAuth token endpoint gave no token. */
  'no_token',
  /** The whole call took longer than allowed. */
  'timeout',
  /** The connection was lost, or the answer violated HTTP, after the first bytes of the request were sent. */
  'cut',
  'too_large',
] as const;
export type CallFailure = (typeof callFailures)[number];

export interface FailedCall {
  failure: CallFailure;
  /** A text that PostgreSQL can store. */
  detail: string;
  /** False only if no byte of the request was sent, so that a repeat cannot do anything twice (docs/reference/decisions.md 5). */
  sent: boolean;
}

/** Thrown inside a call by the platform's own limits. */
export class TooLarge extends Error {
  override name = 'TooLarge';
}
export class CallTimeout extends Error {
  override name = 'CallTimeout';
}
export class NoToken extends Error {
  override name = 'NoToken';
}

/**
 * Classifies the error of a call. Only errors of the connector itself count as unsent, because an error code does not say
 * when the error happened.
 */
export function failureOf(error: unknown): FailedCall {
  const detail = describe(error);
  if (error instanceof CallTimeout) return { failure: 'timeout', detail, sent: true };
  if (error instanceof TooLarge) return { failure: 'too_large', detail, sent: true };
  if (error instanceof NoToken) return { failure: 'no_token', detail, sent: false };
  if (error instanceof RefusedAddress) return { failure: 'refused_address', detail, sent: false };
  if (error instanceof errors.ConnectTimeoutError) return { failure: 'connect_timeout', detail, sent: false };
  if (!isOfConnecting(error)) return { failure: 'cut', detail, sent: true };
  const failure = isTls(codeOf(error)) ? 'tls' : 'unreachable';
  return { failure, detail, sent: false };
}

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
  const cause = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return storableDetail(cause instanceof Error ? cause.message : String(cause));
}
