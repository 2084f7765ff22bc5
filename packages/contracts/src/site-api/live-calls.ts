import Type from 'typebox';
import type { Call } from '../calls/call.ts';
import { refused, sessionRefusals } from './answers.ts';
import * as records from './records.ts';

/** What stands between a Pusher client library and the player's channel (docs/reference/decisions.md 8, "Live delivery"). */
export const liveCalls: readonly Call[] = [
  {
    name: 'authorizeChannel',
    method: 'POST',
    path: '/external/pusher',
    tag: 'Live delivery',
    summary: "Authorise a socket for the player's channel",
    description:
      'Called by Pusher client libraries; /external/pusher/{brand} is the same. A success is answered in their form, without the envelope.',
    parameters: [
      {
        in: 'query',
        name: 'authToken',
        description: 'Session id or AuthToken, instead of the header.',
        schema: Type.String(),
      },
    ],
    request: {
      schema: records.channelAuthRequest,
      schemaName: 'ChannelAuthRequest',
      samples: { subscribe: { socket_id: '123.456', channel_name: 'private-crm-1-51' } },
      alsoAs: ['application/x-www-form-urlencoded'],
    },
    answers: [
      {
        status: 200,
        description: 'The socket may subscribe.',
        schema: records.channelAuthResult,
        schemaName: 'ChannelAuthResult',
        samples: { subscribe: { auth: 'demo:2f6d1b0c9a' } },
      },
      refused('socket_id or channel_name is missing or wrong.', 'invalid_request'),
      ...sessionRefusals,
      refused('The channel is not the one of the player.', 'forbidden_channel'),
    ],
  },
];
