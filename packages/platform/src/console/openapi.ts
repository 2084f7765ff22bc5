import {
  type DocumentParts,
  type OpenApiDocument,
  openApiDocument,
  type ProblemCode,
  problemAnswer,
} from '@croupier/contracts';
import Type, { type TObject } from 'typebox';
import { permissions, rolesWith } from './access/roles.ts';
import { consoleEndpoints } from './endpoints.ts';
import { basePath, type Endpoint } from './routing/endpoint.ts';

type Call = DocumentParts['calls'][number];
type Parameter = NonNullable<Call['parameters']>[number];

const description = `What the console can do, this API can do. Send \`Authorization: Bearer\` with a session token (POST
${basePath}/session) or with the admin token of the installation.

Lists answer \`{items, next}\`: hand \`next\` back as \`cursor\` for the following page; it is null on the last one. Moments are
RFC 3339 in UTC with microseconds, money is exact decimal text. Errors are problems (RFC 9457).`;

/** The OpenAPI 3.1 document of the console API, from the definitions that also check and shape its calls. */
export function consoleOpenApi(): OpenApiDocument {
  return openApiDocument({
    title: 'Console API',
    description,
    servers: [{ url: '/' }],
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'Session token or admin token.' } },
    calls: consoleEndpoints.map(callOf),
  });
}

function callOf(endpoint: Endpoint): Call {
  const name = operationId(endpoint);
  return {
    name,
    method: endpoint.method,
    path: `${basePath}${endpoint.path}`.replaceAll(/:(\w+)/g, '{$1}'),
    tag: endpoint.tag,
    summary: endpoint.summary,
    description: [endpoint.description, whoMay(endpoint)].filter(Boolean).join('\n\n'),
    secured: endpoint.may !== 'anyone',
    parameters: [...parametersIn('path', endpoint.params), ...parametersIn('query', endpoint.query)],
    ...(endpoint.body && {
      request: {
        schema: endpoint.body,
        schemaName: `${name}Body`,
        samples: {},
        optional: Type.IsOptional(endpoint.body),
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
      ...problemsOf(endpoint).map(([code, when]) => problemAnswer(when, { [code]: [] })),
    ],
  };
}

/** `getBrandsByBrandAudit`: as stable as the path. */
function operationId({ method, path }: Endpoint): string {
  const words = path.replaceAll('/:', '/by_').split(/[/_-]/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function whoMay({ may }: Endpoint): string {
  if (may === 'anyone') return 'Open to everyone.';
  if (may === 'signed in') return 'Open to every account.';
  return `Needs \`${may}\` (${permissions[may]}): ${rolesWith(may).join(', ')}.`;
}

function parametersIn(place: 'path' | 'query', schema: TObject | undefined): Parameter[] {
  if (schema === undefined) return [];
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    description: 'description' in property ? String(property.description) : '',
    // A parameter with a default is always there for the handler and never asked of the caller.
    required: place === 'path' || (required.includes(name) && !('default' in property)),
    schema: property,
  }));
}

function problemsOf(endpoint: Endpoint): [ProblemCode, string][] {
  const problems: [ProblemCode, string][] = [['unauthorized', 'No token, or one that is not known or has expired']];
  if (endpoint.params || endpoint.query || endpoint.body)
    problems.push(['invalid_request', 'A part of the call is wrong']);
  const needsRole = endpoint.may !== 'anyone' && endpoint.may !== 'signed in';
  const forbidden = [needsRole ? 'The role does not allow it' : undefined, endpoint.forbidden]
    .filter(Boolean)
    .join('. ');
  if (forbidden !== '') problems.push(['forbidden', forbidden]);
  if (endpoint.params) problems.push(['not_found', 'There is no such thing, or it is none of the caller']);
  if (endpoint.conflict) problems.push(['conflict', endpoint.conflict]);
  return problems;
}
