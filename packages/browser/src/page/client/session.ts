import type { LoginResult } from '@croupier/contracts/site';
import { type Call, createHttp, type HttpOptions, SiteError } from './http.ts';

/*
 * Who is signed in. The sid is exchanged for a token once, the token goes with every call, and is renewed before its hour is over
 * or when it is refused. A sid that is refused ends the session for good: nothing is asked again until the page initialises
 * anew, so that a thousand forgotten tabs do not knock at the operator's door.
 */

/** Of the hour that a token is valid. */
const renewAfterMs = 50 * 60_000;
const login = 'Platform/LoginAuthToken';

/** Channel: of a brand that has a name of its own for it. */
export type Player = LoginResult['User'] & { Channel?: string };

export interface Session {
  player: Player;
  call: Call;
  /** Of the moment. */
  token(): string;
  /** Milliseconds to add to the browser's clock to have the server's. */
  clockOffset: number;
}

/** Refused by the server, by whatever name: this sid gets nowhere. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof SiteError && error.status === 401;
}

/** @throws {SiteError} as the login fails. */
export async function openSession(sid: string, options: Omit<HttpOptions, 'credential'>): Promise<Session> {
  const { ground } = options;
  let token = '';
  let renewAt = 0;
  let renewing: Promise<LoginResult> | undefined;
  const bySid = createHttp({ ...options, credential: () => sid });
  const byToken = createHttp({ ...options, credential: () => token });

  const signIn = (): Promise<LoginResult> => {
    renewing ??= bySid<LoginResult>('POST', login)
      .then((result) => {
        token = result.Authentication.AuthToken;
        renewAt = ground.now() + renewAfterMs;
        return result;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };

  const { User } = await signIn();
  const renew = async () => {
    const renewed = await signIn();
    // An operator that gives a session id to somebody else must not show them these messages.
    if (renewed.User.UserId !== User.UserId)
      throw new SiteError('invalid_session', 'The session is another one now.', 401);
  };

  return {
    player: User,
    token: () => token,
    clockOffset: serverTime(token, ground.now()) - ground.now(),
    call: async (method, path, given) => {
      if (ground.now() >= renewAt) await renew();
      const used = token;
      try {
        return await byToken(method, path, given);
      } catch (error) {
        if (!isSignedOut(error)) throw error;
        // Another call may have renewed it meanwhile.
        if (token === used) await renew();
        return byToken(method, path, given);
      }
    },
  };
}

/** The moment at which the token was signed, in milliseconds; a token that cannot be read leaves the browser's clock in charge. */
function serverTime(token: string, otherwise: number): number {
  try {
    const claims = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const { iat } = JSON.parse(claims) as { iat?: unknown };
    return typeof iat === 'number' ? iat * 1_000 : otherwise;
  } catch {
    return otherwise;
  }
}
