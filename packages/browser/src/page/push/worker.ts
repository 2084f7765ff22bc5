import type { PushSubscriptionResult } from '@croupier/contracts/site';
import { cacheName, keptAt } from './kept.ts';

/*
 * The script of the site's service worker that shows pushes. It has no session: each push brings a token that is good for saying that
 * this very message was pressed, and the page leaves one for the device. It may stand in a worker that the site has already:
 * pushes and notifications that are not ours are left alone.
 */

/** What the platform sends (channels/push/payload.ts). */
interface Payload {
  id: number;
  title: string;
  body: string;
  link?: string;
  image?: string;
  icon?: string;
  base: string;
  token: string;
}

/** The part of the worker's own world that is used here: TypeScript knows that of pages only. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  location: Location;
  clients: {
    matchAll(options: object): Promise<{ url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): void;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}
interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
  data?: { json(): unknown } | null;
  notification?: Notification;
  newSubscription?: PushSubscription | null;
}

const worker = self as unknown as WorkerScope;
const on = (type: string, work: (event: WorkerEvent) => Promise<unknown> | undefined) =>
  worker.addEventListener(type, (event) => {
    const done = work(event);
    if (done) event.waitUntil(done);
  });

/** As a simple request, which needs no leave beforehand. @returns the status; 0: no answer, twice. */
async function post(base: string, path: string, body: unknown): Promise<number> {
  const send = () =>
    fetch(`${base}/Crm/${path}`, { method: 'POST', body: JSON.stringify(body), credentials: 'omit', keepalive: true });
  return send()
    .catch(send)
    .then(
      ({ status }) => status,
      () => 0,
    );
}

/** Where a press leads: http(s) only, else the site itself. */
function target(link = '/'): string {
  const { origin } = worker.location;
  const { protocol, href } = new URL(link, origin);
  return /^https?:$/.test(protocol) ? href : origin;
}

async function open(link: string | undefined): Promise<unknown> {
  const url = target(link);
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find((one) => one.url === url) ?? (link ? undefined : windows[0]);
  return shown ? shown.focus() : worker.clients.openWindow(url);
}

async function renew(given: PushSubscription | null | undefined): Promise<void> {
  const answer = await (await caches.open(cacheName)).match(keptAt);
  if (!answer) return;
  const { BaseUrl, Token, PublicKey } = (await answer.json()) as PushSubscriptionResult;
  const Subscription =
    given ??
    (await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: PublicKey }));
  // The player has left this device meanwhile.
  if ((await post(BaseUrl, 'PushRenewed', { Token, Subscription })) === 404) await Subscription.unsubscribe();
}

on('install', () => {
  worker.skipWaiting();
  return undefined;
});

on('push', ({ data }) => {
  let payload: Partial<Payload> | undefined;
  try {
    payload = data?.json() as Partial<Payload>;
  } catch {
    // Not ours: we send JSON only.
  }
  if (!payload?.token || !payload.title) return undefined;
  const { title, id, ...rest } = payload;
  // The tag: a push that comes twice is one notification.
  return worker.registration.showNotification(title, {
    ...rest,
    tag: `crm-${id}`,
    data: payload,
  } as NotificationOptions);
});

on('notificationclick', ({ notification }) => {
  const { token, base, link } = (notification?.data ?? {}) as Partial<Payload>;
  if (!token || !base) return undefined;
  notification?.close();
  return Promise.all([open(link), post(base, 'PushClicked', { Token: token })]);
});

on('pushsubscriptionchange', ({ newSubscription }) => renew(newSubscription));
