import { validator } from '@croupier/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { documentedSiteCalls, siteOpenApi } from './document.ts';

test('the document is valid OpenAPI 3.1, its references can be resolved, its operations have unique names', async () => {
  const document = siteOpenApi();
  const result = await new Validator().validate(structuredClone(document));
  expect([result.valid, result.errors ?? []]).toEqual([true, []]);
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(Object.keys(document.components.schemas)).toContain(name);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as { operationId: string }[]);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations.length).toBe(documentedSiteCalls.length);
});

test('schemas with the same name are identical', () => {
  const schemas = new Map<string, string>();
  for (const { request, answers } of documentedSiteCalls)
    for (const { schemaName = '', schema } of request === undefined ? answers : [request, ...answers]) {
      const text = JSON.stringify(schema);
      expect(schemas.get(schemaName) ?? text, schemaName).toBe(text);
      schemas.set(schemaName, text);
    }
});

test.each(documentedSiteCalls)('$method $path: every sample matches its schema', (call) => {
  const bodies = [...call.answers, ...(call.request === undefined ? [] : [call.request])];
  for (const { schema, samples = {} } of bodies) {
    if (schema === undefined) continue;
    for (const sample of Object.values(samples)) expect(validator(schema).errors(sample)).toEqual([]);
  }
});
