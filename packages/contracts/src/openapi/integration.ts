import Type from 'typebox';
import type { Answer, Call } from '../calls/call.ts';
import { type Endpoint, endpoints } from '../endpoints.ts';
import { messages } from '../events/index.ts';
import type { FieldError } from '../field-error.ts';
import { parseBody } from '../parse-body.ts';
import { readEvent } from '../read-event.ts';
import { openApiDocument } from './document.ts';
import { problemAnswer } from './problem-answers.ts';

export const okAnswer = { status: 'ok' } as const;
export const quarantinedAnswer = { status: 'quarantined' } as const;

/** A body that is cut off in the middle, as after a broken connection. */
export const malformedBody = '{"user_id": "7865312321", ';

const eventAnswer = Type.Object({
  status: Type.Enum(['ok', 'quarantined'], {
    description: 'ok: stored. quarantined: not valid, stored for a person to correct. Do not send it again.',
  }),
});

const accepted: Answer = {
  status: 200,
  description: 'The event is stored durably. Do not send it again.',
  schema: eventAnswer,
  schemaName: 'EventAnswer',
  samples: { ok: okAnswer, quarantined: quarantinedAnswer },
};

const description = `Events that the operator publishes, within a second after they happen.

**Delivery.** 200 means that the event is stored durably. After any other answer, or no answer, retry the same event until you get
200. A retry never counts twice. A 503 answer has a Retry-After header.

**Format.** Identifiers may be numbers; they are stored as text. null or a blank string in an optional field counts as absent. Letter
case is ignored in sets of values. Amounts are numbers or decimal strings and are never rounded. Timestamps are RFC 3339. A timestamp
without an offset is read in the time zone configured for the brand. Unknown fields are stored and ignored.`;

/** The result of reading `{}`. Every required field of the kind is missing. */
export function missingFieldErrors(kind: Endpoint['kind']): FieldError[] {
  const reading = readEvent(kind, {}, { now: 0, zoneless_timestamps: 'UTC', base_currency: 'EUR' });
  return reading.ok ? [] : reading.errors;
}

export function malformedErrors(): FieldError[] {
  const parsing = parseBody(malformedBody);
  return parsing.ok ? [] : [parsing.error];
}

function eventCall({ kind, method, path, summary, schema }: Endpoint): Call {
  return {
    name: kind,
    method,
    path,
    summary,
    tag: 'Events',
    request: { schema, schemaName: kind, samples: messages[kind].samples },
    answers: [
      accepted,
      problemAnswer('The event is not valid. Examples: the answers to an empty object and to an incomplete body.', {
        invalid_event: missingFieldErrors(kind),
        malformed_json: malformedErrors(),
      }),
      problemAnswer('The key is missing or unknown.', { unauthorized: [] }),
      problemAnswer('The body is larger than the limit (1 MiB by default).', { body_too_large: [] }),
      problemAnswer('The request has an explicit content type that is not JSON.', { unsupported_content_type: [] }),
      problemAnswer('The event might not have been stored. Retry it.', { store_unavailable: [], queue_full: [] }, [
        'Retry-After',
      ]),
    ],
  };
}

/** Schemes with which an operator calls the platform (docs/reference/decisions.md 1, "Authentication"). */
const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key of the brand.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key.' },
};

/** The OpenAPI document of the integration API: the event endpoints. */
export function integrationDocument() {
  return openApiDocument({
    title: 'Integration API',
    description,
    servers: [{ url: '/' }],
    securitySchemes,
    calls: endpoints.map(eventCall),
  });
}
