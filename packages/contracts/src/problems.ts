import type { FieldError } from './field-error.ts';

interface ProblemKind {
  status: number;
  title: string;
  /** What the caller should do, in one or two sentences. */
  advice: string;
}

/**
 * All problems that the platform returns, by code. docs/errors.md lists the same (a test compares them). A code is
 * never renamed, because operators' programs depend on it.
 */
export const problems = {
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    advice: 'Send one JSON object in UTF-8, whole. Repeating the same body does not help.',
  },
  invalid_event: {
    status: 400,
    title: 'The event is not valid',
    advice:
      'Correct the fields that `errors` names and send the event again. The refused body is kept in quarantine, where it can be corrected as well.',
  },
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    advice: 'Correct the parameters or fields that `errors` names.',
  },
  unauthorized: {
    status: 401,
    title: 'The key is missing or not known',
    advice: 'Send the key of the brand in the header X-API-Key or as Authorization: Bearer.',
  },
  forbidden: {
    status: 403,
    title: 'The account may not do this',
    advice: 'Ask an administrator for a role that allows it.',
  },
  not_found: {
    status: 404,
    title: 'Nothing is here',
    advice: 'Compare the path with the documentation at /docs; letter case counts.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    advice: 'Use a method that the header Allow names.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive whole in time',
    advice: 'Send the whole request within 30 seconds, its headers within 15.',
  },
  conflict: {
    status: 409,
    title: 'The state has changed in the meantime',
    advice: 'Read the current state and decide again.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    advice:
      'Send one event per call; the limit is 1 MiB unless the installation sets another one. Other calls take less; `detail` names the limit.',
  },
  unsupported_content_type: {
    status: 415,
    title: 'The content type is not JSON',
    advice: 'Send application/json, or no content type at all.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    advice: 'Repeat after the time that the header Retry-After names.',
  },
  headers_too_large: {
    status: 431,
    title: 'The address and headers are too large',
    advice: 'Send at most 16 KiB of address and headers.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong inside',
    advice: 'Repeat the call later; the log of the server holds the cause.',
  },
  store_unavailable: {
    status: 503,
    title: 'The store is not available',
    advice: 'Repeat the same call after the time that the header Retry-After names, until it is answered 200.',
  },
  queue_full: {
    status: 503,
    title: 'More events arrive than can be stored',
    advice: 'Repeat the same call after the time that the header Retry-After names, until it is answered 200.',
  },
  shutting_down: {
    status: 503,
    title: 'The server is stopping',
    advice: 'Repeat the same call after the time that the header Retry-After names, until it is answered 200.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

/** The body of a problem answer (RFC 9457, application/problem+json). */
export interface Problem {
  type: string;
  code: ProblemCode;
  title: string;
  status: number;
  detail: string;
  errors: FieldError[];
}

export const problemContentType = 'application/problem+json';

/** Builds a problem answer. Without a `detail` it contains the advice of the code. Never put internals into it. */
export function problem(code: ProblemCode, more: { detail?: string; errors?: readonly FieldError[] } = {}): Problem {
  const { title, status, advice } = problems[code];
  return {
    type: `urn:croupier:problem:${code}`,
    code,
    title,
    status,
    detail: more.detail ?? advice,
    errors: [...(more.errors ?? [])],
  };
}
