import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testLog } from '../../testing/log.ts';
import { HttpService } from './http-service.ts';
import { createHttpServer } from './server.ts';

interface Got {
  status?: number;
  refused?: string;
}

function get(agent: Agent, port: number): Promise<Got> {
  return new Promise((resolve) => {
    request({ agent, port, host: '127.0.0.1', path: '/slow' }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0 }));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve({ refused: error.code ?? error.message }))
      .end();
  });
}

/**
 * Sends `text`, which may not be a valid request, and `rest` after the first data of the answer; reads until the connection
 * ends.
 */
function raw(port: number, text: string, rest = ''): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(text));
    socket.once('data', () => socket.write(rest));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    // If the connection is cut while this test still sends data, it ends with an error.
    socket.on('error', () => {}).on('close', () => resolve(answer));
  });
}

test('stopping answers open calls, ends kept-alive connections, and accepts no more', async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const service = new HttpService({
    port: 0,
    host: '127.0.0.1',
    build: () =>
      createHttpServer({
        log: testLog,
        edge: (_request, response) => {
          arrived.resolve();
          void release.promise.then(() => response.writeHead(200, { 'content-length': 0 }).end());
          return true;
        },
      }),
  });
  await service.start();
  const { port } = service;
  const agent = new Agent({ keepAlive: true });
  const underWay = get(agent, port);
  await arrived.promise;
  const stopping = service.stop();
  expect(await get(new Agent(), port)).toEqual({ refused: 'ECONNREFUSED' });
  release.resolve();
  expect(await underWay).toEqual({ status: 200 });
  await stopping;
  expect(await get(agent, port)).toHaveProperty('refused');
  await service.stop();
  agent.destroy();
});

test.each([
  ['its headers', 'GET /nothing HTTP/1.1\r\nhost: x\r\n'],
  ['its body', 'POST /read HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{'],
])('a request that does not send %s in time is answered 408 as a problem, and cut', async (_, text) => {
  const service = new HttpService({
    port: 0,
    host: '127.0.0.1',
    build: () =>
      createHttpServer({
        log: testLog,
        edge: (incoming) => incoming.url === '/read' && incoming.on('data', () => {}) !== undefined,
        arrival: { whole: 200, headers: 100, check: 20 },
      }),
  });
  await service.start();
  const answer = await raw(service.port, text);
  expect(answer).toMatch('HTTP/1.1 408 Request Timeout');
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
    status: 408,
    code: 'request_timeout',
  });
  await service.stop();
});

test('a connection without a request is closed without an answer, because the client would take it for the answer to its next call', async () => {
  const service = new HttpService({
    port: 0,
    host: '127.0.0.1',
    build: () =>
      createHttpServer({ log: testLog, edge: () => false, arrival: { whole: 200, headers: 100, check: 20 } }),
  });
  await service.start();
  expect(await raw(service.port, '')).toBe('');
  await service.stop();
});

test.each([
  ['late', 'content-length: 10\r\n\r\n{', ''],
  ['broken', 'transfer-encoding: chunked\r\n\r\n', 'no chunk\r\n'],
])('a call that was answered before its body, which is %s, gets no second answer', async (_, head, rest) => {
  const service = new HttpService({
    port: 0,
    host: '127.0.0.1',
    build: () =>
      createHttpServer({ log: testLog, edge: () => false, arrival: { whole: 200, headers: 100, check: 20 } }),
  });
  await service.start();
  const answer = await raw(service.port, `POST /nothing HTTP/1.1\r\nhost: x\r\n${head}`, rest);
  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404']);
  await service.stop();
});

test('data that is not a valid request is also answered with a problem document', async () => {
  const service = new HttpService({
    port: 0,
    host: '127.0.0.1',
    build: () => createHttpServer({ log: testLog, edge: () => false }),
  });
  await service.start();
  const host = 'host: x\r\nconnection: close\r\n\r\n';
  for (const [text, status, code] of [
    ['no http at all\r\n\r\n', 400, 'invalid_request'],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}`, 431, 'headers_too_large'],
    [`GET /players/%ff HTTP/1.1\r\n${host}`, 400, 'invalid_request'],
    [`GET /nothing HTTP/1.1\r\n${host}`, 404, 'not_found'],
  ] as const) {
    const answer = await raw(service.port, text);
    expect(answer).toMatch(`HTTP/1.1 ${status} `);
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ status, code });
  }
  await service.stop();
});
