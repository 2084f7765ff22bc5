import { Validator } from '@seriousme/openapi-schema-validator';
import type { RouteOptions } from 'fastify';
import Fastify from 'fastify';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { createBrand } from '../../testing/brand.ts';
import { readCallsByRole } from '../../testing/console/calls-by-role.ts';
import { adminToken, setupConsole } from '../../testing/console/setup-console.ts';
import { roles } from './access/roles.ts';
import { consoleRoutes } from './api.ts';
import { consoleEndpoints } from './endpoints.ts';
import { consoleOpenApi } from './openapi.ts';
import { basePath, type Endpoint } from './routing/endpoint.ts';

const console = await setupConsole();

/** The routes that Fastify has registered, read independently of the plugin. The tests below use them. */
async function routesServed(): Promise<{ method: string; url: string }[]> {
  const routes: RouteOptions[] = [];
  const app = Fastify();
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  await app.register(consoleRoutes({ ...console, clock: console.clock.now, log: app.log as never, adminToken }));
  await app.ready();
  await app.close();
  return routes.flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, url })));
}

const routes = await routesServed();

function pathWith(url: string, values: Record<string, string> = {}): string {
  const path = url.slice(basePath.length);
  return path.replaceAll(/:(\w+)/g, (_match, name: string) => values[name] ?? (name.endsWith('_id') ? '1' : 'malta'));
}

function definitionOf({ method, url }: { method: string; url: string }): Endpoint | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return consoleEndpoints.find((each) => each.method === wanted && `${basePath}${each.path}` === url);
}

describe('every route', () => {
  test('is created from a definition, and every definition is served', () => {
    const served = routes.filter(({ method }) => method !== 'HEAD').map(({ method, url }) => `${method} ${url}`);
    const defined = consoleEndpoints.map(({ method, path }) => `${method} ${basePath}${path}`);
    expect(served.toSorted()).toEqual(defined.toSorted());
    expect(served.length).toBeGreaterThan(15);
  });

  test.each(routes)('$method $url is answered 401 without a token and with a wrong one', async (route) => {
    if (definitionOf(route)?.may === 'anyone') return;
    for (const token of [null, 'wrong', `${adminToken}x`, adminToken.slice(1)]) {
      const answer = await console.app.inject({
        method: route.method as 'GET',
        url: `${basePath}${pathWith(route.url)}`,
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
      });
      expect(answer.statusCode).toBe(401);
    }
  });

  test('a brand without a grant gets the same answer as one that does not exist', async () => {
    const { brand: another } = await createBrand(console.pool, { code: 'another' });
    const token = await console.signedIn({ brand_id: another.brand_id, role: 'admin' });
    const foreign = await console.get('/brands/malta/keys', token);
    const unknown = await console.get('/brands/nowhere/keys', token);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body.detail).toBe(unknown.body.detail.replace('nowhere', 'malta'));
  });
});

test('errors are in the language of the call; without one, in English', async () => {
  const refusalIn = async (path: string, language?: string) => {
    const headers = { authorization: `Bearer ${adminToken}`, ...(language && { 'accept-language': language }) };
    const answer = await console.app.inject({ method: 'GET', url: `${basePath}${path}`, headers });
    return [answer.json().detail, answer.headers['content-language']];
  };
  const missing = '/brands/malta/segments/none';
  expect(await refusalIn(missing)).toEqual(['the segment none does not exist', 'en']);
  expect(await refusalIn(missing, 'fr')).toEqual(['the segment none does not exist', 'en']);
  expect(await refusalIn(missing, 'de-AT, en;q=0.5')).toEqual(['Das Segment none gibt es nicht', 'de']);
  expect(await refusalIn('/brands/malta/players?limit=0', 'de')).toEqual(['limit muss mindestens 1 sein', 'de']);
  expect(await refusalIn('/brands/malta/players?cursor=x', 'de')).toEqual([expect.stringMatching(/^Der Cursor/), 'de']);
});

test('explanations of rules, campaigns, settings and templates are in the language of the call', async () => {
  const send = async (method: 'POST' | 'PUT', path: string, payload: object, language: string) => {
    const headers = { authorization: `Bearer ${adminToken}`, 'accept-language': language };
    const answer = await console.app.inject({ method, url: `${basePath}/brands/malta${path}`, headers, payload });
    return answer.json().errors as { path: string; message: string }[];
  };
  const rule = { combinator: 'and', rules: [{ field: 'trait.none', operator: '=', value: 1 }] };
  const inGerman = 'Das Feld „trait.none“ ist unbekannt; GET rule-fields listet die Felder auf';
  const [checked] = await send('POST', '/rules/check', { rule }, 'en');
  expect(checked?.message).toBe('unknown field "trait.none"; GET rule-fields lists the fields');
  expect(await send('POST', '/rules/check', { rule }, 'de')).toEqual([{ path: '/rules/0/field', message: inGerman }]);
  expect(await send('POST', '/rules/preview', { rule }, 'de')).toEqual([
    { path: 'rule/rules/0/field', rule: 'rule', message: inGerman },
  ]);
  const campaign = { code: 'a', name: 'A', entry: { segment: 'none', on: 'entered' }, steps: [] };
  expect(await send('POST', '/campaigns/check', { campaign }, 'de')).toEqual([
    { path: '/entry/segment', message: 'Die Marke hat kein Segment none' },
  ]);
  const settings = { quiet_hours: { from: '22', to: '08:00' } };
  expect(await send('PUT', '/settings', { settings }, 'de')).toEqual([
    { path: 'settings.quiet_hours.from', rule: 'setting', message: 'muss eine Uhrzeit wie 09:30 oder leer sein' },
  ]);
  const content = { en: { subject: '{{ 1 | nothing }}', html: 'a' } };
  expect(await send('POST', '/templates', { code: 'a', name: 'A', channel: 'email', content }, 'de')).toMatchObject([
    { message: expect.stringContaining('Den Filter nothing gibt es nicht (Zeile 1, Spalte 1)') },
  ]);
});

describe('errors that the server answers before a route are in the language of the call, too', () => {
  const ask = async (method: 'GET' | 'PATCH' | 'POST', path: string, type = 'application/json', payload = '{}') => {
    const headers = { authorization: `Bearer ${adminToken}`, 'accept-language': 'de', 'content-type': type };
    const url = `${basePath}${path}`;
    const answer = await console.app.inject({ method, url, headers, ...(method !== 'GET' && { payload }) });
    return [answer.statusCode, answer.json().detail, answer.headers['content-language']];
  };
  const brands = `${basePath}/brands`;

  test('404 and 405', async () => {
    expect(await ask('GET', '/nowhere')).toEqual([404, `GET ${basePath}/nowhere gibt es nicht.`, 'de']);
    expect(await ask('PATCH', '/brands')).toEqual([405, expect.stringContaining(`${brands} erlaubt GET`), 'de']);
  });

  test('413 and 415', async () => {
    const large = JSON.stringify({ email: 'x'.repeat(3_000_000) });
    expect(await ask('POST', '/accounts', 'application/json', large)).toEqual([
      413,
      'Der Inhalt der Anfrage ist zu groß.',
      'de',
    ]);
    expect(await ask('POST', '/accounts', 'text/plain', 'x')).toEqual([
      415,
      'Diesen Inhaltstyp nimmt die Adresse nicht an.',
      'de',
    ]);
  });
});

describe('calls-by-role.md', () => {
  const written = readCallsByRole();
  const namesOf = (endpoints: readonly Endpoint[]) =>
    endpoints.map(({ method, path }) => `${method} ${path}`).toSorted();
  const needsRole = consoleEndpoints.filter(({ may }) => may !== 'anyone' && may !== 'signed in');

  test('lists every call', () => {
    expect([...written.calls.keys()].toSorted()).toEqual(namesOf(needsRole));
    expect(written.anyone.toSorted()).toEqual(namesOf(consoleEndpoints.filter(({ may }) => may === 'anyone')));
    expect(written.signedIn.toSorted()).toEqual(namesOf(consoleEndpoints.filter(({ may }) => may === 'signed in')));
  });

  /** Makes the call with a body that no route accepts: an allowed caller gets a validation error. */
  async function statusOf({ method, path }: Endpoint, token: string): Promise<number> {
    const answer = await console.app.inject({
      method,
      url: `${basePath}${pathWith(`${basePath}${path}`, { api_key_id: '999' })}`,
      headers: { authorization: `Bearer ${token}` },
      ...(method !== 'GET' && { payload: { unknown_field: true } }),
      // Read as a stream, because the stream of changes has no end.
      payloadAsStream: true,
    });
    answer.stream().destroy();
    return answer.statusCode;
  }

  test.each(roles)('lists what the role %s may do, at one brand and at every brand', async (role) => {
    const atBrand = await console.as(role);
    const everywhere = await console.signedIn({ brand_id: null, role });
    const answers = [];
    for (const endpoint of needsRole) {
      const call = `${endpoint.method} ${endpoint.path}`;
      const ofBrand = endpoint.path.includes(':brand');
      const may = written.calls.get(call)?.has(role) ?? false;
      const status = await statusOf(endpoint, atBrand);
      answers.push({ call, status, isRight: (status === 403) === !(may && ofBrand) });
      if (ofBrand) continue;
      const statusEverywhere = await statusOf(endpoint, everywhere);
      answers.push({ call, status: statusEverywhere, isRight: (statusEverywhere === 403) === !may });
    }
    expect(answers.filter(({ isRight }) => !isRight)).toEqual([]);
  });

  test('an account without a role can only read itself and the list of its brands', async () => {
    const token = await console.signedIn();
    for (const endpoint of needsRole) {
      expect([403, 404], `${endpoint.method} ${endpoint.path}`).toContain(await statusOf(endpoint, token));
    }
    expect((await console.get('/brands', token)).body.items).toEqual([]);
  });
});

interface Operation {
  responses: Record<string, { content?: object }>;
  requestBody?: { required: boolean };
}

describe('the OpenAPI document', () => {
  test('is valid and lists every endpoint once', async () => {
    const document = JSON.parse(JSON.stringify(consoleOpenApi()));
    const result = await new Validator().validate(document);
    expect(result.errors).toBeUndefined();
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object));
    expect(operations).toHaveLength(consoleEndpoints.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  // The possible answers of a call follow from its endpoint: its role, its parts, and its texts for 403 and 409.
  test.each(consoleEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s documents its refusals, the type of its answer and whether a body is required',
    (_, endpoint: Endpoint) => {
      const path = `${basePath}${endpoint.path}`.replaceAll(/:(\w+)/g, '{$1}');
      const operation = (consoleOpenApi().paths[path] as Record<string, Operation>)[endpoint.method.toLowerCase()];
      const statuses = Object.keys(operation?.responses ?? {});
      const needsRole = endpoint.may !== 'anyone' && endpoint.may !== 'signed in';
      expect([statuses.includes('403'), statuses.includes('409')]).toEqual([
        needsRole || endpoint.forbidden !== undefined,
        endpoint.conflict !== undefined,
      ]);
      if (endpoint.status !== 204)
        expect(Object.keys(operation?.responses[endpoint.status]?.content ?? {})).toEqual([
          endpoint.contentType ?? 'application/json',
        ]);
      expect(operation?.requestBody?.required).toBe(endpoint.body && !Type.IsOptional(endpoint.body));
    },
  );
});

test('a parameter with a typing mistake is an error, not an unfiltered list', async () => {
  const { status, body } = await console.get('/brands/malta/quarantine?stat=open');
  expect(status).toBe(400);
  expect(body.code).toBe('invalid_request');
  expect(body.errors).toEqual([{ path: 'stat', rule: 'additionalProperties', message: 'stat is unknown' }]);
});

test.each(['true', '0x1', '+1', '1e0'])('an account is identified by digits, not by %s', async (id) => {
  const { status, body } = await console.call('POST', `/accounts/${encodeURIComponent(id)}/disable`);
  expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_request', 'account_id']);
});

test.each([
  ['DELETE', '/brands', 'GET, HEAD, POST'],
  ['GET', '/accounts/1/disable', 'POST'],
  ['PATCH', '/session', 'POST, GET, HEAD, DELETE'],
] as const)('a wrong method is 405 with the allowed ones: %s %s', async (method, path, allow) => {
  const { status, body, headers } = await console.call(method, path);
  expect([status, body.code, headers.allow]).toEqual([405, 'method_not_allowed', allow]);
});

describe('a body', () => {
  const post = (payload: string, contentType: string) =>
    console.app.inject({
      method: 'POST',
      url: `${basePath}/brands/malta/keys`,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': contentType },
      payload,
    });

  test.each([
    ['broken', '{"name":', 'application/json', 400, 'malformed_json'],
    ['not JSON by its type', '{"name":"x"}', 'text/plain', 415, 'unsupported_content_type'],
    ['too large', `{"name":"${'x'.repeat(2 ** 21)}"}`, 'application/json', 413, 'body_too_large'],
    ['of the wrong type', '[]', 'application/json', 400, 'invalid_request'],
    ['with a wrong field', '{"name":5}', 'application/json', 400, 'invalid_request'],
    ['without a field', '{}', 'application/json', 400, 'invalid_request'],
  ])('that is %s is answered as a problem', async (_what, payload, contentType, status, code) => {
    const answer = await post(payload, contentType);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  test('is not read before the caller is authenticated', async () => {
    const answer = await console.app.inject({
      method: 'POST',
      url: `${basePath}/brands/malta/keys`,
      headers: { 'content-type': 'application/json' },
      payload: '{"name":',
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('a value that the database cannot store', () => {
  test.each([
    ['GET', '/brands/malta/players/%00', undefined],
    ['GET', '/brands/malta/players?search=%00', undefined],
    ['GET', '/brands/malta/quarantine/9223372036854775807', undefined],
    ['POST', '/brands/malta/keys', { name: 'x\u0000' }],
    ['POST', '/session', { email: 'a\u0000@x.example', password: 'a long password' }],
  ] as const)('is an error of the caller: %s %s', async (method, path, body) => {
    const answer = await console.call(method, path, body === undefined ? {} : { body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});
