import { channelAuthRequest, channelAuthResult } from '@croupier/contracts';
import Type from 'typebox';
import type { SiteDeps } from '../api/deps.ts';
import { refused } from '../api/documented-answers.ts';
import { endpoint } from '../api/endpoint.ts';
import { SiteRefusal } from '../api/envelope.ts';
import type { Caller } from '../session/caller.ts';
import { channelOf } from './channel.ts';

const socketIdPattern = /^\d{1,20}\.\d{1,20}$/;

/**
 * Authorizes a socket for the channel of the calling player (docs/reference/decisions.md 8, "Live delivery"). Answers `{auth}`
 * without the envelope, as clients of the Pusher protocol expect.
 */
const authorization = {
  method: 'POST',
  tag: 'Live delivery',
  may: 'player',
  query: Type.Object({
    // The libraries of some platforms cannot set a header; they use an address that contains the credential.
    authToken: Type.Optional(Type.String({ description: 'Session id or AuthToken, instead of the header.' })),
  }),
  credentialInQuery: true,
  body: channelAuthRequest,
  takesForms: true,
  bodyShown: {
    name: 'ChannelAuthRequest',
    samples: { subscribe: { socket_id: '123.456', channel_name: 'private-crm-1-51' } },
  },
  answer: channelAuthResult,
  withoutEnvelope: true,
  answerShown: { name: 'ChannelAuthResult', sample: { auth: 'demo:2f6d1b0c9a' }, means: 'The socket may subscribe.' },
  refusals: [
    refused('socket_id or channel_name is missing or invalid.', 'invalid_request'),
    refused('The channel does not belong to the player.', 'forbidden_channel'),
  ],
} as const;

export const authorizeChannel = endpoint(
  {
    ...authorization,
    name: 'authorizeChannel',
    path: '/external/pusher',
    summary: "Authorize a socket for the player's channel",
    description:
      'Called by Pusher client libraries. /external/pusher/{code} is the same. A successful answer has their format, without the envelope.',
  },
  async ({ caller, body }, { signer }) => authorize(caller, body, signer),
);

export const authorizeChannelOfBrand = endpoint(
  {
    ...authorization,
    name: 'authorizeChannelOfBrand',
    path: '/external/pusher/:code',
    summary: "Authorize a socket for the player's channel, with the brand in the path",
    description: 'For libraries that are configured with this path.',
    params: Type.Object({ code: Type.String({ description: 'Code of the same brand.', examples: ['demo'] }) }),
  },
  async ({ caller, params, body }, { signer }) => {
    if (params.code !== caller.brand.code) throw new SiteRefusal('unknown_brand');
    return authorize(caller, body, signer);
  },
);

function authorize(
  { brand, player_id }: Caller,
  { socket_id: socketId, channel_name: channel }: { socket_id: string; channel_name: string },
  signer: SiteDeps['signer'],
): { auth: string } {
  if (!socketIdPattern.test(socketId))
    throw new SiteRefusal('invalid_request', { message: 'socket_id must be the id of the socket.' });
  if (channel !== channelOf(brand, player_id)) throw new SiteRefusal('forbidden_channel');
  return { auth: signer.sign(brand, socketId, channel) };
}
