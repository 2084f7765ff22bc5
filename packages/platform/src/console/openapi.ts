import { type ProblemCode, problemContentType, problems } from '@croupier/contracts';
import type { TObject } from 'typebox';
import { permissions, rolesWith } from './access/roles.ts';
import { consoleEndpoints } from './endpoints.ts';
import { basePath, type Endpoint } from './routing/endpoint.ts';

const introduction = `What the console can do, this API can do. Send \`Authorization: Bearer\` with a session token (POST
${basePath}/session) or with the admin token of the installation.

Lists answer \`{items, next}\`: hand \`next\` back as \`cursor\` for the following page; it is null on the last one. Moments are
RFC 3339 in UTC with microseconds, money is exact decimal text. Errors are problems (RFC 9457).`;

/** The OpenAPI 3.1 document of the console API, from the definitions that also check and shape its calls. */
export function consoleOpenApi(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of consoleEndpoints) {
    const path = `${basePath}${endpoint.path}`.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Croupier console API',
      version: '1',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(consoleEndpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'Session token or admin token' } },
      schemas: { Problem: problemSchema },
    },
  };
}

function operationOf(endpoint: Endpoint): Record<string, unknown> {
  return {
    tags: [endpoint.tag],
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    description: [endpoint.description, whoMay(endpoint)].filter(Boolean).join('\n\n'),
    ...(endpoint.may === 'anyone' ? { security: [] } : {}),
    parameters: [...parametersIn('path', endpoint.params), ...parametersIn('query', endpoint.query)],
    ...(endpoint.body === undefined ? {} : { requestBody: { required: true, content: json(endpoint.body) } }),
    responses: {
      [endpoint.status]:
        endpoint.status === 204 ? { description: 'Done' } : { description: 'Done', content: json(endpoint.answer) },
      ...Object.fromEntries(problemsOf(endpoint).map((code) => [problems[code].status, problemResponse(code)])),
    },
  };
}

/** `getBrandsByBrandAudit`: as stable as the path. */
function operationId({ method, path }: Endpoint): string {
  const words = path
    .replaceAll('/:', '/by_')
    .split(/[/_]/)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function whoMay({ may }: Endpoint): string {
  if (may === 'anyone') return 'Open to everyone.';
  if (may === 'signed in') return 'Open to every account.';
  return `Needs \`${may}\` (${permissions[may]}): ${rolesWith(may).join(', ')}.`;
}

function parametersIn(place: 'path' | 'query', schema: TObject | undefined): Record<string, unknown>[] {
  if (schema === undefined) return [];
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    // A parameter with a default is always there for the handler and never asked of the caller.
    required: place === 'path' || (required.includes(name) && !('default' in property)),
    schema: property,
  }));
}

function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const codes: ProblemCode[] = ['invalid_request', 'unauthorized'];
  if (endpoint.may !== 'anyone' && endpoint.may !== 'signed in') codes.push('forbidden');
  if (endpoint.params !== undefined) codes.push('not_found');
  return codes;
}

function problemResponse(code: ProblemCode): Record<string, unknown> {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { description: problems[code].title, content: { [problemContentType]: { schema } } };
}

function json(schema: unknown): Record<string, unknown> {
  return { 'application/json': { schema } };
}

const text = { type: 'string' };
const problemSchema = {
  type: 'object',
  required: ['type', 'code', 'title', 'status', 'detail', 'errors'],
  properties: {
    type: text,
    code: { enum: Object.keys(problems) },
    title: text,
    status: { type: 'integer' },
    detail: text,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'rule', 'message'],
        properties: { path: text, rule: text, message: text },
      },
    },
  },
};
