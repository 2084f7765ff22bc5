import type { Brand } from '../../brands/index.ts';
import type { EndsKnown } from './end-store.ts';

/** Who makes a call of the site API: a player of a brand, proved by a session id, a token of ours or the brand's JWT. */
export interface Caller {
  brand: Brand;
  player_id: number;
  user_id: string;
  via: 'sid' | 'auth_token' | 'jwt' | 'test_user';
  /** SHA-256 of the brand and the sid, or the signed part of the JWT, behind it, base64url: what a logout of this one session ends. */
  sid_hash: string;
  is_test_user: boolean;
  /** A later end than these is an end of this session (end-store.ts). */
  known_ends: EndsKnown;
}

/** Why a call is not admitted; its error is the one of that name in contracts/src/site-api/errors.ts. */
export const refusals = [
  'missing_session',
  'invalid_session',
  'session_ended',
  /** 503: the session may well be valid. */
  'operator_away',
  /** Too many wrong credentials came from the caller's address. */
  'too_many_requests',
] as const;
export type SessionRefusal = (typeof refusals)[number];

export type Admission =
  | { caller: Caller; refused?: never }
  | { caller?: never; refused: SessionRefusal; retry_after_s?: number };
