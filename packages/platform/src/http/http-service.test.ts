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

test('stopping answers what is under way, ends kept connections, and takes no more', async () => {
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

test('whatever cannot be read as a request is answered as a problem, too', async () => {
  const service = new HttpService({
    port: 0,
    host: '127.0.0.1',
    build: () => createHttpServer({ log: testLog, edge: () => false }),
  });
  await service.start();
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect({ port: service.port, host: '127.0.0.1' }, () => socket.write(text));
      socket.on('data', (chunk) => {
        answer += chunk.toString();
      });
      socket.on('end', () => resolve(answer)).on('error', reject);
    });
  const host = 'host: x\r\nconnection: close\r\n\r\n';
  for (const [text, status, code] of [
    ['no http at all\r\n\r\n', 400, 'invalid_request'],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}`, 431, 'headers_too_large'],
    [`GET /players/%ff HTTP/1.1\r\n${host}`, 400, 'invalid_request'],
    [`GET /nothing HTTP/1.1\r\n${host}`, 404, 'not_found'],
  ] as const) {
    const answer = await raw(text);
    expect(answer).toMatch(`HTTP/1.1 ${status} `);
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ status, code });
  }
  await service.stop();
});
