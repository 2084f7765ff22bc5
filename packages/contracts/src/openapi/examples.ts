import { type Endpoint, endpoints } from '../endpoints.ts';
import { messages } from '../events/index.ts';
import type { FieldError } from '../field-error.ts';
import { type ProblemCode, problem, problemContentType } from '../problems.ts';
import { malformedBody, malformedErrors, missingFieldErrors, okAnswer } from './integration.ts';

/** One documented exchange with the integration API, ready to send. */
export interface Example {
  /** For example `payment: deposit_approved` or `payment: malformed_json`. */
  name: string;
  request: {
    method: Endpoint['method'];
    path: string;
    /** Which key the caller must send: that of a brand, an unknown one, or none. */
    key: 'valid' | 'unknown' | 'none';
    contentType: string | undefined;
    body: string;
  };
  answer: {
    status: number;
    contentType: string;
    /** The expected body. It equals the answer's body, except a problem's `detail`, whose wording may differ. */
    body: unknown;
  };
}

/**
 * Every exchange that the integration document shows and that a caller can cause (a 503 requires a broken store). A
 * test sends all of them to a running server, so the document never promises something that the server does not do.
 *
 * This is a function because only tests need the bodies. A server does not keep them in memory.
 */
export function makeExamples(): readonly Example[] {
  /** A body over the limit of 1 MiB. It is made once, because every kind uses it. */
  const tooLarge = JSON.stringify('x'.repeat(1024 * 1024));
  return endpoints.flatMap((endpoint) => examplesOf(endpoint, tooLarge));
}

function examplesOf(endpoint: Endpoint, tooLarge: string): readonly Example[] {
  const { kind } = endpoint;
  const first = JSON.stringify(Object.values(messages[kind].samples)[0]);
  const valid = Object.entries(messages[kind].samples).map(([name, sample]) =>
    example(
      endpoint,
      name,
      { body: JSON.stringify(sample) },
      { status: 200, contentType: 'application/json', body: okAnswer },
    ),
  );
  return [
    ...valid,
    refused(endpoint, 'invalid_event', { body: '{}' }, missingFieldErrors(kind)),
    refused(endpoint, 'malformed_json', { body: malformedBody }, malformedErrors()),
    refused(endpoint, 'unauthorized', { body: first, key: 'none' }),
    refused(endpoint, 'unauthorized', { body: first, key: 'unknown' }),
    refused(endpoint, 'body_too_large', { body: tooLarge }),
    refused(endpoint, 'unsupported_content_type', { body: first, contentType: 'text/plain' }),
  ];
}

type Sent = Pick<Example['request'], 'body'> & Partial<Example['request']>;

function example(endpoint: Endpoint, name: string, sent: Sent, answer: Example['answer']): Example {
  const { kind, method, path } = endpoint;
  return {
    name: `${kind}: ${name}`,
    request: { method, path, key: 'valid', contentType: 'application/json', ...sent },
    answer,
  };
}

function refused(endpoint: Endpoint, code: ProblemCode, sent: Sent, errors: FieldError[] = []): Example {
  const body = problem(code, { errors });
  return example(endpoint, code, sent, { status: body.status, contentType: problemContentType, body });
}
