import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { buildSerializer } from './serializers.ts';

const name = { type: 'object', properties: { name: { type: 'string' } } };

test('an answer is written by the schema of its route and status', async () => {
  const app = Fastify({ schemaController: { compilersFactory: { buildSerializer } } });
  app.get(
    '/:status',
    { schema: { response: { 200: name, 409: { type: 'object', properties: { code: {} } } } } },
    (request, reply) =>
      reply
        .code(Number((request.params as { status: string }).status) as 200 | 409)
        .send({ name: 'Ann', code: 7, secret: 'kept' }),
  );
  for (const [status, body] of [
    [200, { name: 'Ann' }],
    [409, { code: 7 }],
    [200, { name: 'Ann' }],
  ] as const)
    expect((await app.inject(`/${status}`)).json()).toEqual(body);
});

test('a schema is compiled when its first answer is sent, not at the start', () => {
  let isRead = false;
  const schema = {
    ...name,
    get properties() {
      isRead = true;
      return name.properties;
    },
  };
  const serialize = buildSerializer({}, {})({ method: 'GET', url: '/', httpStatus: '200', schema });
  expect(isRead).toBe(false);
  expect(serialize({ name: 'Ann', secret: 'kept' })).toBe('{"name":"Ann"}');
});
