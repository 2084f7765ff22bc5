import Type, { type TSchema } from 'typebox';
import type { Answer, Call } from '../calls/call.ts';
import { type SiteErrorCode, siteErrors } from './errors.ts';
import * as records from './push-records.ts';
import { envelopeOf } from './records.ts';

/*
 * Calls of `Crm.enablePush`, and of the script that shows pushes. That script runs while no page is open and has no session: its two calls
 * are secured by signed tokens in their bodies.
 */

function answered(schemaName: string, data: TSchema, sample: unknown, description: string): Answer {
  const samples = { [schemaName]: { Data: sample, Success: true, Errors: [] } };
  return { status: 200, description, schema: envelopeOf(data), schemaName, samples };
}

function refused(code: SiteErrorCode): Answer {
  const { id, message, status } = siteErrors[code];
  const Errors = [{ Message: message, Error: code, ErrorCodeID: id }];
  return {
    ...{ status, description: message },
    ...{ schema: envelopeOf(Type.Null()), schemaName: 'Failure' },
    samples: { [code]: { Data: null, Success: false, Errors } },
  };
}

const tag = 'Push';
const Subscription = {
  endpoint: 'https://push.example.com/v2/gAAAAABk',
  keys: {
    p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
};
const Token = '1.881.bWFya3Mgb25lIG1lc3NhZw';
const ok = (description: string) => answered('PushAnswer', Type.Null(), null, description);

export const pushCalls: readonly Call[] = [
  {
    name: 'getPush',
    method: 'GET',
    path: '/Crm/Push',
    tag,
    summary: 'Whether the brand sends pushes, and the key to subscribe with',
    answers: [
      answered(
        'PushStateAnswer',
        records.pushState,
        { Enabled: true, PublicKey: Subscription.keys.p256dh },
        'The key is the same until the installation gets another one.',
      ),
      refused('invalid_session'),
    ],
  },
  {
    name: 'subscribeToPush',
    method: 'POST',
    path: '/Crm/PushSubscription',
    tag,
    summary: 'Subscribe this device for the player',
    description:
      'Repeated at each sign-in. A device of another player moves to this one; of a player with ten, the one that was seen least recently goes.',
    request: {
      schema: records.pushSubscriptionRequest,
      schemaName: 'PushSubscriptionRequest',
      samples: { subscribe: { Subscription } },
    },
    answers: [
      answered('PushSubscriptionAnswer', records.pushSubscriptionResult, { Token }, 'The token serves PushRenewed.'),
      ...(['invalid_request', 'invalid_session', 'function_off'] as const).map(refused),
    ],
  },
  {
    name: 'unsubscribeFromPush',
    method: 'DELETE',
    path: '/Crm/PushSubscription',
    tag,
    summary: 'Remove this device',
    description: 'Removing again is harmless; a device of another player stays.',
    request: {
      schema: records.pushRemovalRequest,
      schemaName: 'PushRemovalRequest',
      samples: { remove: { Endpoint: Subscription.endpoint } },
    },
    answers: [ok('It gets no more pushes.'), ...(['invalid_request', 'invalid_session'] as const).map(refused)],
  },
  {
    name: 'renewPush',
    method: 'POST',
    path: '/Crm/PushRenewed',
    tag,
    summary: 'The browser gave this device another endpoint',
    secured: false,
    request: {
      schema: records.pushRenewalRequest,
      schemaName: 'PushRenewalRequest',
      samples: { renew: { Token, Subscription } },
    },
    answers: [ok('It gets pushes there.'), ...(['invalid_request', 'unknown_device'] as const).map(refused)],
  },
  {
    name: 'pushClicked',
    method: 'POST',
    path: '/Crm/PushClicked',
    tag,
    summary: 'The player pressed a notification',
    description: 'Its message counts as read. Telling again is harmless.',
    secured: false,
    request: { schema: records.pushClickRequest, schemaName: 'PushClickRequest', samples: { press: { Token } } },
    answers: [ok('It is read.'), ...(['invalid_request', 'unknown_notification'] as const).map(refused)],
  },
];
