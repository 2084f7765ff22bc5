import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { answerUnknownPaths, MethodsByPath } from './unknown-paths.ts';

test('a path accepts the methods of all routes that match it, with parameters and a trailing slash', () => {
  const paths = new MethodsByPath();
  paths.add('/a/:id', ['GET', 'HEAD']);
  paths.add('/a/:id', ['DELETE']);
  paths.add('/a/new', ['POST']);
  paths.add('/a/:id/b', ['PUT']);
  paths.add('/*', ['OPTIONS']);
  expect(paths.of('/a/1')).toEqual(['GET', 'HEAD', 'DELETE']);
  expect(paths.of('/a/1/')).toEqual(['GET', 'HEAD', 'DELETE']);
  expect(paths.of('/a/new')).toEqual(['GET', 'HEAD', 'DELETE', 'POST']);
  expect(paths.of('/a/1/b')).toEqual(['PUT']);
  for (const path of ['/', '/a', '/a/', '/A/1', '/a/1/b/c']) expect(paths.of(path)).toEqual([]);
});

test('a wildcard at the end takes all paths below it', () => {
  const paths = new MethodsByPath();
  paths.add('/console', ['GET', 'HEAD']);
  paths.add('/console/*', ['GET', 'HEAD']);
  paths.add('/console/:id', ['DELETE']);
  expect(paths.of('/console/players')).toEqual(['DELETE', 'GET', 'HEAD']);
  expect(paths.of('/console/players/7/')).toEqual(['GET', 'HEAD']);
  for (const path of ['/', '/consoles/a', '/a/console/b']) expect(paths.of(path)).toEqual([]);
});

test('404 and 405 are answered without reading the body; a route whose handler finds nothing answers 404', async () => {
  const app = Fastify();
  app.removeAllContentTypeParsers();
  answerUnknownPaths(app, (_request, reply, allowed) => reply.code(allowed.length === 0 ? 404 : 405).send());
  app.get('/a/:id', (_request, reply) => reply.callNotFound());
  const call = async (method: 'GET' | 'PUT', url: string) => {
    const { statusCode, headers } = await app.inject({ method, url, payload: '{"a":', headers: json });
    return { statusCode, allow: headers.allow };
  };
  expect(await call('PUT', '/a/1?x=1')).toEqual({ statusCode: 405, allow: 'GET, HEAD' });
  expect(await call('PUT', '/b')).toEqual({ statusCode: 404, allow: undefined });
  expect(await call('GET', '/a/1')).toEqual({ statusCode: 404, allow: undefined });
  await app.close();
});

const json = { 'content-type': 'application/json' };
