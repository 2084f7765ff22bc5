import type { Readable } from 'node:stream';
import { errors, Pool } from 'undici';
import { storableStart } from '../../operator/calling/index.ts';
import { checkedBody, type SendCheck, SendNotAllowed } from '../../outgoing/index.ts';
import { isOfConnecting, PrivateAddress, publicConnector } from './addresses.ts';

/*
 * Calls to push services and providers: each origin has a small pool of kept-alive connections, and each brand has its own at a provider. A call never throws for an error of the other
 * side or the network. Its result says what happened, and whether any byte of the request may have been sent. Redirects are not
 * followed.
 */

export interface PushRequest {
  endpoint: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The brand's administrator allowed this origin: it may have any address, and use http. */
  mayBePrivate: boolean;
  /** Default: the transport's. */
  callTimeoutMs?: number;
  /** Called when the connection is open, before the first byte (outgoing/call.ts). */
  sendCheck?: SendCheck;
  /** Calls with the same name share connections, up to this number per origin. Default: 16 connections, shared by all such calls. */
  pool?: ConnectionPool;
}

export interface ConnectionPool {
  name: string;
  connections: number;
}

/** Why no answer arrived. `timeout` and `cut`: the request may have arrived. All others: no byte of it was sent. */
export type PushFailure = 'unreachable' | 'connect_timeout' | 'private_address' | 'timeout' | 'cut';

export type PushResult =
  | { answered: true; status: number; detail: string; retry_after_ms: number | null }
  | { answered: false; failure: PushFailure; detail: string };

const defaults = { connectTimeoutMs: 3_000, callTimeoutMs: 10_000 };
/** Maximum number of bytes read from an answer. The rest is not needed, so the connection is closed. */
const maxAnswerBytes = 16 * 1024;
/** Maximum number of characters kept, to show people what the push service answered. */
const maxChars = 300;
const maxRetryAfterMs = 6 * 3_600_000;
const sharedPool: ConnectionPool = { name: '', connections: 16 };
/** Endpoints can name any number of origins, so the pool of the least recently used one is closed. */
const maxOrigins = 100;

export interface TransportOptions {
  connectTimeoutMs?: number;
  callTimeoutMs?: number;
  /** How many characters of an answer are kept. Default 300. */
  maxDetailCharacters?: number;
  connectorOf?: typeof publicConnector;
}

export class PushTransport {
  readonly #pools = new Map<string, Pool>();
  readonly #closing = new Set<Promise<void>>();
  readonly #options: Required<TransportOptions>;

  constructor(options: TransportOptions = {}) {
    this.#options = { ...defaults, maxDetailCharacters: maxChars, connectorOf: publicConnector, ...options };
  }

  /** The maximum duration of a call. */
  get callTimeoutMs(): number {
    return this.#options.callTimeoutMs;
  }

  /** @throws {SendNotAllowed} if the last check did not allow the call, so that nothing was sent */
  async post(request: PushRequest): Promise<PushResult> {
    const { endpoint, headers, body, mayBePrivate, callTimeoutMs, sendCheck, pool = sharedPool } = request;
    const url = URL.parse(endpoint);
    if (url === null) return { answered: false, failure: 'unreachable', detail: 'the endpoint is not a URL' };
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Late()), callTimeoutMs ?? this.#options.callTimeoutMs);
    // Waiting for a free connection is a part of the call's time. A call that ends before its body is read was not sent.
    let isBegun = false;
    const lastCheck: SendCheck = {
      async maySend() {
        isBegun = (await (sendCheck?.maySend() ?? true)) && !controller.signal.aborted;
        return isBegun;
      },
    };
    try {
      const response = await this.#poolOf(url, mayBePrivate, pool).request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers: { ...withoutLength(headers), 'user-agent': 'croupier', 'content-length': String(body.length) },
        body: checkedBody(body, lastCheck),
        signal: controller.signal,
      });
      // Only the status decides. The text is for people, and may be cut off, late or missing.
      const text = await startOf(response.body).catch(() => '');
      const retry_after_ms = retryAfterMs(response.headers['retry-after']);
      const detail = storableStart(text, this.#options.maxDetailCharacters);
      return { answered: true, status: response.statusCode, detail, retry_after_ms };
    } catch (error) {
      if (error instanceof SendNotAllowed) throw error;
      return { answered: false, ...failureOf(error, isBegun) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Cuts the open calls. */
  async destroy(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all([...pools.map((pool) => pool.destroy()), ...this.#closing]);
  }

  #poolOf(url: URL, mayBePrivate: boolean, wanted: ConnectionPool): Pool {
    const name = `${mayBePrivate} ${url.origin} ${wanted.connections} ${wanted.name}`;
    const held = this.#pools.get(name);
    this.#pools.delete(name);
    const pool = held ?? this.#newPool(url, mayBePrivate, wanted);
    this.#pools.set(name, pool);
    if (this.#pools.size > maxOrigins) this.#closeOldest();
    return pool;
  }

  #newPool(url: URL, mayBePrivate: boolean, { connections }: ConnectionPool): Pool {
    const { connectTimeoutMs, callTimeoutMs, connectorOf } = this.#options;
    return new Pool(url.origin, {
      connections,
      pipelining: 1,
      connect: connectorOf(connectTimeoutMs, { mayBePrivate }),
      // The call has its own deadline. These timeouts only close a socket that is still open after it.
      headersTimeout: callTimeoutMs + 1_000,
      bodyTimeout: callTimeoutMs + 1_000,
      maxResponseSize: -1,
    });
  }

  #closeOldest(): void {
    const [name] = this.#pools.keys();
    const pool = name === undefined ? undefined : this.#pools.get(name);
    if (name === undefined || pool === undefined) return;
    this.#pools.delete(name);
    const closing = pool.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** Removes content-length from the headers. The length of the body is used, and undici refuses a second one. */
function withoutLength(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'));
}

class Late extends Error {}

async function startOf(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    // Leaving the loop destroys the stream and its connection.
    if (size > maxAnswerBytes) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

function failureOf(error: unknown, isBegun: boolean): { failure: PushFailure; detail: string } {
  const cause = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  const detail = storableStart(cause instanceof Error ? cause.message : String(cause), maxChars);
  if (error instanceof Late && !isBegun)
    return { failure: 'unreachable', detail: 'no connection was free within the call timeout; nothing was sent' };
  if (error instanceof Late) return { failure: 'timeout', detail: 'no answer within the call timeout' };
  if (error instanceof PrivateAddress) return { failure: 'private_address', detail };
  if (error instanceof errors.ConnectTimeoutError) return { failure: 'connect_timeout', detail };
  return { failure: isOfConnecting(error) || !isBegun ? 'unreachable' : 'cut', detail };
}

function retryAfterMs(header: string | string[] | undefined): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : null;
}
