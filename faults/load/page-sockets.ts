import { createRequire } from 'node:module';
import type * as pusherJs from 'pusher-js';
import { openSocket } from '../../packages/browser/src/page/client/socket.ts';
import type { Installation } from '../installation/installation.ts';

/*
 * The two clients that a page may use on the socket, unmodified: that of our browser script, and the public package pusher-js,
 * set up as in docs/guides/site.md. Both reconnect automatically:
 *
 *   script      1, 2, 4, ... s after it was closed or refused, plus or minus half; the page polls in the meantime
 *   pusher-js   1 s after it was closed; 15 s after a connection was refused, because it considers the network slow
 */
export interface PageSocketOptions {
  installation: Installation;
  sid: string;
  /** private-crm-{BrandId}-{UserId} */
  channel: string;
  onUp(): void;
  onDown(): void;
  /** The page requests its list, because it has no socket. */
  onPoll(): void;
  onEvent(name: string, data: unknown): void;
  ended: AbortSignal;
}

type PusherClass = typeof pusherJs.default.default;
/** The class of the public package, as Node loads it. */
const Pusher = createRequire(import.meta.url)('pusher-js') as PusherClass;

const callLimitMs = 5_000;
/**
 * The interval at which a page without a socket polls, as in packages/browser/src/page/client/live.ts. That file cannot be imported
 * here, because it needs a document.
 */
const pollMs = 30_000;
const pollAtFailure = 2;
/** pusher-js requests the proof once per connection. So a page that gets no answer reconnects. */
const againMs = 1_000;

export function openScriptSocket(options: PageSocketOptions): void {
  const { installation, sid, channel, onUp, onDown, onPoll, onEvent, ended } = options;
  const { url, brandCode } = installation;
  let isUp = false;
  const timer = setInterval(() => isUp || onPoll(), pollMs);
  ended.addEventListener('abort', () => clearInterval(timer));
  openSocket({
    url: `${url.replace('http', 'ws')}/app/${brandCode}`,
    channel,
    onEvent,
    ended,
    onUp() {
      isUp = true;
      onUp();
    },
    onDown(failures) {
      isUp = false;
      onDown();
      if (failures === pollAtFailure) onPoll();
    },
    async authorize(socketId) {
      const answer = await fetch(proofAddress(installation), {
        method: 'POST',
        headers: { authtoken: sid },
        signal: AbortSignal.timeout(callLimitMs),
        body: JSON.stringify({ socket_id: socketId, channel_name: channel }),
      });
      if (!answer.ok) throw new Error(`the proof was refused: ${answer.status}`);
      return ((await answer.json()) as { auth: string }).auth;
    },
  });
}

export function openPusherSocket(options: PageSocketOptions): void {
  const { installation, sid, channel, onUp, onDown, onEvent, ended } = options;
  const { hostname, port } = new URL(installation.url);
  const pusher = new Pusher(installation.brandCode, {
    cluster: 'own',
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: { transport: 'ajax', endpoint: proofAddress(installation), headers: { authtoken: sid } },
  });
  const subscription = pusher.subscribe(channel);
  subscription.bind('pusher:subscription_succeeded', onUp);
  subscription.bind('pusher:subscription_error', () => {
    setTimeout(() => {
      if (ended.aborted) return;
      pusher.disconnect();
      pusher.connect();
    }, againMs);
  });
  subscription.bind_global((name: string, data: unknown) => {
    if (!name.startsWith('pusher:')) onEvent(name, data);
  });
  pusher.connection.bind('state_change', ({ previous }: { previous: string }) => {
    if (previous === 'connected') onDown();
  });
  ended.addEventListener('abort', () => pusher.disconnect());
}

function proofAddress({ url, brandCode }: Installation): string {
  return `${url}/site/${brandCode}/external/pusher`;
}
