import { createRequire } from 'node:module';
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import type * as pusherJs from 'pusher-js';
import { onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { type NewSignal, SignalSender, type SiteSignal, writeSignals } from '../../../src/channels/index.ts';
import { systemClock } from '../../../src/clock.ts';
import { connectionConfig, openPool, transaction } from '../../../src/database/index.ts';
import { HttpService } from '../../../src/http/http-service.ts';
import { ChannelSigner } from '../../../src/site/live/channel-signer.ts';
import type { SocketLimits } from '../../../src/site/live/limits.ts';
import { LiveSite, type LiveSiteOptions } from '../../../src/site/live/live-site.ts';
import { messageSource } from '../../../src/site/live/message-source.ts';
import { testLog } from '../../log.ts';
import { type SiteProcess, type SiteSetup, setupSite } from '../setup-site.ts';

/*
 * Setup for tests of the socket: api processes with real ports, real PostgreSQL between them, and clients of both kinds: bare
 * sockets, whose frames are all checked, and the public pusher-js package unmodified.
 */
export interface LiveProcess extends SiteProcess {
  live: LiveSite;
  registry: Registry;
  port: number;
  /** Stops as with SIGTERM: the port first, then the sockets. */
  stop(): Promise<void>;
}

export interface LiveSetup {
  site: SiteSetup;
  first: LiveProcess;
  /** Another api process of the same installation. */
  another(options?: Partial<LiveSiteOptions> & { port?: number }): Promise<LiveProcess>;
  /** A player who is signed in; the sid is `sid-of-<user_id>`. */
  player(userId: string): Promise<number>;
  /** Writes an inbox message of the player, and its signal, in one transaction. @returns its MessageId. */
  arrive(playerId: number, title: string, options?: { poke?: boolean }): Promise<number>;
  /** Writes signals in a separate transaction. */
  tell(signals: readonly Omit<NewSignal, 'brand_id'>[], options?: { poke?: boolean }): Promise<SiteSignal[]>;
  channel(playerId: number): string;
}

export const testLimits: SocketLimits = { max: 50, max_per_address: 40, max_per_player: 5 };
const secrets: [string, ...string[]] = ['a secret for tests'];

/** @param options of each process's live side. @param settings of the brand */
export async function setupLive(
  database: { pool: Pool; url: string },
  options: Partial<LiveSiteOptions> = {},
  settings: Record<string, unknown> = {},
): Promise<LiveSetup> {
  const { pool, url } = database;
  // The process that setupSite starts has no port; it provides the brand, the operator and the sessions.
  const site = await setupSite(database, { settings });
  const connection = connectionConfig(url, { name: 'test' });
  const sender = new SignalSender({ connection, process: 'test', log: testLog });
  onTestFinished(() => sender.stop());

  const start = async ({ port = 0, ...more }: Partial<LiveSiteOptions> & { port?: number }): Promise<LiveProcess> => {
    const registry = new Registry();
    const livePool = openPool(url, { name: 'test live', log: testLog, max: 2 });
    const live = new LiveSite({
      pool: livePool,
      connection,
      process: 'test',
      clock: systemClock,
      log: testLog,
      brands: site.brands,
      signer: new ChannelSigner({ secrets }),
      limits: testLimits,
      publicUrl: 'https://crm.example',
      registry,
      messages: messageSource({ pool: livePool, clock: site.clock.now }),
      ...more,
    });
    await live.start();
    const upgrades = live.sockets;
    const started = await site.another({ upgrades });
    const server = new HttpService({ port, host: '127.0.0.1', upgrades, build: async () => started.app });
    await server.start();
    const stop = async () => {
      await server.stop();
      await live.stop();
      await livePool.end();
    };
    let stopped: Promise<void> | undefined;
    const once = () => (stopped ??= stop());
    onTestFinished(once);
    return { ...started, live, registry, port: server.port, stop: once };
  };

  const tell: LiveSetup['tell'] = async (signals, { poke = true } = {}) => {
    const { brand_id } = site.brand;
    const written = await transaction(pool, (tx) =>
      writeSignals(
        tx,
        signals.map((signal) => ({ ...signal, brand_id })),
      ),
    );
    if (poke) sender.poke(written);
    return written;
  };
  return {
    site,
    first: await start(options),
    another: (more = {}) => start({ ...options, ...more }),
    async player(userId) {
      await site.get('/Notifications/v2/user-notifications', site.signIn(userId));
      const playerId = await site.playerId(userId);
      if (playerId === undefined) throw new Error(`${userId} is not known`);
      return playerId;
    },
    async arrive(playerId, title, { poke = true } = {}) {
      const { rows } = await pool.query<{ message_id: number }>(insertLive, [site.brand.brand_id, playerId, title]);
      const message_id = rows[0]?.message_id ?? 0;
      await tell([{ player_id: playerId, kind: 'arrived', message_id }], { poke });
      return message_id;
    },
    tell,
    channel: (playerId) => `private-crm-${site.brand.brand_id}-${playerId}`,
  };
}

/** Other tests cover what the gate and the console do before this. */
const insertLive = `
  insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message, preview_text,
                            footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url,
                            created_at, created_by, state, state_since, live_at)
  values (id_in_bucket(nextval('notification_number'), $2), $1, $2, 'site', 'service', 'inbox', 'push', $3, '<b>Hello</b>', 'Hello', '', '{}',
          '', '', '', '', '', now(), 'test', 'live', now(), now())
  returning message_id`;

export interface Frame {
  event: string;
  channel?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check its content
  data: any;
}

/** A socket without a library: the received frames, in order, and how it ended. */
export interface BareSocket {
  ws: WebSocket;
  frames: Frame[];
  /** The next frame that was not read yet. */
  next(): Promise<Frame>;
  closed: Promise<{ code: number; reason: string }>;
  say(event: string, data?: unknown): void;
  /** Resolves with the socket_id when the connection is established. */
  id(): Promise<string>;
}

export function openBare(
  port: number,
  path: string,
  options: { origin?: string; headers?: Record<string, string> } = {},
): BareSocket {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  const frames: Frame[] = [];
  const taken = { count: 0 };
  let onFrame: () => void = () => {};
  ws.on('error', () => {});
  ws.on('message', (text) => {
    const frame = JSON.parse(String(text)) as Frame;
    frames.push({ ...frame, data: JSON.parse(frame.data) });
    onFrame();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  onTestFinished(() => ws.terminate());
  const next = async (): Promise<Frame> => {
    for (;;) {
      const frame = frames[taken.count];
      if (frame !== undefined) {
        taken.count++;
        return frame;
      }
      await new Promise<void>((resolve, reject) => {
        onFrame = resolve;
        void closed.then(({ code }) => reject(new Error(`closed with ${code}`)));
      });
    }
  };
  return {
    ws,
    frames,
    next,
    closed,
    say: (event, data = {}) => ws.send(JSON.stringify({ event, data })),
    id: async () => (await next()).data.socket_id,
  };
}

type PusherClass = typeof pusherJs.default.default;
export type Pusher = InstanceType<PusherClass>;

/** The class of the public package, as Node loads it. */
export const PusherClient = createRequire(import.meta.url)('pusher-js') as PusherClass;

/** Connects the unmodified library, with only public options set. */
export function openPusher(
  process: Pick<LiveProcess, 'port'>,
  { brand, sid }: { brand: string; sid: string },
  options: { wsPort?: number } = {},
): Pusher {
  const pusher = new PusherClient(brand, {
    cluster: 'eu',
    wsHost: '127.0.0.1',
    wsPort: options.wsPort ?? process.port,
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: {
      transport: 'ajax',
      endpoint: `http://127.0.0.1:${process.port}/site/${brand}/external/pusher`,
      headers: { authtoken: sid },
    },
  });
  onTestFinished(() => pusher.disconnect());
  return pusher;
}
