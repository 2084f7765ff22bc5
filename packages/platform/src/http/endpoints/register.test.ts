import type { FastifyError } from 'fastify';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { testLog } from '../../../testing/log.ts';
import { createHttpServer } from '../server.ts';
import type { Endpoint } from './endpoint.ts';
import { register, requireDefinitions, type Serving } from './register.ts';

const press = {
  method: 'POST',
  path: '/press',
  tag: 'Presses',
  summary: 'A press',
  may: 'anyone',
  body: Type.Object({ id: Type.Integer() }),
  bodyBytes: 100,
  answer: Type.Object({ id: Type.Integer() }),
} as const satisfies Endpoint;

const refusal = (statusCode: number) => Object.assign(new Error('refused'), { statusCode });

async function serverWith(endpoint: Endpoint, more: Partial<Serving<Endpoint>> = {}) {
  const app = await createHttpServer({ edge: () => false, log: testLog });
  await app.register(async (api) => {
    requireDefinitions(api);
    api.setErrorHandler(({ statusCode = 500 }: FastifyError, _request, reply) => reply.code(statusCode).send());
    api.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, text: unknown) =>
      JSON.parse(String(text)),
    );
    register(api, endpoint, {
      clock: () => 0,
      defaultBodyBytes: 1_000,
      wrongPart: () => refusal(400),
      tooMany: () => refusal(429),
      handle: async ({ body }) => body,
      ...more,
    });
  });
  await app.ready();
  const send = async (payload: object) => (await app.inject({ method: 'POST', url: '/press', payload })).statusCode;
  return { app, send };
}

test('the server refuses to start if a route is open to anyone and has no body limit', async () => {
  const { bodyBytes: _, ...unbounded } = press;
  await expect(serverWith(unbounded)).rejects.toThrow(
    'POST /press requires no authentication and takes a body: set bodyBytes',
  );
  await expect(serverWith({ ...press, bodyBytes: 5_000 })).rejects.toThrow('set a bodyLimit of at most 4096');
  await expect(serverWith({ ...press, may: 'player' })).resolves.toBeDefined();
});

test('the server refuses to start if a route has no documentation', async () => {
  await expect(serverWith({ ...press, summary: '' })).rejects.toThrow('POST /press has no documentation');
  const app = await createHttpServer({ edge: () => false, log: testLog });
  const undocumented = app.register(async (api) => {
    requireDefinitions(api);
    api.get('/found-by-chance', () => 'served');
  });
  await expect(undocumented).rejects.toThrow('GET /found-by-chance has no endpoint definition');
  const anywhere = await createHttpServer({ edge: () => false, log: testLog });
  expect(() => anywhere.post('/found-by-chance', { bodyLimit: 100 }, () => 'served')).toThrow(
    'POST /found-by-chance takes a body and has no endpoint definition',
  );
});

test('the caller is checked first, then the limit, then the parts', async () => {
  const { send } = await serverWith(press, {
    admit: async ({ headers }) => {
      if (headers['content-length'] === '13') throw refusal(403);
    },
  });
  expect(await send({ id: 7 })).toBe(200);
  expect(await send({ id: '7' })).toBe(400);
  expect(await send({ id: 7, more: 'x'.repeat(100) })).toBe(413);
  expect(await send({ id: '1234' })).toBe(403);
});

test('calls are counted per network: all of them or those that fail', async () => {
  const rate = { burst: 2, per_second: 1 };
  const all = await serverWith({ ...press, networkLimit: { ...rate, counts: 'calls' } });
  expect([await all.send({ id: 1 }), await all.send({ id: 1 }), await all.send({ id: 1 })]).toEqual([200, 200, 429]);
  const failed = await serverWith({ ...press, networkLimit: { ...rate, counts: 'failures' } });
  for (let times = 0; times < 5; times++) expect(await failed.send({ id: 1 })).toBe(200);
  expect([await failed.send({}), await failed.send({}), await failed.send({ id: 1 })]).toEqual([400, 400, 429]);
});

test('a call above the limit is refused before its body is read', async () => {
  const { app } = await serverWith({ ...press, networkLimit: { burst: 2, per_second: 1, counts: 'calls' } });
  const statuses = [];
  for (const payload of ['{', 'x'.repeat(101), '{', 'x'.repeat(101)]) {
    const headers = { 'content-type': 'application/json' };
    statuses.push((await app.inject({ method: 'POST', url: '/press', headers, payload })).statusCode);
  }
  expect(statuses).toEqual([500, 413, 429, 429]);
});
