import Type, { type TSchema } from 'typebox';
import type { Answer, Call, Parameter } from '../calls/call.ts';
import { playerCalls } from './player-calls.ts';
import { pushCalls } from './push-calls.ts';
import * as records from './records.ts';
import { invalidSession, sampleNotification, unknownNotification } from './samples.ts';

/** The notification API of a brand: interface.md section C and decisions.md 8. */
function answered(schemaName: string, data: TSchema, sample: unknown, description: string): Answer {
  return {
    status: 200,
    description,
    schema: records.envelopeOf(data),
    schemaName,
    samples: { [schemaName]: { Data: sample, Success: true, Errors: [] } },
  };
}

const failure = records.envelopeOf(Type.Null());
const notSignedIn: Answer = {
  status: 401,
  description: 'The session id is missing or not valid.',
  schema: failure,
  schemaName: 'Failure',
  samples: { invalid_session: invalidSession },
};
const unknownId: Answer = {
  status: 404,
  description: 'The player has no such notification.',
  schema: failure,
  schemaName: 'Failure',
  samples: { unknown_notification: unknownNotification },
};

const brand: Parameter = {
  in: 'path',
  name: 'brand',
  required: true,
  description: 'Code of the brand (window.crmbrand).',
  schema: Type.String(),
  example: 'demo',
};
const notificationId: Parameter = {
  in: 'path',
  name: 'ID',
  required: true,
  description: 'MessageId of the notification.',
  schema: Type.Integer(),
  example: 1201,
};

const filters: readonly Parameter[] = [
  filter('unread-only', Type.Boolean(), 'True: only unread ones.'),
  filter('inbox-only', Type.Boolean(), 'True: only those with the event inbox.'),
  filter('limit', Type.Integer({ minimum: 1, maximum: 100 }), 'At most so many.'),
  filter('before', Type.Integer(), 'Only those older than this MessageId.'),
];

function filter(name: string, schema: TSchema, description: string): Parameter {
  return { in: 'query', name, description, schema };
}

export const siteCalls: readonly Call[] = [
  {
    name: 'getConfig',
    method: 'GET',
    path: '/api/v1/config/{brand}',
    server: '/',
    tag: 'Start',
    summary: 'What a self-built front end needs to know',
    secured: false,
    parameters: [brand],
    answers: [
      {
        status: 200,
        description: 'The addresses.',
        schema: records.siteConfig,
        schemaName: 'SiteConfig',
        samples: {
          demo: {
            crmUrl: 'https://crm.example.com/site/demo',
            fusionUrl: 'https://crm.example.com/site/demo',
            prismaUrl: 'https://crm.example.com/site/demo',
            pusherKey: 'demo',
            pusherRegion: 'eu',
            wsHost: 'crm.example.com',
            wsPort: 443,
            forceTLS: true,
          },
        },
      },
    ],
  },
  {
    name: 'loginAuthToken',
    method: 'POST',
    path: '/Platform/LoginAuthToken',
    tag: 'Start',
    summary: 'Exchange the session id for a token',
    answers: [
      answered(
        'LoginAnswer',
        records.loginResult,
        {
          Authentication: { IsAuthenticated: true, AuthToken: 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjo1MX0.c2lnbmF0dXJl' },
          User: { UserId: 51, BrandId: 1, IsTestUser: false },
        },
        'The session is valid.',
      ),
      notSignedIn,
    ],
  },
  {
    name: 'listNotifications',
    method: 'GET',
    path: '/Notifications/v2/user-notifications',
    tag: 'Notifications',
    summary: 'Notifications of the player, newest first',
    description: 'Expired and deleted ones are left out.',
    parameters: filters,
    answers: [
      answered('NotificationList', Type.Array(records.notificationRecord), [sampleNotification], 'The notifications.'),
      { status: 400, description: 'A filter has a value that it cannot have.', schema: failure, schemaName: 'Failure' },
      notSignedIn,
    ],
  },
  {
    name: 'getNotification',
    method: 'GET',
    path: '/Notifications/v2/user-notification/{ID}',
    tag: 'Notifications',
    summary: 'One notification',
    parameters: [notificationId],
    answers: [
      answered('NotificationAnswer', records.notificationRecord, sampleNotification, 'The notification.'),
      notSignedIn,
      unknownId,
    ],
  },
  {
    name: 'deleteNotification',
    method: 'DELETE',
    path: '/Notifications/v2/user-notification/{ID}',
    tag: 'Notifications',
    summary: 'Delete a notification',
    description: 'Deleting again is harmless.',
    parameters: [notificationId],
    answers: [answered('DeleteAnswer', Type.Null(), null, 'It is deleted.'), notSignedIn, unknownId],
  },
  {
    name: 'markNotificationAsRead',
    method: 'POST',
    path: '/Notifications/MarkNotificationAsRead',
    tag: 'Notifications',
    summary: 'Mark a notification as read',
    description: 'Marking again is harmless.',
    request: {
      schema: records.markAsReadRequest,
      schemaName: 'MarkAsReadRequest',
      samples: { read: { MessageId: 1201 } },
    },
    answers: [answered('MarkAsReadAnswer', Type.Boolean(), true, 'It is read.'), notSignedIn, unknownId],
  },
  {
    name: 'authorizeChannel',
    method: 'POST',
    path: '/external/pusher',
    tag: 'Live delivery',
    summary: "Authorise a socket for the player's channel",
    description: 'Called by Pusher client libraries; /external/pusher/{brand} is the same.',
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
      { ...notSignedIn, status: 403, description: 'The channel is not the one of the player.' },
    ],
  },
  ...playerCalls,
  ...pushCalls,
];
