import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openApi, operatorCalls, parseBody, problemSchema, readEvent, validator } from '../index.ts';
import type { Json, OpenApiDocument } from './document.ts';
import { makeExamples } from './examples.ts';

const documents = Object.entries(openApi).map(([name, build]) => ({ name, document: build() }));

test.each(documents)('$name is valid OpenAPI 3.1', async ({ document }) => {
  const result = await new Validator().validate(structuredClone(document));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test.each(documents)('$name: every reference can be resolved, and operation ids are unique', ({ document }) => {
  const text = JSON.stringify(document);
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(Object.keys(document.components.schemas)).toContain(name);
  const names = operations(document).map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});

function operations(document: OpenApiDocument): Json[] {
  return Object.values(document.paths).flatMap((path) => Object.values(path) as Json[]);
}

test.each(operatorCalls)('$method $path: every sample matches its schema', (call) => {
  const bodies = [...call.answers, ...(call.request === undefined ? [] : [call.request])];
  for (const { schema, samples = {} } of bodies) {
    if (schema === undefined) continue;
    for (const sample of Object.values(samples)) expect(validator(schema).errors(sample)).toEqual([]);
  }
});

describe('the operator document', () => {
  test('contains all endpoints of section A and the three schemes', () => {
    const document = openApi.operator();
    const calls = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(calls).toEqual([
      'get /userdetails/{userid}',
      'get /userconsents/{userid}',
      'post /userconsents/{userid}',
      'get /userblocks/{userid}',
      'post /userblocks/{userid}',
      'post /bonus/credit',
      'post /bonus/credit/funds',
      'get /bonus/list',
      'post /reconciliation',
      'post /authenticate',
    ]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey', 'basic', 'oauth2']);
  });
});

const examples = makeExamples();

describe('the examples of the integration document', () => {
  const context = { now: Date.now() * 1000, zoneless_timestamps: 'UTC', base_currency: 'EUR' };

  test('contain for each operation a valid event and each problem that a caller can cause', () => {
    for (const operation of operations(openApi.integration())) {
      const kind = String(operation.operationId);
      const statuses = examples.filter(({ name }) => name.startsWith(`${kind}: `)).map(({ answer }) => answer.status);
      expect(new Set(statuses)).toEqual(new Set([200, 400, 401, 413, 415]));
      const documented = Object.keys(operation.responses as Json);
      expect(documented).toEqual(['200', '400', '401', '413', '415', '503']);
    }
  });

  test('have unique names', () => {
    expect(new Set(examples.map(({ name, request }) => `${name} ${request.key}`)).size).toBe(examples.length);
  });

  test.each(examples.filter(({ answer }) => answer.status === 200))('$name can be read', ({ name, request }) => {
    const parsing = parseBody(request.body);
    const kind = name.split(':')[0] as Parameters<typeof readEvent>[0];
    expect(parsing.ok && readEvent(kind, parsing.body, context)).toMatchObject({ ok: true });
  });

  test.each(examples.filter(({ answer }) => answer.status !== 200))(
    '$name is answered with a problem',
    ({ answer }) => {
      expect(validator(problemSchema).errors(answer.body)).toEqual([]);
    },
  );
});
