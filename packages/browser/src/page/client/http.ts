import type { Envelope } from '@croupier/contracts/site';

/*
 * One way to call the site API: the time limit, repeats, and the envelope are dealt with here, and what fails is a SiteError with
 * a code. An answer that comes after its player has left is dropped: the call rejects with `ended`.
 */

/** Milliseconds for one try. */
const timeoutMs = 10_000;
/** A call that may be repeated is tried this often; waits 0.4 s and 0.8 s, give or take half. */
const maxTries = 3;
const firstWaitMs = 400;
/** A server that asks for more is obeyed by giving up: whoever called may try later. */
const maxWaitMs = 5_000;

export interface SiteError extends Error {
  /** Of the site API's errors, or `offline` (no answer), `unreadable` (an answer of something else), `ended` (logged out meanwhile). */
  code: string;
  /** 0: no answer. */
  status: number;
}

/** An Error that the page can tell from others by its `code`. */
export function siteError(code: string, message = code, status = -1): SiteError {
  return Object.assign(new Error(message), { code, status });
}

/** Not the caller's fault, and over some time: no answer, too many calls, or a server that is away. */
export function isPassing({ status }: SiteError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

export type Method = 'GET' | 'POST' | 'DELETE';

export interface CallOptions {
  /** Sent as JSON. What cannot be is the caller's mistake: `invalid_request`, at once. */
  body?: unknown;
  /** May outlive the page. */
  keepalive?: boolean;
}

/**
 * Calls below the brand's base address; all of them may be repeated, and are when no answer comes, or a 429 or 5xx. Resolves with
 * `Data`. @throws {SiteError}
 */
export type Call = <T>(method: Method, path: string, options?: CallOptions) => Promise<T>;

let clockOffset = 0;

/** Milliseconds since 1970 by the clock of the server, as its last answer told it; messages expire by that one. */
export function serverNow(): number {
  return Date.now() + clockOffset;
}

/** Resolves after so many milliseconds, give or take half: clients that failed together do not come back together. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random())));
}

/** @param credential Token or sid. @param ended Once aborted, nothing is asked any more, and answers are dropped. */
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
    // Browsers refuse more than 64 KiB that outlives the page, of all calls together: the next try is an ordinary one.
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
    throw siteError('invalid_request', 'no JSON');
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
      // The session travels in a header, so that no cookie of ours exists and none is sent.
      credentials: 'omit',
      cache: 'no-store',
      headers: { authtoken: credential, ...(init.body && { 'content-type': 'application/json' }) },
    });
    const { ok, status, headers } = response;
    const date = Date.parse(`${headers.get('date')}`);
    // A proxy's answer without a date says nothing about the clock.
    if (date) clockOffset = date - Date.now();
    const answer = (await response.json().catch((error) => {
      // The time limit ended in the middle of the body: no answer, rather than an answer of something else.
      if (limit.signal.aborted) throw error;
    })) as (T & Partial<Envelope<T>>) | undefined;
    // Channel authorisation answers in Pusher's form, without the envelope.
    if (ok && answer && answer.Success !== false) return { answer: answer.Success ? answer.Data : answer, waitMs: 0 };
    const { Error: code = 'unreadable', Message = `${status}` } = answer?.Errors?.[0] ?? {};
    return { failure: siteError(code, Message, status), waitMs: Number(headers.get('retry-after')) * 1_000 };
  } catch {
    // Browsers do not tell a page which of the two it is.
    return { failure: siteError('offline', 'no answer; is this origin in site_origins?', 0), waitMs: 0 };
  } finally {
    clearTimeout(timer);
  }
}
