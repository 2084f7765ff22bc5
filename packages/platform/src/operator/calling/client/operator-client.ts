import { type Dispatcher, Pool } from 'undici';
import type { OperatorAuth, OperatorSettings } from '../../../brands/index.ts';
import { checkedBody, type SendCheck, SendNotAllowed } from '../../../outgoing/index.ts';
import { type Credentials, credentialsFor } from '../credentials/credentials.ts';
import type { Token } from '../credentials/oauth.ts';
import { storableDetail } from '../storable.ts';
import { guardedConnector } from './addresses.ts';
import { type FailedCall, failureOf, NoToken } from './failures.ts';
import { readAtMost, Silence, withDeadline } from './limits.ts';
import { BrokenStream, discard, piecesOf, type StreamLimits, type StreamResult } from './stream.ts';
import { askForToken } from './token.ts';
import { slotsToWrite, type WritingEndpoint } from './write-slots.ts';

/*
 * The HTTP client of one operator. It has one pool of kept-alive connections for look-ups, one for each endpoint that changes
 * something, and one set of credentials. All pools are bounded.
 *
 * A call never throws for an error of the operator or the network. Its result says what happened, and whether any byte of the
 * request may have been sent. Other code judges the answer: a 200 alone proves nothing (docs/reference/decisions.md 4).
 */

export interface OperatorCall {
  method: 'GET' | 'POST';
  /** The endpoint of a call that changes something. The call uses the pool of connections of this endpoint. */
  writes?: WritingEndpoint;
  /** Segments after the base address, each percent-encoded separately, so that a user_id with a slash stays one segment. */
  path: readonly string[];
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /**
   * Called when a token and a connection are available, before the first byte of a call with a body is sent
   * (outgoing/call.ts).
   */
  sendCheck?: SendCheck;
  /** Largest answer that is read, in bytes. Default 256 KiB; a user details record has about 1 KiB. */
  maxBytes?: number;
}

export interface CallAnswer {
  status: number;
  body: Buffer;
  /** The Content-Encoding header. The client requests only `identity`, and decodes nothing. */
  content_encoding?: string;
  content_type?: string;
  /** From the Retry-After header, at most one hour. */
  retry_after_ms?: number;
}

export type CallResult = ({ answered: true } & CallAnswer) | ({ answered: false } & FailedCall);

/** The settings of a brand's operator that the client uses. */
export type OperatorAddress = Pick<
  OperatorSettings,
  'base_url' | 'auth' | 'connect_timeout_ms' | 'call_timeout_ms' | 'max_connections'
>;

export interface TokenCall {
  took_ms: number;
  failure?: { reason: string; detail: string };
}

const defaultMaxBytes = 256 * 1024;
const maxRetryAfterMs = 3_600_000;

export class OperatorClient {
  #operator: OperatorAddress;
  #base: URL | undefined;
  #pool: Pool | undefined;
  /** One pool for each endpoint that changes something (write-slots.ts). */
  #writePools = new Map<WritingEndpoint, Pool>();
  #tokenPool: Pool | undefined;
  /** A separate pool: an answer that takes an hour must not take a connection from the look-ups. */
  #streamPool: Pool | undefined;
  #credentials: Credentials;
  #onTokenCall: (call: TokenCall) => void;

  /** @param onTokenCall called for each OAuth token request, which callers of `call` do not see */
  constructor(operator: OperatorAddress, onTokenCall: (call: TokenCall) => void = () => {}) {
    this.#operator = operator;
    this.#onTokenCall = onTokenCall;
    this.#base = httpUrl(operator.base_url);
    if (this.#base) this.#pool = this.#poolFor(this.#base, operator.max_connections);
    const { auth } = operator;
    this.#credentials = credentialsFor(auth, () => this.#requestToken(auth));
  }

  /** @throws {SendNotAllowed} if the last check did not allow the call, so that nothing was sent */
  async call(call: OperatorCall): Promise<CallResult> {
    const { base_url, call_timeout_ms } = this.#operator;
    const base = this.#base;
    if (base === undefined || this.#pool === undefined) return noAddress(base_url);
    const pool = call.writes === undefined ? this.#pool : this.#writePool(call.writes, base);
    try {
      return await withDeadline(call_timeout_ms, async (signal, within) => {
        const credentials = () =>
          within(this.#credentials.headers(), () => new NoToken('no token within the call timeout'));
        const headers = await credentials();
        const answer = await send(pool, base, call, headers, signal);
        if (answer.status !== 401 || !this.#credentials.refused(headers)) return { answered: true, ...answer };
        return { answered: true, ...(await send(pool, base, call, await credentials(), signal)) };
      });
    } catch (error) {
      if (error instanceof SendNotAllowed) throw error;
      return { answered: false, ...failureOf(error) };
    }
  }

  /**
   * Makes a call whose answer may have any length and take any time, provided data keeps arriving. `read` gets the body of a
   * 200 as it arrives (the body of a 206 is incomplete, and a 202 has no result yet); its errors are rethrown here. The body of any other
   * answer is not read.
   */
  async stream<T>(
    call: OperatorCall,
    limits: StreamLimits,
    read: (body: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<StreamResult<T>> {
    const { base_url } = this.#operator;
    const base = this.#base;
    if (base === undefined) return noAddress(base_url);
    this.#streamPool ??= this.#poolFor(base, 1);
    const pool = this.#streamPool;
    const silence = new Silence(limits.silence_ms, limits.signal);
    let isReading = false;
    try {
      const ask = async (headers: Record<string, string>) => {
        const never = { headersTimeout: 0, bodyTimeout: 0 };
        return silence.during(request(pool, base, call, headers, { signal: silence.signal, ...never }));
      };
      let headers = await silence.during(this.#credentials.headers());
      let response = await ask(headers);
      if (response.statusCode === 401 && this.#credentials.refused(headers)) {
        discard(response.body);
        headers = await silence.during(this.#credentials.headers());
        response = await ask(headers);
      }
      const { statusCode: status, body } = response;
      if (status === 200) {
        isReading = true;
        return { answered: true, ok: true, status, read: await read(piecesOf(body, silence)) };
      }
      discard(body);
      const retryAfter = retryAfterMs(response.headers['retry-after']);
      return { answered: true, ok: false, status, ...(retryAfter === undefined ? {} : { retry_after_ms: retryAfter }) };
    } catch (error) {
      if (error instanceof BrokenStream) return { answered: false, ...failureOf(error.cause) };
      if (isReading) throw error;
      return { answered: false, ...failureOf(error) };
    }
  }

  /** Resolves when the open calls have ended, each within its deadline. */
  async close(): Promise<void> {
    await Promise.all(this.#pools().map((pool) => pool?.close()));
  }

  /** Cuts the open calls. */
  async destroy(): Promise<void> {
    await Promise.all(this.#pools().map((pool) => pool?.destroy()));
  }

  #pools(): (Pool | undefined)[] {
    return [this.#pool, ...this.#writePools.values(), this.#tokenPool, this.#streamPool];
  }

  #writePool(endpoint: WritingEndpoint, base: URL): Pool {
    const held = this.#writePools.get(endpoint);
    if (held !== undefined) return held;
    const made = this.#poolFor(base, slotsToWrite(endpoint, this.#operator.max_connections));
    this.#writePools.set(endpoint, made);
    return made;
  }

  /** It has its own deadline, because it serves many calls, and the first call that times out must not end it. */
  async #requestToken(auth: OperatorAuth): Promise<Token> {
    if (auth.type !== 'oauth2') throw new NoToken('this operator does not use OAuth 2.0');
    const started = performance.now();
    try {
      const url = httpUrl(auth.token_url);
      if (url === undefined) throw new NoToken(`${auth.token_url} is not an http(s) URL`);
      this.#tokenPool ??= this.#poolFor(url, 1);
      const token = await askForToken(this.#tokenPool, url, auth, this.#operator.call_timeout_ms);
      this.#onTokenCall({ took_ms: performance.now() - started });
      return token;
    } catch (error) {
      const reason = error instanceof NoToken ? error : new NoToken(`the token endpoint: ${failureOf(error).detail}`);
      const failure = { reason: 'no_token', detail: reason.message };
      this.#onTokenCall({ took_ms: performance.now() - started, failure });
      throw reason;
    }
  }

  #poolFor(url: URL, connections: number): Pool {
    return new Pool(url.origin, {
      connections,
      pipelining: 1,
      connect: guardedConnector(this.#operator.connect_timeout_ms),
      // The call has its own deadline. These timeouts only close a socket that is still open after it.
      headersTimeout: this.#operator.call_timeout_ms + 1_000,
      bodyTimeout: this.#operator.call_timeout_ms + 1_000,
    });
  }
}

async function send(
  pool: Pool,
  base: URL,
  call: OperatorCall,
  credentials: Record<string, string>,
  signal: AbortSignal,
): Promise<CallAnswer> {
  const response = await request(pool, base, call, credentials, { signal });
  const body = await readAtMost(response.body, call.maxBytes ?? defaultMaxBytes);
  const retryAfter = retryAfterMs(response.headers['retry-after']);
  const content_encoding = headerText(response.headers['content-encoding']);
  const content_type = headerText(response.headers['content-type']);
  return {
    status: response.statusCode,
    body,
    ...(content_encoding === undefined ? {} : { content_encoding }),
    ...(content_type === undefined ? {} : { content_type }),
    ...(retryAfter === undefined ? {} : { retry_after_ms: retryAfter }),
  };
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

function request(
  pool: Pool,
  base: URL,
  call: OperatorCall,
  credentials: Record<string, string>,
  limits: { signal: AbortSignal; headersTimeout?: number; bodyTimeout?: number },
): Promise<Dispatcher.ResponseData> {
  const { method, path, headers, body } = writtenRequest(base, call);
  return pool.request({
    method,
    path,
    headers: { ...headers, ...credentials },
    body: body === null || call.sendCheck === undefined ? body : checkedBody(body, call.sendCheck),
    ...limits,
  });
}

/** A call as it is sent, without the credentials. */
export interface WrittenRequest {
  method: OperatorCall['method'];
  /** With the path of the base address. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Writes a call as HTTP. Pure. */
export function writtenRequest(base: URL, call: OperatorCall): WrittenRequest {
  const path = call.path.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/');
  const body = call.body === undefined ? null : Buffer.from(JSON.stringify(call.body));
  return {
    method: call.method,
    path: `${base.pathname.replace(/\/+$/, '')}/${path}`,
    headers: {
      accept: 'application/json',
      // An encoded body could not be read, and it might report a failure.
      'accept-encoding': 'identity',
      'cache-control': 'no-store',
      'user-agent': 'croupier',
      ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) }),
      ...call.headers,
    },
    body,
  };
}

function noAddress(baseUrl: string): { answered: false } & FailedCall {
  const detail = storableDetail(`${baseUrl} is not an http(s) URL`);
  return { answered: false, failure: 'unreachable', detail, sent: false };
}

function httpUrl(address: string): URL | undefined {
  const url = URL.parse(address);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

function retryAfterMs(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : undefined;
}
