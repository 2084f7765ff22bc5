import type { FastifyInstance } from 'fastify';
import type { SiteDeps } from '../api/deps.ts';
import { SiteRefusal } from '../api/envelope.ts';
import { fieldsOf, signedIn } from '../api/route.ts';
import { channelOf } from './channel.ts';

const socketIdPattern = /^\d{1,20}\.\d{1,20}$/;

/**
 * POST /external/pusher[/<brand>]: proves to a socket that it may have the channel of the calling player (docs/reference/decisions.md 8).
 * Answers `{auth}` and nothing around it, as the clients of the Pusher protocol expect.
 */
export function channelAuthRoutes(app: FastifyInstance, deps: SiteDeps): void {
  for (const path of ['/external/pusher', '/external/pusher/:code']) {
    signedIn(app, deps, {
      method: 'POST',
      path,
      // The libraries of some platforms can set no header: they are given an address with the credential in it.
      alsoInQuery: true,
      takesForms: true,
      withoutEnvelope: true,
      async handler({ brand, player_id }, request) {
        const { code = brand.code } = request.params as { code?: string };
        if (code !== brand.code) throw new SiteRefusal('unknown_brand');
        const { socket_id: socketId, channel_name: channel } = fieldsOf(request);
        if (typeof socketId !== 'string' || !socketIdPattern.test(socketId) || typeof channel !== 'string')
          throw new SiteRefusal('invalid_request', { message: 'socket_id and channel_name of the socket are needed.' });
        if (channel !== channelOf(brand, player_id)) throw new SiteRefusal('forbidden_channel');
        return { auth: deps.signer.sign(brand, socketId, channel) };
      },
    });
  }
}
