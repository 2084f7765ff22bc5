import type { FieldError } from './field-error.ts';

interface ProblemKind {
  status: number;
  title: string;
  /** What the caller should do, in one or two sentences. */
  advice: string;
}

/**
 * All problems that the platform returns, by code. docs/errors.md lists the same codes (a test compares them). A code
 * is never renamed, because operators' programs depend on it.
 */
export const problems = {
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    advice: 'Send one complete JSON object in UTF-8. Retrying the same body does not help.',
  },
  invalid_event: {
    status: 400,
    title: 'The event is not valid',
    advice:
      'Correct the fields listed in `errors` and send the event again. The refused body is in quarantine, where staff can also correct it.',
  },
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    advice: 'Correct the parameters or fields listed in `errors`.',
  },
  unauthorized: {
    status: 401,
    title: 'The key is missing or unknown',
    advice: 'Send the API key of the brand in the header X-API-Key, or as Authorization: Bearer.',
  },
  forbidden: {
    status: 403,
    title: 'The account may not do this',
    advice: 'Ask an administrator for a role that allows it.',
  },
  second_factor_required: {
    status: 403,
    title: 'A second factor is required',
    advice: 'Sign in with a second factor; add one under Settings, Your account.',
  },
  sign_in_again: {
    status: 403,
    title: 'Confirm who you are',
    advice:
      'Call POST session/proof with the password or a second factor, or sign in again. Then repeat the call within 15 minutes.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    advice: 'Check the path against the documentation at /docs. Paths are case-sensitive.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not allow this method',
    advice: 'Use a method listed in the header Allow.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive completely in time',
    advice: 'Send the headers within 15 seconds and the whole request within 30 seconds.',
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
      'Send one event per call. The default limit is 1 MiB; an installation can change it. Other calls have smaller limits; `detail` states the limit.',
  },
  unsupported_content_type: {
    status: 415,
    title: 'The content type is not JSON',
    advice: 'Send application/json, or no content type.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    advice: 'Retry after the number of seconds in the header Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'The URL and headers are too large',
    advice: 'Send at most 16 KiB of URL and headers.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    advice: "Retry the call later. The cause is in the server's log.",
  },
  store_unavailable: {
    status: 503,
    title: 'The database is not available',
    advice: 'Retry the same call after the number of seconds in the header Retry-After, until the answer is 200.',
  },
  queue_full: {
    status: 503,
    title: 'Events arrive faster than they can be stored',
    advice: 'Retry the same call after the number of seconds in the header Retry-After, until the answer is 200.',
  },
  shutting_down: {
    status: 503,
    title: 'The server is stopping',
    advice: 'Retry the same call after the number of seconds in the header Retry-After, until the answer is 200.',
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

/**
 * Builds a problem answer. If `detail` is missing, the answer contains the advice of the code. Never put internals into
 * `detail`.
 */
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
