import {
  type Answer,
  type Call,
  type OpenApiDocument,
  openApiDocument,
  type ProblemCode,
  problemAnswer,
} from '@croupier/contracts';
import Type from 'typebox';
import { callOf } from '../http/endpoints/documented-call.ts';
import { permissions, rolesWith } from './access/roles.ts';
import { consoleEndpoints } from './endpoints.ts';
import { basePath, defaultBodyBytes, type Endpoint } from './routing/endpoint.ts';

const description = `This API can do everything that the console can do. Send \`Authorization: Bearer\` with a session token (POST
${basePath}/session) or with the admin token of the installation.

Lists return \`{items, next}\`. To get the next page, send \`next\` as \`cursor\`; it is null on the last page. Dates and times are
RFC 3339 in UTC with microseconds. Money is an exact decimal string. Errors are problems (RFC 9457). Their \`detail\` is in English, or in German if
the header \`Accept-Language\` prefers German.`;

const noJson = problemAnswer('The content type is not JSON', { unsupported_content_type: [] });
const otherType = problemAnswer('The content type is not supported', { unsupported_content_type: [] });
const databaseAway = problemAnswer('The database is unavailable', { store_unavailable: [] }, ['Retry-After']);

/**
 * The OpenAPI 3.1 document of the console API, generated from the definitions that also validate its calls and serialize its
 * answers.
 */
export function consoleOpenApi(): OpenApiDocument {
  return openApiDocument({
    title: 'Console API',
    description,
    servers: [{ url: '/' }],
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'Session token or admin token.' } },
    calls: consoleEndpoints.map(documented),
  });
}

export function documented(endpoint: Endpoint): Call {
  const name = operationId(endpoint);
  return {
    ...callOf(endpoint, basePath),
    name,
    description: [endpoint.description, accessText(endpoint)].filter(Boolean).join('\n\n'),
    ...(endpoint.body && {
      request: {
        schema: endpoint.body,
        schemaName: `${name}Body`,
        samples: {},
        optional: Type.IsOptional(endpoint.body),
        ...(endpoint.bodyTypes && { types: endpoint.bodyTypes }),
      },
    }),
    answers: [
      endpoint.status === 204
        ? { status: 204, description: 'Done' }
        : {
            status: endpoint.status,
            description: 'Done',
            schema: endpoint.answer,
            schemaName: `${name}Answer`,
            ...(endpoint.contentType && { contentType: endpoint.contentType }),
          },
      ...problemsOf(endpoint),
    ],
  };
}

/** Returns the operationId of a call, for example `getBrandsByBrandAudit`. It changes only if the path or the method changes. */
function operationId({ method, path }: Endpoint): string {
  const words = path.replaceAll('/:', '/by_').split(/[/_-]/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function accessText({ may }: Endpoint): string {
  if (may === 'anyone') return 'No authentication required.';
  if (may === 'signed in') return 'Any account may call it.';
  return `Requires \`${may}\` (${permissions[may]}): ${rolesWith(may).join(', ')}.`;
}

function problemsOf(endpoint: Endpoint): Answer[] {
  const { method, may, params, query, body, networkLimit, conflict } = endpoint;
  const takesParts = params !== undefined || query !== undefined || body !== undefined;
  // Every method except GET accepts a body, even if the call needs none.
  const takesBody = method !== 'GET';
  const needsRole = may !== 'anyone' && may !== 'signed in';
  const forbidden = [
    needsRole ? 'The role does not allow this call' : undefined,
    endpoint.fresh !== undefined ? 'The caller has not proved their identity within the last 15 minutes' : undefined,
    endpoint.forbidden,
  ]
    .filter(Boolean)
    .join('. ');
  const wrong = { ...(takesParts && { invalid_request: [] }), ...(takesBody && { malformed_json: [] }) };
  const tooMany = [networkLimit && 'Too many failed calls from this network', endpoint.tooMany]
    .filter(Boolean)
    .join('. ');
  return [
    problemAnswer('The token is missing, unknown or expired', { unauthorized: [] }),
    ...(takesParts || takesBody ? [problemAnswer('The call is not valid', wrong)] : []),
    ...(forbidden === '' ? [] : [problemAnswer(forbidden, forbiddenCodes(endpoint))]),
    ...(params ? [problemAnswer('It does not exist, or the caller may not see it', { not_found: [] })] : []),
    ...(conflict ? [problemAnswer(conflict, { conflict: [] })] : []),
    ...(takesBody ? [bodyTooLarge(endpoint), endpoint.bodyTypes ? otherType : noJson] : []),
    ...(tooMany === '' ? [] : [problemAnswer(tooMany, { too_many_requests: [] }, ['Retry-After'])]),
    databaseAway,
  ];
}

function forbiddenCodes({ may, fresh }: Endpoint): Partial<Record<ProblemCode, []>> {
  const needsRole = may !== 'anyone' && may !== 'signed in';
  return {
    forbidden: [],
    ...(needsRole && { second_factor_required: [] }),
    ...(fresh !== undefined && { sign_in_again: [] }),
  };
}

function bodyTooLarge({ bodyBytes = defaultBodyBytes }: Endpoint): Answer {
  return problemAnswer(`The body is larger than ${bodyBytes / 1024} KiB`, { body_too_large: [] });
}
