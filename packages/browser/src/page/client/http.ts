import type { Envelope } from '@croupier/contracts/site';
import type { Ground } from './ground.ts';

/*
 * One way to call the site API: the credential, the time limit, repeats, and the envelope are dealt with here, and what fails is
 * a SiteError with a code. An answer that comes after its player has logged out is dropped: the call rejects with `ended`.
 */

/** Milliseconds for one try. */
const timeoutMs = 10_000;
/** A call that may be repeated is tried this often; waits 0.4 s and 0.8 s, give or take half. */
const maxTries = 3;
const firstWaitMs = 400;
/** A server that asks for more is obeyed by giving up: whoever called may try later. */
const maxWaitMs = 5_000;

/** `code`: of the site API's errors, or `offline` (no answer), `unreadable` (an answer of something else), `ended` (logged out meanwhile). */
export class SiteError extends Error {
  readonly code: string;
  /** 0: no answer. */
  readonly status: number;
  /** Milliseconds that the server asks us to stay away; 0: it did not say. */
  readonly waitMs: number;

  constructor(code: string, message: string, status: number, waitMs = 0) {
    super(message);
    this.code = code;
    this.status = status;
    this.waitMs = waitMs;
  }
}

/** Not the caller's fault, and over some time: no answer, too many calls, or a server that is away. */
export function isPassing({ status }: SiteError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

export type Method = 'GET' | 'POST' | 'DELETE';

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** A second one would do harm: tried once. Default: repeated when no answer comes, or a 429 or 5xx. */
  once?: boolean;
  /** May outlive the page. */
  keepalive?: boolean;
  /** The answer has no envelope: of channel authorisation, whose form is Pusher's. */
  bare?: boolean;
}

/** Calls below the brand's base address. Resolves with `Data`. @throws {SiteError} */
export type Call = <T>(method: Method, path: string, options?: CallOptions) => Promise<T>;

export interface HttpOptions {
  /** {notifications_base_url} */
  base: string;
  /** The token or sid of the moment. */
  credential(): string;
  /** Ends all calls in flight, and all later ones. */
  signal: AbortSignal;
  ground: Ground;
}

export function createHttp(options: HttpOptions): Call {
  const { ground, signal } = options;
  return async <T>(method: Method, path: string, given: CallOptions = {}) => {
    for (let tries = 1; ; tries++) {
      const answer = await once<T>(options, method, path, given);
      if (signal.aborted) throw new SiteError('ended', 'The session has ended.', 0);
      if (!(answer instanceof SiteError)) return answer.data;
      if (given.once || tries === maxTries || !isPassing(answer) || answer.waitMs > maxWaitMs) throw answer;
      const wait = firstWaitMs * 2 ** (tries - 1) * (0.5 + ground.random());
      await ground.wait(Math.max(answer.waitMs, wait), signal);
    }
  };
}

async function once<T>(
  { base, credential, signal, ground }: HttpOptions,
  method: Method,
  path: string,
  { body, keepalive, bare }: CallOptions,
): Promise<{ data: T } | SiteError> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  signal.addEventListener('abort', stop);
  const timer = setTimeout(stop, timeoutMs);
  let status = 0;
  try {
    if (signal.aborted) stop();
    const response = await ground.fetch(`${base}/${path}`, {
      method,
      signal: limit.signal,
      // The session travels in a header, so that no cookie of ours exists and none is sent.
      credentials: 'omit',
      cache: 'no-store',
      keepalive: keepalive ?? false,
      headers: { authtoken: credential(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    status = response.status;
    const answer = (await response.json()) as T & Partial<Envelope<T>>;
    if (response.ok && bare) return { data: answer };
    const { Data, Success, Errors } = answer;
    if (response.ok && Success === true) return { data: Data as T };
    const [first] = Errors ?? [];
    const waitMs = Number(response.headers.get('retry-after') ?? 0) * 1_000 || 0;
    return new SiteError(first?.Error ?? 'unreadable', first?.Message ?? `Answered ${status}.`, status, waitMs);
  } catch {
    if (status === 0) return new SiteError('offline', 'The server cannot be reached.', 0);
    return new SiteError('unreadable', `Answered ${status}, and not in the envelope.`, status);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
