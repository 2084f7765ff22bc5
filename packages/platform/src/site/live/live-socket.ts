import type { WebSocket } from 'ws';
import type { Brand } from '../../brands/index.ts';
import { type CloseReason, closes } from './close-codes.ts';
import { errorFrame, ping } from './frames.ts';
import * as limits from './limits.ts';

/**
 * The channel that a socket has, or is about to have. `pending`: the proof is valid, and the query whether the session has
 * ended is running. Nothing is sent yet, because the client loads the list after it is subscribed.
 */
export interface Subscription {
  channel: string;
  player_id: number;
  state: 'pending' | 'subscribed';
}

/**
 * One connection of a browser or an app.
 *
 *   opening --snapshot--> established --subscribe--> pending --still valid--> subscribed
 *      |                    ^  |                       |  |                      |  |
 *      |                    |  |                       |  '----- unsubscribe ----'  |
 *      |                    '--|-----------------------|-----------'                |
 *      '-----------------------+----------> closed <---+----------------------------'
 *
 * The snapshot of a socket contains the ends of sessions that were known before the socket was opened. Its proof is created
 * later, for a session that is valid at that time. So only an end that is not in the snapshot can be newer than the proof.
 */
export class LiveSocket {
  readonly id: string;
  readonly brand: Brand;
  readonly address: string;
  readonly openedAt: number;
  /** Milliseconds. The proof of its session is never older than the socket. */
  readonly #maxAgeMs = limits.sessionMs * (0.875 + Math.random() * 0.25);
  readonly #ws: WebSocket;
  /** Null while the socket is opening. */
  snapshot: string | null = null;
  subscription: Subscription | null = null;
  isClosed = false;
  #unsubscribedAt: number;
  #lastFrameAt: number;
  #pingedAt: number | null = null;
  #frames = 0;
  #windowAt: number;
  #refusals = 0;

  /** @param now milliseconds of a monotonic clock, here and below */
  constructor(options: { id: string; brand: Brand; address: string; ws: WebSocket; now: number }) {
    this.id = options.id;
    this.brand = options.brand;
    this.address = options.address;
    this.openedAt = options.now;
    this.#ws = options.ws;
    this.#unsubscribedAt = options.now;
    this.#lastFrameAt = options.now;
    this.#windowAt = options.now;
  }

  /** False if the client does not read what it was sent; the socket must then be closed. */
  send(text: string): boolean {
    if (this.isClosed) return true;
    if (this.#ws.bufferedAmount > limits.maxBufferedBytes) return false;
    this.#ws.send(text);
    return true;
  }

  close(reason: CloseReason): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const [code, message] = closes[reason];
    // A client that does not read would not read the reason either. So the connection is cut, which frees its buffer immediately.
    if (reason === 'slow_consumer') {
      this.#ws.terminate();
      return;
    }
    this.#ws.send(errorFrame(code, message));
    this.#ws.close(code, message);
  }

  /** Call it when a frame arrives. False if the client has sent too many frames within the window. */
  countFrame(now: number): boolean {
    this.#lastFrameAt = now;
    this.#pingedAt = null;
    if (now - this.#windowAt >= limits.frameWindowMs) {
      this.#windowAt = now;
      this.#frames = 0;
    }
    this.#frames++;
    return this.#frames <= limits.maxFrames;
  }

  /** Counts a refused subscription. False if there were too many. */
  refused(): boolean {
    this.#refusals++;
    return this.#refusals <= limits.maxRefusals;
  }

  unsubscribed(now: number): void {
    this.subscription = null;
    this.#unsubscribedAt = now;
  }

  /** Pings an idle socket; returns the reason if it must be closed. */
  sweep(now: number): CloseReason | null {
    if (this.subscription !== null && now - this.openedAt > this.#maxAgeMs) return 'authorize_again';
    if (this.subscription === null && now - this.#unsubscribedAt > limits.subscribeWithinMs) return 'inactive';
    if (this.#pingedAt !== null) return now - this.#pingedAt > limits.pongWithinMs ? 'no_pong' : null;
    if (now - this.#lastFrameAt > limits.pingAfterMs) {
      this.#pingedAt = now;
      if (!this.send(ping)) return 'slow_consumer';
    }
    return null;
  }

  cut(): void {
    this.#ws.terminate();
  }
}
