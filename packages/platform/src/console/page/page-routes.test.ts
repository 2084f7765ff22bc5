import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../http/server.ts';
import { consolePage } from './page-routes.ts';

async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'console-page-'));
  const app = await createHttpServer({ edge: () => false, log: pino({ level: 'silent' }) });
  await app.register(consolePage({ folder }));
  onTestFinished(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  const build = async () => {
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'index.html'), '<meta name="style-nonce" content="__nonce__">');
    await writeFile(join(folder, 'assets', 'index-1.js'), 'start()');
    await writeFile(join(folder, 'site-frame.js'), 'show()');
  };
  return { app, build };
}

test('while the console is being built, a page shows that; afterwards it is available without a restart', async () => {
  const { app, build } = await setup();
  const before = await app.inject('/console');
  expect([before.statusCode, before.headers['retry-after']]).toEqual([503, '2']);
  expect(before.body).toContain('is being built');
  await build();
  expect((await app.inject('/console')).statusCode).toBe(200);
});

test('every address below /console returns the page, each answer with its own nonce, and no site can frame it', async () => {
  const { app, build } = await setup();
  await build();
  const nonces = new Set<string>();
  for (const path of ['/console', '/console/demo/players/a%20player', '/console/sign-in?back=%2Fdemo']) {
    const { statusCode, headers, body } = await app.inject(path);
    const [, nonce = ''] = /content="([\w-]+)"/.exec(body) ?? [];
    expect(statusCode, path).toBe(200);
    expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-store');
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

test('the policies of the preview frames allow no script of an author, and no other site can embed them', async () => {
  const { app, build } = await setup();
  const early = await app.inject('/console/frames/site.js');
  expect([early.statusCode, early.headers['retry-after']]).toEqual([503, '2']);
  await build();
  for (const [path, sandbox] of [
    ['mail', 'sandbox allow-same-origin;'],
    ['site', 'sandbox allow-scripts;'],
  ]) {
    const { statusCode, headers } = await app.inject(`/console/frames/${path}`);
    const policy = String(headers['content-security-policy']);
    expect(statusCode).toBe(200);
    expect(policy).toContain(sandbox);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  }
  const script = await app.inject('/console/frames/site.js');
  expect([script.statusCode, script.body]).toEqual([200, 'show()']);
  expect(script.headers['cross-origin-resource-policy']).toBe('cross-origin');
});

test('browsers cache assets for a year, and a missing asset does not return the page', async () => {
  const { app, build } = await setup();
  await build();
  const asset = await app.inject('/console/assets/index-1.js');
  expect([asset.statusCode, asset.body]).toEqual([200, 'start()']);
  expect(asset.headers['cache-control']).toContain('immutable');
  expect((await app.inject('/console/assets/index-2.js')).statusCode).toBe(404);
  expect((await app.inject('/console/assets/..%2Findex.html')).statusCode).not.toBe(200);
});
