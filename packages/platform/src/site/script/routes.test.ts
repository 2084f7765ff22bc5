import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testLog } from '../../../testing/log.ts';
import { type Brand, readDeclaration } from '../../brands/index.ts';
import { createHttpServer } from '../../http/server.ts';
import { scriptRoutes } from './routes.ts';

const ownNames = { config_name: 'play', api_name: 'Play', loader_name: 'PlayLoader', brand_name: 'playbrand' };
const brands = new Map([
  ['demo', brandOf({ code: 'demo' })],
  [
    'lucky',
    brandOf({ code: 'lucky', site_script: { ...ownNames, file_name: 'play' }, staging_url: 'https://staging.example' }),
  ],
]);
let app: FastifyInstance;

beforeAll(async () => {
  app = await createHttpServer({ edge: () => false, log: testLog });
  await app.register(scriptRoutes({ brands: { byCode: (code) => brands.get(code) } }));
});
afterAll(() => app.close());

function brandOf(entry: Record<string, unknown>): Brand {
  const read = readDeclaration({ name: 'A brand', ...entry }, 'brand');
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return { ...read.declaration, brand_id: 1, declared: false };
}

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

describe('the loader', () => {
  test('is fetched again after minutes, by any page, including isolated ones', async () => {
    const answer = await get('/loader/crm.js');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300, stale-while-revalidate=600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    const again = await get('/loader/crm.js', { 'if-none-match': String(answer.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('is compressed, and has the same content in every encoding', async () => {
    const plain = await get('/loader/crm.js');
    const zipped = await get('/loader/crm.js', { 'accept-encoding': 'gzip' });
    const br = await get('/loader/crm.js', { 'accept-encoding': 'gzip, br' });
    expect([zipped.headers['content-encoding'], br.headers['content-encoding']]).toEqual(['gzip', 'br']);
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
  });

  test("has the interface's names for all brands, and a brand's own under the brand's path", async () => {
    expect((await get('/loader/crm.js')).body).toContain('"CrmLoader"');
    expect((await get('/loader/staging/crm.js')).body).toContain('"CrmLoader"');
    for (const path of ['lucky/play.js', 'lucky/crm.js', 'staging/lucky/play.js']) {
      const { body } = await get(`/loader/${path}`);
      for (const name of Object.values(ownNames)) expect(body).toContain(name);
      expect(body).not.toMatch(/CrmLoader|crmbrand|%[a-z]+%/);
    }
    for (const path of [
      'lucky/other.js',
      'lucky/play',
      'nobody/crm.js',
      'demo/play.js',
      'staging/demo/play.js',
      'other.js',
    ])
      expect([path, (await get(`/loader/${path}`)).statusCode]).toEqual([path, 404]);
  });

  test("of staging finds the brand's staging installation", async () => {
    expect((await get('/loader/staging/lucky.json')).json()).toEqual({ staging_url: 'https://staging.example' });
    expect((await get('/loader/staging/demo.json')).json()).toEqual({ staging_url: '' });
    expect((await get('/loader/staging/nobody.json')).statusCode).toBe(404);
  });
});

test('the app is cached forever under the name that the loader knows; an earlier name returns the current app', async () => {
  const [file] = /app-[A-Za-z0-9]+\.js/.exec((await get('/loader/crm.js')).body) ?? [];
  const app = await get(`/loader/${file}`);
  expect(app.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const earlier = await get('/loader/app-0123456789.js');
  expect([earlier.body === app.body, earlier.headers['cache-control']]).toEqual([true, 'public, max-age=60']);
});
