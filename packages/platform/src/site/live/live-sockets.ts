import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { Brand } from '../../brands/index.ts';
import type { Upgrades } from '../../http/upgrades.ts';
import { AddressCounts } from './address-counts.ts';
import type { Announcement } from './announcements.ts';
import type { ChannelSigner } from './channel-signer.ts';
import { type CloseReason, closes } from './close-codes.ts';
import { Conversation } from './conversation.ts';
import { errorFrame, established, frame } from './frames.ts';
import { type HandshakeDeps, readHandshake, socketPath } from './handshake.ts';
import {
  closeWithinMs,
  drainMs,
  maxFrameBytes,
  maxRefusedPerAddress,
  maxRefusedSockets,
  type SocketLimits,
  sweepMs,
} from './limits.ts';
import { LiveSocket } from './live-socket.ts';
import type { LiveMetrics } from './metrics.ts';
import { Subscribers } from './subscribers.ts';

/*
 * The sockets of one api process: accepts them, sends to them, and ends them.
 *
 * Each has at most one channel, and all state is in memory: one process can handle 10,000. No messages are kept here. A socket
 * that cannot keep up is closed, and its client loads the list when it reconnects. So a slow client costs a limited buffer and
 * delays no other.
 */
export interface LiveSocketsOptions extends HandshakeDeps {
  signer: ChannelSigner;
  limits: SocketLimits;
  metrics: LiveMetrics;
  maxSubscribeAgeMs: number;
  /** The currently known ends of sessions; called when a socket opens. */
  snapshot(): Promise<string>;
  hasEnded(question: { player_id: number; snapshot: string }): Promise<boolean>;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds of a monotonic clock. Default performance.now. */
  now?: () => number;
}

/** When a limit is reached, thousands of sockets are refused. So only one line a minute is logged. The metric counts them all. */
const warnEveryMs = 60_000;

/** The type is extended, because the types of ws do not include `closeTimeout` yet. */
const serverOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  // Compression would cost 300 KB per socket for messages of 1 KB.
  perMessageDeflate: false,
  maxPayload: maxFrameBytes,
  closeTimeout: closeWithinMs,
};

export class LiveSockets implements Upgrades {
  readonly pathPrefix = socketPath;
  readonly #options: LiveSocketsOptions;
  readonly #now: () => number;
  readonly #server = new WebSocketServer(serverOptions);
  readonly #sockets = new Set<LiveSocket>();
  readonly #addresses = new AddressCounts();
  readonly subscribers = new Subscribers();
  readonly #conversation: Conversation;
  #refused = 0;
  readonly #refusedAddresses = new AddressCounts();
  #warnedAt = Number.NEGATIVE_INFINITY;
  #sweeping: NodeJS.Timeout | undefined;
  #draining = false;
  #onEmpty: () => void = () => {};

  constructor(options: LiveSocketsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    const { signer, limits, maxSubscribeAgeMs, hasEnded } = options;
    this.#conversation = new Conversation({
      signer,
      limits,
      maxSubscribeAgeMs,
      hasEnded,
      subscribers: this.subscribers,
      now: this.#now,
      close: (socket, reason) => this.#close(socket, reason),
    });
  }

  start(): void {
    this.#sweeping = setInterval(() => this.sweep(), sweepMs);
  }

  get counts(): { open: number; subscribed: number } {
    let subscribed = 0;
    for (const { subscription } of this.#sockets) if (subscription?.state === 'subscribed') subscribed++;
    return { open: this.#sockets.size, subscribed };
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    const { brand, refused = this.#fullness(address) } = readHandshake(request, this.#options);
    if (this.#draining || (refused !== undefined && !this.#mayExplain(address))) {
      if (refused !== undefined) this.#count(refused);
      socket.on('error', () => {});
      socket.end(
        'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\nretry-after: 1\r\n\r\n',
      );
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (ws) => {
      if (brand === undefined || refused !== undefined) this.#refuse(ws, refused ?? 'unknown_key', address);
      else this.#open(ws, brand, address);
    });
  }

  #fullness(address: string): CloseReason | undefined {
    const { limits } = this.#options;
    if (this.#sockets.size >= limits.max) return 'process_full';
    return this.#addresses.of(address) >= limits.max_per_address ? 'address_full' : undefined;
  }

  /** Whether the reason may be sent to another refused socket. */
  #mayExplain(address: string): boolean {
    return this.#refused < maxRefusedSockets && this.#refusedAddresses.of(address) < maxRefusedPerAddress;
  }

  #count(reason: CloseReason): void {
    this.#options.metrics.closed(reason);
    if (reason !== 'process_full' && reason !== 'address_full') return;
    if (this.#now() - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = this.#now();
    const advice =
      'sockets are refused because a limit is reached; raise the setting `sockets`, or behind a proxy check `trusted_proxies`';
    this.#options.log.warn({ reason, sockets: this.#sockets.size }, advice);
  }

  #refuse(ws: WebSocket, reason: CloseReason, address: string): void {
    const [code, message] = closes[reason];
    this.#count(reason);
    this.#refused++;
    this.#refusedAddresses.add(address);
    ws.on('error', () => {});
    ws.on('close', () => {
      this.#refused--;
      this.#refusedAddresses.remove(address);
    });
    ws.send(errorFrame(code, message));
    ws.close(code, message);
  }

  #open(ws: WebSocket, brand: Brand, address: string): void {
    // Two numbers, as the protocol requires. They are unpredictable, so no proof can be created before the socket exists.
    const id = `${randomInt(1, 2 ** 47)}.${randomInt(1, 2 ** 47)}`;
    const socket = new LiveSocket({ id, brand, address, ws, now: this.#now() });
    this.#sockets.add(socket);
    this.#addresses.add(address);
    ws.on('error', () => {});
    ws.on('close', () => this.#gone(socket));
    ws.on('message', (data, isBinary) => this.#conversation.received(socket, data, isBinary));
    this.#options.snapshot().then(
      (snapshot) => {
        socket.snapshot = snapshot;
        socket.send(established(id));
      },
      () => this.#close(socket, 'unavailable'),
    );
  }

  #gone(socket: LiveSocket): void {
    this.#conversation.unsubscribe(socket);
    socket.isClosed = true;
    this.#addresses.remove(socket.address);
    this.#sockets.delete(socket);
    if (this.#sockets.size === 0) this.#onEmpty();
  }

  #close(socket: LiveSocket, reason: CloseReason): void {
    if (socket.isClosed) return;
    this.#options.metrics.closed(reason);
    this.#conversation.unsubscribe(socket);
    socket.close(reason);
  }

  #end(socket: LiveSocket): void {
    const { subscription } = socket;
    if (subscription !== null) socket.send(frame('session_ended', {}, subscription.channel));
    this.#close(socket, 'session_ended');
  }

  /**
   * Sends to every subscribed socket of the players. A socket whose session has ended, or whose client has to reload the list,
   * is closed.
   */
  announce(announcements: readonly Announcement[]): void {
    for (const { player_id, event, data } of announcements) {
      const texts = new Map<string, string>();
      let sent = 0;
      for (const socket of this.subscribers.of(player_id)) {
        if (event === 'session_ended') {
          this.#end(socket);
          sent++;
        } else if (event === 'one_session_ended') {
          this.#close(socket, 'authorize_again');
        } else if (event === 'list_again') {
          this.#close(socket, 'list_again');
        } else if (socket.subscription?.state === 'subscribed') {
          const { channel } = socket.subscription;
          const text = texts.get(channel) ?? frame(event, data, channel);
          texts.set(channel, text);
          if (socket.send(text)) sent++;
          else this.#close(socket, 'slow_consumer');
        }
      }
      if (sent > 0) this.#options.metrics.delivered(event, sent);
    }
  }

  /** Pings idle sockets; closes dead and unused ones. */
  sweep(): { closed: number } {
    let closed = 0;
    for (const socket of this.#sockets) {
      const reason = socket.isClosed ? null : socket.sweep(this.#now());
      if (reason === null) continue;
      this.#close(socket, reason);
      closed++;
    }
    return { closed };
  }

  closeAll(reason: CloseReason): void {
    for (const socket of this.#sockets) this.#close(socket, reason);
  }

  /**
   * Closes all sockets with a code that makes clients reconnect elsewhere, spread over a second rather than in one millisecond.
   */
  async drain(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#sweeping);
    const sockets = [...this.#sockets];
    const steps = 20;
    const step = Math.max(50, Math.ceil(sockets.length / steps));
    for (let i = 0; i < sockets.length; i += step) {
      if (i > 0) await delay(drainMs / steps);
      for (const socket of sockets.slice(i, i + step)) this.#close(socket, 'going_away');
    }
    await this.#empty(closeWithinMs);
    for (const socket of this.#sockets) socket.cut();
    await this.#empty(closeWithinMs);
  }

  async #empty(limitMs: number): Promise<void> {
    if (this.#sockets.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
