import type { LoginResult } from '@croupier/contracts/site';
import { type Call, request, type SiteError, siteError } from './http.ts';

/*
 * Who is signed in. The sid is exchanged for a token once, the token goes with every call, and is renewed when it is refused,
 * which is once an hour. A sid that is refused ends the session for good: nothing is asked again until the page initialises
 * anew, so that a thousand forgotten tabs do not knock at the operator's door.
 */

export type Player = LoginResult['User'];

export interface Session {
  /** @throws {SiteError} as the login fails. */
  signIn(): Promise<Player>;
  call: Call;
  /** Ends the session at the server; works when the visit has ended, or has hardly begun. A session that is over already is no error. */
  logout(): Promise<unknown>;
}

/** @param base {notifications_base_url}, once it is known. @param onRefused The sid is not, or no longer, valid. */
export function createSession(
  base: () => Promise<string>,
  sid: string,
  ended: AbortSignal,
  onRefused: (error: SiteError) => void,
): Session {
  let token = '';
  let player: Player | undefined;
  let signingIn: Promise<Player> | undefined;

  const send = async <T>(credential: string, ...[method, path, given]: Parameters<Call>) =>
    request<T>(`${await base()}/${path}`, { ...given, method, credential, ended });

  /** However many calls find the token refused, one of them renews it. */
  const signIn = () => {
    signingIn ??= send<LoginResult>(sid, 'POST', 'Platform/LoginAuthToken')
      .then(({ Authentication, User }) => {
        // An operator that gives a session id to somebody else must not show them these messages.
        if (player && player.UserId !== User.UserId) throw siteError('invalid_session', 'another', 401);
        token = Authentication.AuthToken;
        player = User;
        return User;
      })
      .catch((error) => {
        if (error.status === 401) onRefused(error);
        throw error;
      })
      .finally(() => {
        signingIn = undefined;
      });
    return signingIn;
  };

  return {
    signIn,
    async call(...given) {
      const used = token;
      try {
        return await send(used, ...given);
      } catch (error) {
        if ((error as SiteError).status !== 401) throw error;
        if (token === used) await signIn();
        return send(token, ...given);
      }
    },
    async logout() {
      // After an hour the token is refused and the sid is not; where the operator has signed the player out, the other way round.
      for (const credential of token ? [token, sid] : [sid]) {
        try {
          return await request(`${await base()}/Crm/Logout`, { method: 'POST', credential, keepalive: true });
        } catch (error) {
          if ((error as SiteError).status !== 401) throw error;
        }
      }
    },
  };
}
