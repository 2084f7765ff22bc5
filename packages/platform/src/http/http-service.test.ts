import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { testLog } from '../../test/log.ts';
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
