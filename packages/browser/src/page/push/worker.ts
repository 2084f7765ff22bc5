import type { PushPayload, PushSubscriptionResult } from '@croupier/contracts/site';
import { cacheName, renewalAddress } from './renewal-cache.ts';

/*
 * The script of the site's service worker that shows pushes. It has no session. Each push contains a token with which
 * the script reports that its message was clicked. The page also stores a token for the device. The script may be
 * imported into an existing worker of the site, so it ignores other pushes and notifications.
 */

/**
 * The part of the worker's global scope that is used here. It is declared here because TypeScript declares only the
 * scope of pages.
 */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: object): Promise<{ url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}
interface WorkerEvent {
  /** Keeps the worker running until the promise ends. A value that is not a promise counts as complete immediately. */
  waitUntil(work: unknown): void;
  data?: { json(): unknown } | null;
  notification?: Notification;
  newSubscription?: PushSubscription | null;
}

const worker = self as unknown as WorkerScope;
const on = (type: string, work: (event: WorkerEvent) => unknown) =>
  worker.addEventListener(type, (event) => event.waitUntil(work(event)));

/** Posts a body as text, so that the request needs no preflight. It is tried twice. */
function post(base: string, path: string, body: object): Promise<Response> {
  const send = () => fetch(`${base}/Crm/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return send().catch(send);
}

/** Opens the target of a click. Only http(s) addresses are allowed. For any other address, it opens the site itself. */
async function open(link = '/'): Promise<unknown> {
  const { origin } = location;
  const { protocol, href } = new URL(link, origin);
  const url = /^https?:$/.test(protocol) ? href : origin;
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find((one) => one.url === url);
  return shown ? shown.focus() : worker.clients.openWindow(url);
}

on('push', ({ data }) => {
  // A push that is not JSON is not ours. Then this line throws an error, which has no effect.
  const payload = data?.json() as Partial<PushPayload> | undefined;
  if (!payload?.token) return;
  const { title = '', id, ...shown } = payload;
  // With the tag, a push that is delivered twice shows one notification.
  return worker.registration.showNotification(title, {
    ...shown,
    tag: `crm-${id}`,
    data: payload,
  } as NotificationOptions);
});

on('notificationclick', ({ notification }) => {
  const { token: Token, base, link } = (notification?.data ?? {}) as Partial<PushPayload>;
  if (!Token || !base) return;
  notification?.close();
  return Promise.all([open(link), post(base, 'PushClicked', { Token })]);
});

on('pushsubscriptionchange', async ({ newSubscription }) => {
  const renewal = await (await caches.open(cacheName)).match(renewalAddress);
  if (!renewal) return;
  const { BaseUrl, Token, PublicKey } = (await renewal.json()) as PushSubscriptionResult;
  const wanted = { userVisibleOnly: true, applicationServerKey: PublicKey };
  const Subscription = newSubscription ?? (await worker.registration.pushManager.subscribe(wanted));
  const { status } = await post(BaseUrl, 'PushRenewed', { Token, Subscription });
  // The player has left this device since then.
  if (status === 404) await Subscription.unsubscribe();
});
