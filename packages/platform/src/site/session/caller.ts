import type { Brand } from '../../brands/index.ts';
import type { EndsKnown } from './end-store.ts';

/** The caller of the site API: a player of a brand, authenticated by a session id, a token of the platform or the brand's JWT. */
export interface Caller {
  brand: Brand;
  player_id: number;
  user_id: string;
  via: 'sid' | 'auth_token' | 'jwt' | 'test_user';
  /** SHA-256 in base64url of the brand and the sid, or the signed part of the JWT. A logout of this session ends it. */
  sid_hash: string;
  is_test_user: boolean;
  /** An end with a higher number ends this session (end-store.ts). */
  known_ends: EndsKnown;
}

/** Why a call is not admitted; the error has the same name in contracts/src/site-api/errors.ts. */
export const refusals = [
  'missing_session',
  'invalid_session',
  'session_ended',
  /** 503: the session may be valid. */
  'operator_away',
  /** Too many wrong credentials from the caller's address. */
  'too_many_requests',
] as const;
export type SessionRefusal = (typeof refusals)[number];

export type Admission =
  | { caller: Caller; refused?: never }
  | { caller?: never; refused: SessionRefusal; retry_after_s?: number };
