import type { Brand } from '../../brands/index.ts';

/** Who makes a call of the site API: a player of a brand, proved by a session id, a token of ours or the brand's JWT. */
export interface Caller {
  brand: Brand;
  player_id: number;
  user_id: string;
  via: 'sid' | 'auth_token' | 'jwt' | 'test_user';
  /** SHA-256 of the sid behind it, base64url; null for a JWT. Sessions end by it. */
  sid_hash: string | null;
  is_test_user: boolean;
}

/** Why a call is not admitted: 401 in the envelope, but operator_away, which is 503: the session may well be valid. */
export const refusals = ['missing_session', 'invalid_session', 'session_ended', 'operator_away'] as const;
export type SessionRefusal = (typeof refusals)[number];

export type Admission = { caller: Caller; refused?: never } | { caller?: never; refused: SessionRefusal };
