import {
  pushRemovalRequest,
  pushRenewalRequest,
  pushState,
  pushSubscriptionRequest,
  pushSubscriptionResult,
} from '@croupier/contracts';
import type { ClientBase } from 'pg';
import Type from 'typebox';
import { type Brand, Unreadable } from '../../brands/index.ts';
import { type Renewed, renew, type Subscribed, subscribe, unsubscribe } from '../../channels/index.ts';
import { refused, wrongBody } from '../api/documented-answers.ts';
import { endpoint } from '../api/endpoint.ts';
import { SiteRefusal } from '../api/envelope.ts';
import { deviceLimit, pushAnswer, sampleSubscription, sampleToken, tag } from './documented-push.ts';
import { isStillSignedIn } from './still-signed-in.ts';

/*
 * The player's devices, which are added and removed with the player's session. The script that shows pushes runs while no page
 * is open, and has no session: signed tokens authorize it, each for one device or one message (channels/push/tokens.ts).
 */

const PublicKey = sampleSubscription.keys.p256dh;

export const getPush = endpoint(
  {
    name: 'getPush',
    method: 'GET',
    path: '/Crm/Push',
    tag,
    summary: 'Whether the brand sends pushes, and the public key',
    may: 'player',
    answer: pushState,
    answerShown: {
      name: 'PushStateAnswer',
      sample: { Enabled: true, PublicKey },
      means:
        'If it differs from the key in `PushSubscription.options`, the brand has a new key pair. Unsubscribe, and subscribe again with the new key.',
    },
  },
  async ({ brand }, { push: { keys }, log }) => {
    if (!brand.settings.push.enabled) return { Enabled: false, PublicKey: '' };
    try {
      return { Enabled: true, PublicKey: await keys.of(brand) };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      log.error(
        { err: error, brand: brand.code },
        'push is off because its keys cannot be read with this CROUPIER_SECRET; restore the former secret or create new push keys',
      );
      return { Enabled: false, PublicKey: '' };
    }
  },
);

export const subscribeToPush = endpoint(
  {
    name: 'subscribeToPush',
    method: 'POST',
    path: '/Crm/PushSubscription',
    tag,
    summary: 'Subscribe this device for the player',
    description:
      'Call this at each sign-in. A device of another player moves to this player. If the player has ten devices, the least recently seen one is removed. A `PublicKey` that the brand no longer uses is refused.',
    may: 'player',
    body: pushSubscriptionRequest,
    bodyShown: {
      name: 'PushSubscriptionRequest',
      samples: { subscribe: { Subscription: sampleSubscription, PublicKey } },
    },
    answer: pushSubscriptionResult,
    answerShown: {
      name: 'PushSubscriptionAnswer',
      sample: { Token: sampleToken, PublicKey, BaseUrl: 'https://crm.example.com/site/demo' },
      means: 'Token for the call PushRenewed.',
    },
    refusals: [wrongBody, refused('The brand sends no pushes.', 'function_off')],
  },
  async ({ caller, body: { Subscription, PublicKey: public_key } }, { push, pool, clock, publicUrl }) => {
    mustSend(caller.brand);
    const device = { endpoint: Subscription.endpoint, keys: Subscription.keys, public_key };
    const isSignedIn = (tx: ClientBase) => isStillSignedIn(tx, caller);
    const result = await subscribe({ ...push, pool, clock }, { ...caller, isSignedIn }, device).catch(sendsNone);
    // The player may have signed out, or may have been excluded or erased, since the call was admitted.
    const bound = boundBy(result, 'session_ended');
    return { Token: bound.token, PublicKey: bound.public_key, BaseUrl: `${publicUrl}/site/${caller.brand.code}` };
  },
);

export const unsubscribeFromPush = endpoint(
  {
    name: 'unsubscribeFromPush',
    method: 'DELETE',
    path: '/Crm/PushSubscription',
    tag,
    summary: 'Remove this device',
    description: 'A second call changes nothing. A device of another player is not removed.',
    may: 'player',
    body: pushRemovalRequest,
    bodyShown: { name: 'PushRemovalRequest', samples: { remove: { Endpoint: sampleSubscription.endpoint } } },
    answer: Type.Null(),
    answerShown: pushAnswer('The device gets no more pushes.'),
    refusals: [wrongBody],
  },
  async ({ caller, body }, { pool, clock }) => {
    await unsubscribe({ pool, clock }, caller, body.Endpoint);
    return null;
  },
);

export const renewPush = endpoint(
  {
    name: 'renewPush',
    method: 'POST',
    path: '/Crm/PushRenewed',
    tag,
    summary: 'Report a new endpoint of this device',
    may: 'anyone',
    networkLimit: deviceLimit,
    body: pushRenewalRequest,
    bodyBytes: 4_096,
    bodyShown: {
      name: 'PushRenewalRequest',
      samples: { renew: { Token: sampleToken, Subscription: sampleSubscription } },
    },
    answer: Type.Null(),
    answerShown: pushAnswer('The device gets pushes at the new endpoint.'),
    refusals: [wrongBody, refused('The token does not belong to a device.', 'unknown_device')],
  },
  async ({ brand, body: { Token, Subscription } }, { push, pool }) => {
    const device = { endpoint: Subscription.endpoint, keys: Subscription.keys };
    boundBy(await renew({ ...push, pool }, brand, Token, device), 'unknown_device');
    return null;
  },
);

function mustSend({ settings }: Brand): void {
  if (!settings.push.enabled) throw new SiteRefusal('function_off', { message: 'The brand has switched push off.' });
}

/** `GET Crm/Push` reports the same. */
function sendsNone(error: unknown): never {
  if (!(error instanceof Unreadable)) throw error;
  throw new SiteRefusal('function_off', { message: 'The push keys of the brand cannot be read.' });
}

const faults = {
  endpoint: 'Subscription.endpoint must be the https address of a push service, on the default port.',
  keys: 'Subscription.keys must be the keys of a browser subscription: p256dh is a P-256 point, auth has 16 bytes.',
  key: 'PublicKey is no longer a key of the brand. Unsubscribe, and subscribe again with the key of GET Crm/Push.',
} as const;

function boundBy<Result extends Subscribed | Renewed>(
  result: Result,
  whenUnknown: 'session_ended' | 'unknown_device',
): Extract<Result, { token: string }> {
  if (result.fault === undefined) return result as Extract<Result, { token: string }>;
  if (result.fault === 'unknown') throw new SiteRefusal(whenUnknown);
  throw new SiteRefusal('invalid_request', { message: faults[result.fault] });
}
