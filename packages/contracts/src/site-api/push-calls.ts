import Type from 'typebox';
import type { Call } from '../calls/call.ts';
import { answered, refused, sessionRefusals } from './answers.ts';
import * as records from './push-records.ts';

/*
 * Calls of `Crm.enablePush`, and of the script that shows pushes. That script runs while no page is open and has no session: its two calls
 * are secured by signed tokens in their bodies.
 */

const wrongBody = refused('A field is missing or wrong; the message names it.', 'invalid_request');

const tag = 'Push';
const Subscription = {
  endpoint: 'https://push.example.com/v2/gAAAAABk',
  keys: {
    p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
};
const PublicKey = Subscription.keys.p256dh;
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
        { Enabled: true, PublicKey },
        'Where it is not the key of `PushSubscription.options`, the brand has got another pair: unsubscribe, and subscribe anew with it.',
      ),
      ...sessionRefusals,
    ],
  },
  {
    name: 'subscribeToPush',
    method: 'POST',
    path: '/Crm/PushSubscription',
    tag,
    summary: 'Subscribe this device for the player',
    description:
      'Repeated at each sign-in. A device of another player moves to this one; of a player with ten, the one that was seen least recently goes. A `PublicKey` that the brand does not use any more is refused.',
    request: {
      schema: records.pushSubscriptionRequest,
      schemaName: 'PushSubscriptionRequest',
      samples: { subscribe: { Subscription, PublicKey } },
    },
    answers: [
      answered(
        'PushSubscriptionAnswer',
        records.pushSubscriptionResult,
        { Token, PublicKey, BaseUrl: 'https://crm.example.com/site/demo' },
        'What PushRenewed is called with.',
      ),
      wrongBody,
      refused('The brand sends no pushes.', 'function_off'),
      ...sessionRefusals,
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
    answers: [ok('It gets no more pushes.'), wrongBody, ...sessionRefusals],
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
    answers: [ok('It gets pushes there.'), wrongBody, refused('The token is of no device here.', 'unknown_device')],
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
    answers: [ok('It is read.'), wrongBody, refused('The token is of no message here.', 'unknown_notification')],
  },
];
