import type { LoginResult } from '@croupier/contracts/site';
import { type Call, request, type SiteError, siteError } from './http.ts';

/*
 * The session of the signed-in player. The sid is exchanged for a token once, and the token is sent with every call. When the token is
 * refused, which happens once an hour, it is renewed. A refused sid ends the session permanently. No more calls are
 * made until the page initializes again, so that thousands of forgotten tabs do not keep calling the operator.
 */

export type Player = LoginResult['User'];

export interface Session {
  /** @throws {SiteError} of the login */
  signIn(): Promise<Player>;
  call: Call;
  /**
   * Ends the session at the server. It also works if the visit has ended, or has just started. If the session has already
   * ended, this is not an error.
   */
  logout(): Promise<unknown>;
}

/**
 * @param base {notifications_base_url}, once it is known
 * @param onRefused called if the sid is not valid, or no longer valid
 */
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

  /** If the token of several calls is refused, only one of them renews it. */
  const signIn = () => {
    signingIn ??= send<LoginResult>(sid, 'POST', 'Platform/LoginAuthToken')
      .then(({ Authentication, User }) => {
        // If an operator gives a session id to another player, that player must not see the messages of the first.
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
      // After an hour, the token is refused, but the sid is not. If the operator has signed the player out, the sid is
      // refused, but the token is not.
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
