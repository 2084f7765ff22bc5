import type { PushState, PushSubscriptionResult } from '@croupier/contracts/site';
import { type Call, pause, siteError } from '../client/http.ts';
import { cacheName, renewalAddress } from './renewal-cache.ts';

/*
 * The page's part of push: asks the player, subscribes the device, and reports its player to the platform.
 *
 *   enablePush() in a click --permission--> worker registered --> subscribed at the push service --> posted, for this player
 *   a player signs in       --device subscribed before?---------------------------------------------> posted, for this player
 *
 * At the end of a session, the platform removes the device. The subscription at the push service stays, so that the next
 * player who signs in takes it over without being asked.
 */

/** dismissed: the player closed the prompt, and the page may ask again. off: the brand sends no pushes. */
export type PushOutcome = 'subscribed' | 'unsubscribed' | 'denied' | 'dismissed' | 'unsupported' | 'off';

export interface PushOptions {
  /** The address of the platform. */
  root: string;
  call: Call;
  /**
   * Address of the worker on the page's own origin. If it is empty, the platform's worker is used if it has the same
   * origin, otherwise /crm-push-worker.js.
   */
  pushWorkerUrl?: string;
  policy: { createScriptURL(url: string): string };
}

/**
 * After a worker was fetched, it soon becomes active. This is checked at intervals of about this length, up to this
 * many times.
 */
const stepMs = 100;
const maxSteps = 99;

const statePath = 'Crm/Push';
const path = 'Crm/PushSubscription';

function addressOf({ root, pushWorkerUrl }: PushOptions): string {
  const ours = root === location.origin ? '/loader/push-worker.js' : '/crm-push-worker.js';
  return new URL(pushWorkerUrl || ours, location.href).href;
}

/**
 * Returns the worker's scope. It is below the worker's own path, so the worker controls no page of the site and
 * conflicts with no other worker.
 */
const scopeOf = (url: string) => new URL('crm-push/', url).href;

const deviceOf = async (options: PushOptions) =>
  (await navigator.serviceWorker?.getRegistration(scopeOf(addressOf(options))))?.pushManager.getSubscription();

/**
 * Asks the player for permission. Call it first in a click handler, because browsers ask only then. @returns null if
 * granted, otherwise the reason
 */
export async function askPermission(): Promise<PushOutcome | null> {
  if (!('PushManager' in self && navigator.serviceWorker)) return 'unsupported';
  if (Notification.permission === 'default' && navigator.userActivation?.isActive === false)
    throw siteError('needs_gesture');
  const permission = await Notification.requestPermission();
  return permission === 'granted' ? null : permission === 'denied' ? permission : 'dismissed';
}

/**
 * Returns the state of this device. The player is not asked, so a page can use it for its own button. A subscribed
 * device is transferred to the next player who signs in. If the platform does not answer whether the brand sends pushes, the
 * state is `unsubscribed`, and `enablePush` reports the error.
 */
export async function pushState(options: PushOptions): Promise<PushOutcome> {
  if (!('PushManager' in self && navigator.serviceWorker)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  if (await deviceOf(options)) return 'subscribed';
  const brand = await options.call<PushState>('GET', statePath).catch(() => null);
  return brand?.Enabled === false ? 'off' : 'unsubscribed';
}

/** Subscribes this device for the player, or transfers it from another player. @throws {SiteError} */
export async function subscribe(options: PushOptions): Promise<PushOutcome> {
  const { call, policy } = options;
  const { Enabled, PublicKey } = await call<PushState>('GET', statePath);
  if (!Enabled) return 'off';
  const url = addressOf(options);
  const registration = await navigator.serviceWorker
    .register(policy.createScriptURL(url), { scope: scopeOf(url) })
    .catch(() => {
      throw siteError('worker_unavailable', url);
    });
  for (let step = 0; !registration.active && step < maxSteps; step++) await pause(stepMs);
  const { pushManager } = registration;
  const wanted = { userVisibleOnly: true, applicationServerKey: PublicKey };
  const Subscription = await pushManager.subscribe(wanted).catch(async () => {
    // The device is subscribed with the brand's former key. The platform removes that endpoint, and a new one is
    // created without asking the player.
    await unsubscribe(options);
    return pushManager.subscribe(wanted).catch(() => {
      throw siteError('push_unavailable');
    });
  });
  const renewal = await call<PushSubscriptionResult>('POST', path, { body: { Subscription, PublicKey } });
  try {
    await (await caches.open(cacheName)).put(renewalAddress, new Response(JSON.stringify(renewal)));
  } catch {
    // If storage throws an error, an endpoint cannot be renewed in the background. The next sign-in corrects that.
  }
  return 'subscribed';
}

/** Runs after a sign-in. A device that was already subscribed now belongs to this player. */
export const takeOver = async (options: PushOptions) => (await deviceOf(options)) && subscribe(options);

/** Ends the pushes on this device, because the player no longer wants them. */
export async function unsubscribe(options: PushOptions): Promise<PushOutcome> {
  const device = await deviceOf(options);
  if (device) {
    await options.call('DELETE', path, { body: { Endpoint: device.endpoint } });
    await device.unsubscribe();
  }
  return 'unsubscribed';
}
