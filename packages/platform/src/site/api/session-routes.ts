import type { LoginResult } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { supportEmail } from '../../brands/index.ts';
import { channelOf } from '../live/channel.ts';
import type { Caller } from '../session/caller.ts';
import type { SiteDeps } from './deps.ts';
import { credentialOf, signedIn } from './route.ts';

/** Beginning and end of a session with us (docs/reference/decisions.md 8, "How the sid travels"). */
export function sessionRoutes(app: FastifyInstance, deps: SiteDeps): void {
  signedIn(app, deps, {
    method: 'POST',
    path: '/Platform/LoginAuthToken',
    handler: async (caller, request): Promise<LoginResult> => {
      // A token does not prolong itself: an hour after the operator was asked, it is asked again.
      const isToken = caller.via === 'auth_token';
      const token = (isToken ? credentialOf(request) : undefined) ?? (await deps.sessions.tokenFor(caller));
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
  });
  signedIn(app, deps, {
    method: 'POST',
    path: '/Crm/Logout',
    handler: async (caller) => {
      await deps.sessions.end(caller);
      return true;
    },
  });
}

/** What the browser script would otherwise have to be configured with: a channel of another name, and whom players write to. */
function forTheScript({ brand, player_id }: Caller): Pick<LoginResult['User'], 'Channel' | 'SupportEmail'> {
  const { channel_prefix, support_contact } = brand.settings;
  const SupportEmail = supportEmail(support_contact);
  return {
    ...(channel_prefix !== 'private-crm' && { Channel: channelOf(brand, player_id) }),
    ...(SupportEmail !== null && { SupportEmail }),
  };
}
