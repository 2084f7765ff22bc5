import { createHash } from 'node:crypto';
import { canonicalJson } from '@croupier/contracts';
import type { MessageTerms } from './channel.ts';

/**
 * Identifies the content of a request for a message. It leaves out who made the request and how it was allowed: a repeated request
 * may come from another session, and has another decision.
 */
export function requestDigest<Request extends Pick<MessageTerms, 'created_by' | 'request_key' | 'allowed_by'>>({
  created_by: _,
  request_key: __,
  allowed_by: ___,
  ...asked
}: Request): string {
  return createHash('sha256').update(canonicalJson(asked)).digest('base64url');
}
