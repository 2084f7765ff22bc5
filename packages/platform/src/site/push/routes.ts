import {
  type PushState,
  type PushSubscriptionResult,
  pushClickRequest,
  pushRemovalRequest,
  pushRenewalRequest,
  pushSubscriptionRequest,
  validator,
} from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { ClientBase } from 'pg';
import { type Brand, Unreadable } from '../../brands/index.ts';
import {
  markRead,
  noteClick,
  pushedMessage,
  type Renewed,
  recordActivities,
  renew,
  type Subscribed,
  subscribe,
  unsubscribe,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { SiteDeps } from '../api/deps.ts';
import { SiteRefusal } from '../api/envelope.ts';
import { bodyOf, brandOf, signedIn, withToken } from '../api/route.ts';
import { isStillSignedIn } from './still-signed-in.ts';

const bodies = {
  subscribe: validator(pushSubscriptionRequest),
  remove: validator(pushRemovalRequest),
  renew: validator(pushRenewalRequest),
  click: validator(pushClickRequest),
};

/** Of one network: behind the address of a mobile carrier, thousands of players press the same push within minutes. */
const devices = { burst: 500, per_second: 50 } as const;

/**
 * Push on the site: the player's device comes and goes with the player's session. The script that shows pushes has none; what it may do
 * stands in signed tokens, each good for one device or one message (channels/push/tokens.ts).
 */
export function pushRoutes(app: FastifyInstance, deps: SiteDeps): void {
  const { pool, clock, log, signals } = deps;
  const { vault, keys, tokens } = deps.push;

  signedIn(app, deps, {
    method: 'GET',
    path: '/Crm/Push',
    handler: async ({ brand }): Promise<PushState> => {
      if (!brand.settings.push.enabled) return { Enabled: false, PublicKey: '' };
      try {
        return { Enabled: true, PublicKey: await keys.of(brand) };
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        log.error({ err: error, brand: brand.code }, 'push is off: its keys cannot be read with this CROUPIER_SECRET');
        return { Enabled: false, PublicKey: '' };
      }
    },
  });

  signedIn(app, deps, {
    method: 'POST',
    path: '/Crm/PushSubscription',
    handler: async (caller, request): Promise<PushSubscriptionResult> => {
      mustSend(caller.brand);
      const { Subscription, PublicKey: public_key } = bodyOf(request, bodies.subscribe);
      const device = { endpoint: Subscription.endpoint, keys: Subscription.keys, public_key };
      const isSignedIn = (tx: ClientBase) => isStillSignedIn(tx, caller);
      const subscriber = { ...caller, isSignedIn };
      const result = await subscribe({ pool, vault, keys, tokens, clock }, subscriber, device).catch(sendsNone);
      // Signed out, excluded or erased since the call was admitted.
      const bound = boundBy(result, 'session_ended');
      return {
        Token: bound.token,
        PublicKey: bound.public_key,
        BaseUrl: `${deps.publicUrl}/site/${caller.brand.code}`,
      };
    },
  });

  signedIn(app, deps, {
    method: 'DELETE',
    path: '/Crm/PushSubscription',
    handler: async (caller, request) => {
      await unsubscribe({ pool, clock }, caller, bodyOf(request, bodies.remove).Endpoint);
      return null;
    },
  });

  withToken(app, deps, {
    method: 'POST',
    path: '/Crm/PushRenewed',
    bodyLimit: 4_096,
    rate: devices,
    async handler(request) {
      const { Token, Subscription } = bodyOf(request, bodies.renew);
      const device = { endpoint: Subscription.endpoint, keys: Subscription.keys };
      boundBy(await renew({ pool, vault, tokens }, brandOf(request), Token, device), 'unknown_device');
    },
  });

  withToken(app, deps, {
    method: 'POST',
    path: '/Crm/PushClicked',
    bodyLimit: 1_024,
    rate: devices,
    async handler(request) {
      const { brand_id } = brandOf(request);
      const delivery_id = tokens.read('click', brand_id, bodyOf(request, bodies.click).Token);
      if (delivery_id === null) throw new SiteRefusal('unknown_notification');
      const at = clock();
      const { outcome, signals: written } = await transaction(pool, async (tx) => {
        const pressed = await pushedMessage(tx, { brand_id, delivery_id });
        if (pressed === null) return { outcome: 'unknown', signals: [] };
        // The message first: whatever withdraws it locks it before its deliveries.
        const { player_id, message_id } = pressed;
        const read = await markRead(tx, player_id, message_id, at);
        await recordActivities(tx, player_id, [{ message_id, activity: 'clicked' }], at);
        await noteClick(tx, delivery_id, at);
        return read;
      });
      signals.poke(written);
      // Withdrawn or deleted meanwhile: the press is noted, and there is nothing to read.
      if (outcome === 'unknown') throw new SiteRefusal('unknown_notification');
    },
  });
}

function mustSend({ settings }: Brand): void {
  if (!settings.push.enabled) throw new SiteRefusal('function_off', { message: 'The brand has switched push off.' });
}

/** `GET Crm/Push` says so, too. */
function sendsNone(error: unknown): never {
  if (!(error instanceof Unreadable)) throw error;
  throw new SiteRefusal('function_off', { message: "The brand's keys of push cannot be read." });
}

const faults = {
  endpoint: 'Subscription.endpoint must be the https address of a push service, at its usual port.',
  keys: 'Subscription.keys must be those of a browser: p256dh a point of P-256, auth 16 bytes.',
  key: 'PublicKey is no key of the brand any more: unsubscribe, and subscribe anew with that of GET Crm/Push.',
} as const;

function boundBy<Result extends Subscribed | Renewed>(
  result: Result,
  whenUnknown: 'session_ended' | 'unknown_device',
): Extract<Result, { token: string }> {
  if (result.fault === undefined) return result as Extract<Result, { token: string }>;
  if (result.fault === 'unknown') throw new SiteRefusal(whenUnknown);
  throw new SiteRefusal('invalid_request', { message: faults[result.fault] });
}
