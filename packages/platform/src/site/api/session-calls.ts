import { type LoginResult, loginResult } from '@croupier/contracts';
import Type from 'typebox';
import { supportEmail } from '../../brands/index.ts';
import { channelOf } from '../live/channel.ts';
import type { Caller } from '../session/caller.ts';
import { endpoint } from './endpoint.ts';

/* Start and end of a session with the platform (docs/reference/decisions.md 8, "How the sid travels"). */

const tag = 'Start';

export const loginAuthToken = endpoint(
  {
    name: 'loginAuthToken',
    method: 'POST',
    path: '/Platform/LoginAuthToken',
    tag,
    summary: 'Exchange the session id for a token',
    description:
      'The call has no body. The token is accepted wherever a session id is accepted, for an hour. If you call it with a token, it returns the same token. The token ends with the session: at a logout at the operator or on the site, or at an exclusion.',
    may: 'player',
    answer: loginResult,
    answerShown: {
      name: 'LoginAnswer',
      sample: {
        Authentication: { IsAuthenticated: true, AuthToken: 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjo1MX0.c2lnbmF0dXJl' },
        User: { UserId: 51, BrandId: 1, IsTestUser: false },
      },
      means: 'The session is valid.',
    },
  },
  async ({ caller, credential }, { sessions }) => {
    // A token cannot be used to get a new one. So an hour after the last check with the operator, the platform checks again.
    const isToken = caller.via === 'auth_token';
    const token = (isToken ? credential : undefined) ?? (await sessions.tokenFor(caller));
    return {
      Authentication: { IsAuthenticated: true, AuthToken: token },
      User: {
        UserId: caller.player_id,
        BrandId: caller.brand.brand_id,
        IsTestUser: caller.is_test_user,
        ...forTheScript(caller),
      },
    };
  },
);

export const logout = endpoint(
  {
    name: 'logout',
    method: 'POST',
    path: '/Crm/Logout',
    tag,
    summary: 'End the session on this site',
    description:
      'Tokens of this session end immediately, and its sockets are closed. The operator decides whether the session id itself is still valid, and Croupier checks it again when it is used.',
    may: 'player',
    answer: Type.Boolean(),
    answerShown: { name: 'LogoutAnswer', sample: true, means: 'The session has ended.' },
  },
  async ({ caller }, { sessions }) => {
    await sessions.end(caller);
    return true;
  },
);

/**
 * Values that the browser script would otherwise need as configuration: a channel with another prefix, and the support contact.
 */
function forTheScript({ brand, player_id }: Caller): Pick<LoginResult['User'], 'Channel' | 'SupportEmail'> {
  const { channel_prefix, support_contact } = brand.settings;
  const SupportEmail = supportEmail(support_contact);
  return {
    ...(channel_prefix !== 'private-crm' && { Channel: channelOf(brand, player_id) }),
    ...(SupportEmail !== null && { SupportEmail }),
  };
}
