import type { Answer, Call, Parameter, RequestBody } from '../calls/call.ts';

/** A JSON object of an OpenAPI document. The standard defines its shape, and the tests validate the whole document. */
export type Json = { [key: string]: unknown };

export interface OpenApiDocument extends Json {
  openapi: '3.1.0';
  info: Json;
  paths: { [path: string]: Json };
  components: { schemas: Json; securitySchemes: Json };
}

export interface DocumentParts {
  title: string;
  description: string;
  servers: readonly Json[];
  securitySchemes: Json;
  calls: readonly Call[];
}

const version = '1.0.0';

/** Builds an OpenAPI 3.1 document from a table of calls. Named schemas are written once, under components. */
export function openApiDocument(parts: DocumentParts): OpenApiDocument {
  const schemas: Json = {};
  const paths: { [path: string]: Json } = {};
  for (const call of parts.calls) {
    const path = paths[call.path] ?? {};
    path[call.method.toLowerCase()] = operation(call, schemas);
    paths[call.path] = path;
  }
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: parts.title,
      version,
      description: parts.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: parts.servers,
    // Any one of the schemes is sufficient.
    security: Object.keys(parts.securitySchemes).map((name) => ({ [name]: [] })),
    tags: [...new Set(parts.calls.map((call) => call.tag))].map((name) => ({ name })),
    paths,
    components: { schemas, securitySchemes: parts.securitySchemes },
  };
  // TypeBox keeps non-JSON marks on schemas; only JSON is published.
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument;
}

function operation(call: Call, schemas: Json): Json {
  return {
    operationId: call.name,
    tags: [call.tag],
    summary: call.summary,
    ...(call.description === undefined ? {} : { description: call.description }),
    ...(call.server === undefined ? {} : { servers: [{ url: call.server }] }),
    ...(call.secured === false ? { security: [] } : {}),
    ...(call.parameters?.length ? { parameters: call.parameters.map(parameter) } : {}),
    ...(call.request === undefined ? {} : { requestBody: requestBody(call.request, schemas) }),
    responses: Object.fromEntries(call.answers.map((answer) => [String(answer.status), response(answer, schemas)])),
  };
}

function parameter(of: Parameter): Json {
  const { in: place, name, required = false, description, schema, example } = of;
  return { in: place, name, required, description, schema, ...(example === undefined ? {} : { example }) };
}

function requestBody(body: RequestBody, schemas: Json): Json {
  schemas[body.schemaName] = body.schema;
  const media = { schema: reference(body.schemaName), examples: examples(body.samples) };
  const types = [...(body.types ?? ['application/json']), ...(body.alsoAs ?? [])];
  return { required: body.optional !== true, content: Object.fromEntries(types.map((type) => [type, media])) };
}

function response(answer: Answer, schemas: Json): Json {
  const headers = answer.headers === undefined ? {} : { headers: headerObjects(answer.headers) };
  if (answer.schema === undefined || answer.schemaName === undefined)
    return { description: answer.description, ...headers };
  schemas[answer.schemaName] = answer.schema;
  const media = {
    schema: reference(answer.schemaName),
    ...(answer.samples === undefined ? {} : { examples: examples(answer.samples) }),
  };
  return {
    description: answer.description,
    ...headers,
    content: { [answer.contentType ?? 'application/json']: media },
  };
}

function headerObjects(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }]));
}

function reference(schemaName: string): Json {
  return { $ref: `#/components/schemas/${schemaName}` };
}

function examples(samples: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(samples).map(([name, value]) => [name, { value }]));
}
