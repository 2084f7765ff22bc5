import { openApi } from '@croupier/contracts';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { siteOpenApi } from '../site/serving.ts';
import { openApiRoutes } from './openapi-routes.ts';

async function setup() {
  const app = Fastify();
  await app.register(
    openApiRoutes([
      { name: 'integration', title: 'Integration API', document: openApi.integration },
      { name: 'site', title: 'Site API', document: siteOpenApi },
      { name: 'operator', title: 'Operator endpoints', document: openApi.operator },
    ]),
  );
  return app;
}

test('each document is served unchanged', async () => {
  const app = await setup();
  for (const [name, document] of Object.entries({ ...openApi, site: siteOpenApi })) {
    const answer = await app.inject(`/openapi/${name}.json`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toEqual(document());
  }
});

test('/docs lists all documents and loads everything it needs from this server', async () => {
  const app = await setup();
  const page = await app.inject('/docs');
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toContain('text/html');
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(addresses.length).toBeGreaterThan(3);
  for (const address of addresses) {
    expect(address).toMatch(/^\/(docs|openapi)\b/);
    expect((await app.inject(address)).statusCode, address).toBe(200);
  }
  for (const name of ['integration', 'site', 'operator']) expect(page.body).toContain(`/openapi/${name}.json`);
});

test('/docs works with a policy that allows no inline script and no connection to other servers', async () => {
  const app = await setup();
  const page = await app.inject('/docs');
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self'");
  expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page.body).not.toMatch(/\bon\w+=/);
});
