import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { consoleFolder } from '@croupier/console';
import { endpoints } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../testing/brand.ts';
import { setupDatabase } from '../testing/database.ts';
import { freePort } from '../testing/free-port.ts';
import { testLog } from '../testing/log.ts';
import { loadConfig } from './config/index.ts';
import { largestAnonymousBody } from './http/callers.ts';
import { createApi } from './wiring/api.ts';

/*
 * Tests what a caller without a credential can make an api process do. Every route of the real process gets the worst body: an object that
 * never ends and gets more and more keys. However much is sent, the process reads little of it.
 */

/** `npm test` builds the page before the tests. If this file is run alone, the page may be missing. */
const page = existsSync(join(consoleFolder, 'index.html')) ? 200 : 503;

/** Every route that is served without a credential, and its answer to the worst body. A new one has to be added here. */
const anonymous: Record<string, number> = {
  'GET /': 302,
  'GET /console': page,
  'GET /console/*': page,
  'GET /console/assets/*': 404,
  'GET /console/frames/mail': 200,
  'GET /console/frames/site': 200,
  'GET /console/frames/site.js': page,
  'GET /docs': 200,
  'GET /docs/page.css': 200,
  'GET /docs/page.js': 200,
  'GET /docs/icon.svg': 200,
  'GET /docs/assets/*': 404,
  'GET /health/live': 200,
  'GET /health/ready': 200,
  'GET /metrics': 200,
  'GET /openapi/integration.json': 200,
  'GET /openapi/operator.json': 200,
  'GET /openapi/site.json': 200,
  'GET /openapi/console.json': 200,
  'GET /api/console/v1/session/options': 200,
  'POST /api/console/v1/session/single-sign-on': 413,
  'POST /api/console/v1/session/single-sign-on/answer': 413,
  'POST /api/console/v1/session': 413,
  'POST /api/console/v1/session/second-factor': 413,
  'POST /api/console/v1/session/second-factor/passkey': 413,
  'GET /u/:token': 404,
  'POST /u/:token': 404,
  'OPTIONS /u/:token': 415,
  'GET /unsubscribe/:token': 404,
  'POST /unsubscribe/:token': 404,
  'OPTIONS /unsubscribe/:token': 415,
  'GET /t/:token': 404,
  'GET /o/:token': 404,
  'GET /loader/crm.js': 200,
  'GET /loader/staging/crm.js': 200,
  'GET /loader/push-worker.js': 200,
  'GET /loader/:file(^app-[A-Za-z0-9]{1,64}\\.js$)': 200,
  'GET /loader/staging/:brand.json': 404,
  'GET /loader/:brand/:file': 404,
  'GET /loader/staging/:brand/:file': 404,
  'GET /media/:brand/:file': 404,
  'GET /api/v1/config/:brand': 404,
  'OPTIONS /api/v1/config/:brand': 415,
  'POST /channels/:brand/sms/twilio': 404,
  'POST /channels/:brand/:channel/:provider': 404,
  'POST /site/:brand/Crm/PushRenewed': 413,
  'POST /site/:brand/Crm/PushClicked': 413,
};

/** Sockets and HTTP parsers read in pieces of 64 KiB. Some pieces are still in transit when the answer is sent. */
const piecesUnderWay = 4 * 65_536;
const drained = 64 * 1024;
const mostRead = largestAnonymousBody + drained + piecesUnderWay;

const { pool, url } = await setupDatabase();
const { brand } = await createBrand(pool);
const routes: { method: string; url: string; may: string }[] = [];
const api = await startApi();
afterAll(() => api.stop());

async function startApi() {
  const started = Promise.withResolvers<{ fastify: FastifyInstance }>();
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url: path, config }) => {
      for (const each of [method].flat()) {
        routes.push({ method: each, url: path, may: config?.endpoint?.may ?? 'anyone' });
      }
    });
    // The promise does not resolve with the instance itself, because the instance is thenable.
    started.resolve({ fastify });
  };
  diagnostics.subscribe('fastify.initialization', watch);
  const port = await freePort();
  const environment = {
    PORT: String(port),
    HOST: '127.0.0.1',
    CROUPIER_SECRET: 'a secret of 32 characters for tests',
    CROUPIER_ADMIN_TOKEN: 'a token for tests',
  };
  const service = createApi({
    config: await loadConfig(environment),
    databaseUrl: url,
    log: testLog,
    name: 'api-test',
  });
  await service.start();
  diagnostics.unsubscribe('fastify.initialization', watch);
  const { fastify } = await started.promise;
  return { port, server: fastify.server, stop: () => service.stop() };
}

/** Sends the worst body until the process cuts the connection. @returns its answer, and how much of the body it read. */
async function attack(method: string, path: string): Promise<{ status: number; read: number }> {
  const accepted = once(api.server, 'connection');
  const socket = connect({ port: api.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const [served] = (await accepted) as [Socket];
  const answer = sentBy(served);
  socket.resume();
  const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
  socket.write(`${head}1\r\n{\r\n`);
  let key = 0;
  const send = () => {
    while (!socket.destroyed) {
      const members = Array.from({ length: 1_000 }, () => `"k${key++}":0,`).join('');
      if (!socket.write(`${members.length.toString(16)}\r\n${members}\r\n`)) return;
    }
  };
  socket.on('drain', send);
  send();
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  await once(served, 'close');
  await closed;
  return { status: Number(answer().slice(9, 12)), read: served.bytesRead };
}

/**
 * Records what the process writes to a connection. It is recorded in the process, because a caller that never stops sending may lose the
 * answer: the connection is cut, and the caller's next write fails before the caller has read the answer.
 */
function sentBy(served: Socket): () => string {
  const sent: Buffer[] = [];
  for (const name of ['write', 'end'] as const) {
    const original = served[name].bind(served) as (...given: unknown[]) => unknown;
    Object.defineProperty(served, name, {
      value: (...given: unknown[]) => {
        if (typeof given[0] === 'string' || given[0] instanceof Uint8Array) sent.push(Buffer.from(given[0]));
        return original(...given);
      },
    });
  }
  return () => Buffer.concat(sent).toString('latin1');
}

function addressOf(route: string): string {
  return route
    .replace('/site/:brand', `/site/${brand.code}`)
    .replace(/:\w+\(.*\)/, 'app-x.js')
    .replace(/:\w+/g, 'x')
    .replace('*', 'x');
}

const isServed = ({ method, url: path }: { method: string; url: string }) =>
  method !== 'HEAD' && !(method === 'OPTIONS' && path.endsWith('*'));

test('every route that anyone may call is in the table', () => {
  const open = routes.filter(isServed).filter(({ may }) => may === 'anyone');
  expect([...new Set(open.map(({ method, url: path }) => `${method} ${path}`))].toSorted()).toEqual(
    Object.keys(anonymous).toSorted(),
  );
});

test.each(Object.entries(anonymous))(
  '%s answers %i to the worst body, and reads little of it',
  async (route, status) => {
    const [method = '', path = ''] = route.split(' ');
    const attacked = await attack(method, addressOf(path));
    expect(attacked.status).toBe(status);
    expect(attacked.read).toBeLessThan(mostRead);
  },
);

test.each([
  ...endpoints.slice(0, 3).map(({ method, path }) => [method, path, 401] as const),
  ['PATCH', '/v1/integration/payment', 405],
  ['POST', '/v1/integration/nothing', 404],
  ['POST', '/nothing', 404],
  ['POST', '/metrics', 405],
  ['POST', '/api/console/v1/nothing', 404],
  ['POST', `/api/console/v1/brands/${'x'.repeat(5)}/keys`, 401],
  ['POST', `/site/${brand.code}/nothing`, 404],
  ['POST', '/site/nobody/nothing', 404],
  ['PUT', `/site/${brand.code}/Crm/Events`, 405],
  ['POST', `/site/${brand.code}/Crm/Events`, 401],
  ['OPTIONS', `/site/${brand.code}/Crm/Events`, 415],
  ['PUT', '/u/x', 405],
] as const)('%s %s without a credential answers %i, and reads little', async (method, path, status) => {
  const attacked = await attack(method, path);
  expect(attacked.status).toBe(status);
  expect(attacked.read).toBeLessThan(mostRead);
});

test('a body of keys in one piece is refused by its length alone', async () => {
  const response = await fetch(`http://127.0.0.1:${api.port}/api/console/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{${Array.from({ length: 500 }, (_, i) => `"key${i}":0`).join(',')}}`,
  });
  expect([response.status, await response.json()]).toEqual([413, expect.objectContaining({ code: 'body_too_large' })]);
});
