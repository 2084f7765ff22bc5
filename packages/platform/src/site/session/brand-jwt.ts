import { jwtVerify } from 'jose';
import type { SiteJwt } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { readUserId } from './user-id.ts';

/** Allowed difference between the operator's clock and ours, in seconds. */
const clockToleranceSeconds = 30;

export interface JwtContent {
  user_id: string;
  /** When the JWT was issued, in seconds since 1970. */
  issued_at: number;
}

/**
 * Reads a JWT of the brand (docs/reference/decisions.md 8, "JWT instead of a sid"): HS256 with the brand's secret only, so that
 * neither `none` nor a public key used as a secret is accepted. user_id, iat and exp are required.
 *
 * @returns undefined if it is invalid: forged, expired, or older than the brand allows, whatever its exp
 */
export async function readBrandJwt(jwt: string, setting: SiteJwt, clock: Clock): Promise<JwtContent | undefined> {
  try {
    const { payload } = await jwtVerify(jwt, Buffer.from(setting.secret, 'utf8'), {
      algorithms: ['HS256'],
      requiredClaims: ['user_id', 'iat', 'exp'],
      maxTokenAge: setting.max_age_minutes * 60,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(clock() / 1_000),
    });
    const user_id = readUserId(payload.user_id);
    return user_id === undefined ? undefined : { user_id, issued_at: payload.iat ?? 0 };
  } catch {
    return undefined;
  }
}
