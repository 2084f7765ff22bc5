import { createHmac } from 'node:crypto';

/*
 * Players of the site for benches. They sign in with JWTs, so that the bench needs no operator that answers a thousand requests
 * per second.
 */
export const siteJwtSecret = 'a secret of the bench, 32 characters';

export const siteUser = (number: number) => `site-player-${number}`;

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The value that the operator's site would set as window.sid. */
export function siteSession(number: number): string {
  const now = Math.floor(Date.now() / 1_000);
  const head = encoded({ alg: 'HS256', typ: 'JWT' });
  const body = encoded({ user_id: siteUser(number), iat: now, exp: now + 3_600 });
  const signature = createHmac('sha256', siteJwtSecret).update(`${head}.${body}`).digest('base64url');
  return `${head}.${body}.${signature}`;
}

export interface SiteIdentity {
  UserId: number;
  BrandId: number;
}

/** Signs in at the site, which creates the player if there is none with this name. */
export async function signIn(base: string, session: string): Promise<SiteIdentity> {
  const answer = await fetch(`${base}/Platform/LoginAuthToken`, { method: 'POST', headers: { authtoken: session } });
  const { Data, Errors } = (await answer.json()) as { Data: { User: SiteIdentity } | null; Errors: unknown };
  if (Data === null) throw new Error(`not signed in: ${JSON.stringify(Errors)}`);
  return Data.User;
}
