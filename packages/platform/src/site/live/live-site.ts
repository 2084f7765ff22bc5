import type { ClientConfig, Pool } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { BrandRegistry } from '../../brands/index.ts';
import {
  endedSince,
  keepSeconds,
  type ReadSignal,
  readSnapshot,
  SignalListener,
  SignalReader,
} from '../../channels/index.ts';
import type { Clock } from '../../clock.ts';
import { inOrder, type Service } from '../../service.ts';
import { announcements, type MessageSource } from './announcements.ts';
import type { ChannelSigner } from './channel-signer.ts';
import { Gathered } from './gathered.ts';
import type { SocketLimits } from './limits.ts';
import { LiveSockets } from './live-sockets.ts';
import { LiveMetrics } from './metrics.ts';

export interface LiveSiteOptions {
  /** A separate pool, so that calls of players and operators do not delay messages. Two connections are enough. */
  pool: Pool;
  connection: ClientConfig;
  process: string;
  clock: Clock;
  log: Logger;
  brands: Pick<BrandRegistry, 'byCode'>;
  signer: ChannelSigner;
  messages: MessageSource;
  limits: SocketLimits;
  publicUrl: string;
  registry: Registry;
  /** Default true. If false, signals are found only by polling, as when hints are lost. */
  hints?: boolean;
  /** Milliseconds of a monotonic clock. Default performance.now. */
  now?: () => number;
  /** Milliseconds between two polls; default that of the reader. */
  pollMs?: number;
}

/**
 * The live part of the site in one api process: reads signals, and sends events to its sockets. Starts before the port is
 * opened.
 */
export class LiveSite implements Service {
  /** Pass it to the HTTP server, which ends the sockets when it stops. */
  readonly sockets: LiveSockets;
  readonly #services: Service;

  constructor(options: LiveSiteOptions) {
    const { pool, connection, process, clock, log, brands, signer, limits, registry, messages } = options;
    const snapshots = new Gathered<undefined, string>(async (asked) => {
      const snapshot = await readSnapshot(pool);
      return asked.map(() => snapshot);
    });
    const ends = new Gathered<{ player_id: number; snapshot: string }, boolean>(async (pairs) => {
      const ended = await endedSince(pool, pairs);
      return pairs.map((_pair, place) => ended.has(place));
    });
    const metrics = new LiveMetrics(registry, () => this.sockets.counts);
    this.sockets = new LiveSockets({
      signer,
      limits,
      metrics,
      log,
      brandOf: (key) => brands.byCode(key),
      publicOrigin: new URL(options.publicUrl).origin,
      // Two thirds of the time for which ends of sessions are kept.
      maxSubscribeAgeMs: (keepSeconds * 1_000 * 2) / 3,
      snapshot: () => snapshots.ask(undefined),
      hasEnded: (question) => ends.ask(question),
      ...(options.now === undefined ? {} : { now: options.now }),
    });
    const { subscribers } = this.sockets;
    const deliver = async (signals: readonly ReadSignal[]) => {
      this.sockets.announce(await announcements(signals, messages));
      const now = clock();
      for (const { written_at } of signals) metrics.delayed((now - written_at) / 1e6);
    };
    const reader = new SignalReader({
      pool,
      log,
      deliver,
      players: () => subscribers.players(),
      isWanted: (playerId) => subscribers.has(playerId),
      onGap: () => this.sockets.closeAll('list_again'),
      ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
    });
    const listener = new SignalListener({ connection, process, log, onHints: reader.hear });
    this.#services = inOrder(options.hints === false ? [reader] : [reader, listener]);
  }

  async start(): Promise<void> {
    await this.#services.start();
    this.sockets.start();
  }

  /** Call it after the HTTP server has stopped and ended the sockets. */
  async stop(): Promise<void> {
    await this.sockets.drain();
    await this.#services.stop();
  }
}
