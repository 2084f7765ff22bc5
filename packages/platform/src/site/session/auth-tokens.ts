import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../clock.ts';
import type { EndsKnown } from './end-store.ts';
import { tokenSeconds } from './token-lifetime.ts';

/**
 * Distinguishes the platform's token from the brand's JWT before the signature is checked: each of the two is verified only with its own
 * key.
 */
export const tokenType = 'croupier-site+jwt';
const algorithm = 'HS256';
const purpose = 'croupier site tokens';

/** The content of a token. */
export interface TokenContent {
  player_id: number;
  sid_hash: string;
  is_test_user: boolean;
  known_ends: EndsKnown;
}

/**
 * Creates and reads AuthTokens. They are signed with a key derived from CROUPIER_SECRET for this purpose only; tokens of
 * earlier secrets are still accepted.
 */
export class AuthTokens {
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]];
  readonly #clock: Clock;

  constructor(options: { secrets: readonly [string, ...string[]]; clock: Clock }) {
    const [secret, ...previous] = options.secrets;
    this.#keys = [keyOf(secret), ...previous.map(keyOf)];
    this.#clock = options.clock;
  }

  make(brandId: number, { player_id, sid_hash, is_test_user, known_ends }: TokenContent): Promise<string> {
    const now = Math.floor(this.#clock() / 1_000_000);
    const { all_ended: all, one_ended: one } = known_ends;
    return new SignJWT({ sid: sid_hash, all, one, ...(is_test_user ? { test: true } : {}) })
      .setProtectedHeader({ alg: algorithm, typ: tokenType })
      .setSubject(String(player_id))
      .setAudience(String(brandId))
      .setIssuedAt(now)
      .setExpirationTime(now + tokenSeconds)
      .sign(this.#keys[0]);
  }

  /** Undefined for a token that the platform did not create, or created for another brand, and for an expired one. */
  async read(brandId: number, token: string): Promise<TokenContent | undefined> {
    for (const key of this.#keys) {
      const content = await this.#readWith(key, brandId, token);
      if (content !== undefined) return content;
    }
    return undefined;
  }

  async #readWith(key: Uint8Array, brandId: number, token: string): Promise<TokenContent | undefined> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        typ: tokenType,
        audience: String(brandId),
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(this.#clock() / 1_000),
      });
      const { sub, sid, all, one, test } = payload;
      if (typeof sid !== 'string' || typeof all !== 'number' || typeof one !== 'number') return undefined;
      const known_ends = { all_ended: all, one_ended: one };
      return { player_id: Number(sub), sid_hash: sid, is_test_user: test === true, known_ends };
    } catch {
      return undefined;
    }
  }
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
}
