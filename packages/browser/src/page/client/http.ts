import type { Envelope } from '@croupier/contracts/site';

/*
 * Calls the site API, and handles timeouts, retries and the envelope. A failure is a SiteError with a code. An answer
 * that arrives after its player has left is dropped, and the call rejects with `ended`.
 */

/** Timeout of one try, in milliseconds. */
const timeoutMs = 10_000;
/** Maximum number of tries of a call that may be repeated. The waits are 0.4 s and 0.8 s, plus or minus half. */
const maxTries = 3;
const firstWaitMs = 400;
/** Maximum wait in milliseconds. If the server asks for a longer one, the call fails, and the caller may try later. */
const maxWaitMs = 5_000;

export interface SiteError extends Error {
  /**
   * A code of the site API, or `offline` (no answer), `unreadable` (an unexpected answer) or `ended` (logged out in the
   * meantime).
   */
  code: string;
  /** 0 if there was no answer. */
  status: number;
}

/** Returns an Error that the page can recognize by its `code`. */
export function siteError(code: string, message = code, status = -1): SiteError {
  return Object.assign(new Error(message), { code, status });
}

/**
 * Returns whether an error is temporary and not the caller's fault: no answer, too many calls, or an unavailable
 * server.
 */
export function isPassing({ status }: SiteError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

export type Method = 'GET' | 'POST' | 'DELETE';

export interface CallOptions {
  /**
   * The value is sent as JSON. If it cannot be serialized, the call is refused immediately with `invalid_request`,
   * because this is the caller's error.
   */
  body?: unknown;
  /** True if the call may outlive the page. */
  keepalive?: boolean;
}

/**
 * Calls paths below the brand's base address. All calls may be repeated. They are repeated if there is no answer, or if
 * the answer is 429 or 5xx. Resolves with `Data`. @throws {SiteError}
 */
export type Call = <T>(method: Method, path: string, options?: CallOptions) => Promise<T>;

let clockOffset = 0;

/** Returns milliseconds since 1970 by the server's clock, as its last answer stated it. Messages expire by this clock. */
export function serverNow(): number {
  return Date.now() + clockOffset;
}

/**
 * Resolves after the given number of milliseconds, plus or minus half. So clients that failed together do not retry
 * together.
 */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random())));
}

/**
 * @param credential token or sid
 * @param ended when it is aborted, no more requests are made, and answers are dropped
 */
export async function request<T>(
  url: string,
  {
    method,
    credential,
    ended,
    body,
    keepalive = false,
  }: CallOptions & { method: Method; credential: string; ended?: AbortSignal },
): Promise<T> {
  const checkEnded = () => {
    if (ended?.aborted) throw siteError('ended');
  };
  const text = jsonOf(body);
  for (let tries = 1; ; tries++) {
    checkEnded();
    // Browsers limit all calls that outlive the page to 64 KiB together, so the next try is an ordinary call.
    const { answer, failure, waitMs } = await once<T>(url, credential, {
      method,
      body: text,
      keepalive: keepalive && tries === 1,
    });
    checkEnded();
    if (!failure) return answer as T;
    if (tries >= maxTries || !isPassing(failure) || waitMs > maxWaitMs) throw failure;
    await pause(waitMs || firstWaitMs * 2 ** (tries - 1));
  }
}

function jsonOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    throw siteError('invalid_request', 'cannot be written as JSON');
  }
}

async function once<T>(
  url: string,
  credential: string,
  init: { method: Method; body: string | undefined; keepalive: boolean },
): Promise<{ answer?: T; failure?: SiteError; waitMs: number }> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  try {
    const response = await fetch(url, {
      ...init,
      signal: limit.signal,
      // The session is sent in a header, so the platform sets no cookie, and the browser sends none.
      credentials: 'omit',
      cache: 'no-store',
      headers: { authtoken: credential, ...(init.body && { 'content-type': 'application/json' }) },
    });
    const { ok, status, headers } = response;
    const date = Date.parse(`${headers.get('date')}`);
    // The answer of a proxy may have no date.
    if (date) clockOffset = date - Date.now();
    const answer = (await response.json().catch((error) => {
      // The timeout occurred in the middle of the body. It is treated as no answer, not as an unexpected one.
      if (limit.signal.aborted) throw error;
    })) as (T & Partial<Envelope<T>>) | undefined;
    // Channel authorization answers in Pusher's form, without the envelope.
    if (ok && answer && answer.Success !== false) return { answer: answer.Success ? answer.Data : answer, waitMs: 0 };
    const { Error: code = 'unreadable', Message = `${status}` } = answer?.Errors?.[0] ?? {};
    return { failure: siteError(code, Message, status), waitMs: Number(headers.get('retry-after')) * 1_000 };
  } catch {
    // A page cannot find out whether there was no answer or its origin is not allowed.
    return { failure: siteError('offline', 'no answer; is this origin in site_origins?', 0), waitMs: 0 };
  } finally {
    clearTimeout(timer);
  }
}
