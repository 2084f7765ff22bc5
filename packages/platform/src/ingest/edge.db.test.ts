import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints, makeExamples, messages } from '@croupier/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrand } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { systemClock } from '../clock.ts';
import { connectionConfig } from '../database/index.ts';
import { bucketCount, bucketOf, playerHash } from '../ledger/index.ts';
import { PostgresLedger } from '../ledger/postgres.ts';
import { Committer } from './committer.ts';
import { createIngestEdge } from './edge.ts';
import { Quarantine } from './quarantine.ts';
import { getQuarantined, listQuarantine } from './quarantine-store.ts';
import type { RefusedCall } from './refused-calls.ts';

const { pool, url } = await setupDatabase();
const { brand, key } = await createBrand(pool);
const patientBrand = await createBrand(pool, { on_invalid: 'accept' });
const ledger = new PostgresLedger({
  pool,
  connection: connectionConfig(url, { name: 'test' }),
  process: 'test',
  now: systemClock,
  log: testLog,
  ready: async () => {},
});
const committer = new Committer({ ledger, log: testLog });
let now = systemClock();
const quarantine = new Quarantine({ pool, committer, now: () => now, ready: async () => {} });
const brands = new Map([
  [key, brand],
  [patientBrand.key, patientBrand.brand],
]);
const refused: RefusedCall[] = [];
const edge = createIngestEdge({
  committer,
  quarantine,
  now: () => now,
  log: testLog,
  brandOf: (given) => brands.get(given),
  bodyLimit: 1024 * 1024,
  onAnswer: () => {},
  onRefused: (call) => void refused.push(call),
});
let server: Server;
let port = 0;

beforeAll(async () => {
  await committer.start();
  server = createServer((request, response) => {
    if (!edge(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await quarantine.stop();
  await committer.stop();
});

interface Call {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

async function send(call: Call): Promise<{ status: number; headers: IncomingMessage['headers']; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method: call.method ?? 'POST',
        path: call.path ?? '/v2/integration/login',
        headers: call.headers ?? { 'x-api-key': key },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text === '' ? undefined : JSON.parse(text),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(call.body);
  });
}

const login = (user: string) => JSON.stringify({ user_id: user, timestamp: new Date(now / 1000).toISOString() });

async function stored(): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(
    'select coalesce(sum(event_count), 0)::bigint as events from ledger_block',
  );
  return rows[0]?.events ?? 0;
}

describe('a call that is refused before its body is validated is noted', () => {
  const path = '/v2/integration/login';
  const right = { 'x-api-key': key };
  test.each([
    ['no key', 401, { reason: 'no_key', kind: 'login', key: undefined }, { path, headers: {} }],
    [
      'a wrong key',
      401,
      { reason: 'unknown_key', kind: 'login', key: 'typo' },
      { path, headers: { 'x-api-key': 'typo' } },
    ],
    [
      'a wrong path',
      404,
      { reason: 'wrong_path', kind: null, key },
      { path: '/v2/integration/log-in', headers: right },
    ],
    ['a wrong method', 405, { reason: 'wrong_method', kind: null, key }, { path, method: 'DELETE', headers: right }],
    [
      'another content type',
      415,
      { reason: 'wrong_content_type', kind: 'login', key },
      { path, headers: { ...right, 'content-type': 'text/xml' } },
    ],
    [
      'compression',
      415,
      { reason: 'compressed_body', kind: 'login', key },
      { path, headers: { ...right, 'content-encoding': 'gzip' } },
    ],
    [
      'a body above the limit',
      413,
      { reason: 'body_too_large', kind: 'login', key },
      { path, headers: right, body: Buffer.alloc(1024 * 1024 + 1, ' ') },
    ],
  ] as const)('%s: %d', async (_name, status, noted, call) => {
    refused.length = 0;
    expect((await send(call)).status).toBe(status);
    expect(refused).toEqual([noted]);
  });

  test('an accepted event and an invalid event are not noted', async () => {
    refused.length = 0;
    await send({ body: login('not-refused') });
    await send({ body: '{}' });
    expect(refused).toEqual([]);
  });
});

describe('every documented exchange', () => {
  test.each(makeExamples().map((example) => [example.name, example] as const))(
    '%s',
    async (_name, { request, answer }) => {
      const headers: Record<string, string> = {};
      if (request.key === 'valid') headers['x-api-key'] = key;
      if (request.key === 'unknown') headers['x-api-key'] = 'nobody-has-this-key';
      if (request.contentType !== undefined) headers['content-type'] = request.contentType;
      const got = await send({ method: request.method, path: request.path, headers, body: request.body });
      expect({ status: got.status, contentType: got.headers['content-type'] }).toEqual({
        status: answer.status,
        contentType: answer.contentType,
      });
      const withoutDetail = (body: unknown) => ({ ...(body as object), detail: undefined });
      expect(withoutDetail(got.body)).toEqual(withoutDetail(answer.body));
    },
  );
});

describe('each endpoint, during other traffic', () => {
  let flowing = true;
  let traffic: Promise<number[]>;
  beforeAll(() => {
    traffic = (async () => {
      const statuses: number[] = [];
      for (let i = 0; flowing; i++) {
        const calls = Array.from({ length: 8 }, (_, n) => send({ body: login(`flow-${i}-${n}`) }));
        statuses.push(...(await Promise.all(calls)).map(({ status }) => status));
      }
      return statuses;
    })();
  });
  afterAll(async () => {
    flowing = false;
    const statuses = await traffic;
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  for (const { kind, method, path } of endpoints) {
    describe(`${method} ${path} (${kind})`, () => {
      const sample = Object.values(messages[kind].samples)[0] as Record<string, unknown>;
      const required = messages[kind].schema.required ?? [];

      test('accepts a valid sample', async () => {
        const before = await stored();
        expect(await send({ method, path, body: JSON.stringify(sample) })).toMatchObject({
          status: 200,
          body: { status: 'ok' },
        });
        expect(await stored()).toBeGreaterThan(before);
      });

      test.each(required)('names %s when it is missing', async (field) => {
        const { [field]: _left, ...rest } = sample;
        const answer = await send({ method, path, body: JSON.stringify(rest) });
        expect(answer.status).toBe(400);
        expect(answer.headers['content-type']).toBe('application/problem+json');
        expect(answer.body).toMatchObject({
          errors: expect.arrayContaining([expect.objectContaining({ path: field })]),
        });
      });

      test('refuses a wrong key, malformed JSON and 2 MiB', async () => {
        const body = JSON.stringify(sample);
        expect((await send({ method, path, body, headers: { 'x-api-key': `${key}x` } })).status).toBe(401);
        expect((await send({ method, path, body: body.slice(0, -1) })).status).toBe(400);
        const large = JSON.stringify({ ...sample, note: 'x'.repeat(2 * 1024 * 1024) });
        expect((await send({ method, path, body: large })).status).toBe(413);
      });
    });
  }
});

describe('the edge', () => {
  test.each<[string, Call, number]>([
    ['a key as a bearer token', { headers: { authorization: `Bearer ${key}` } }, 200],
    ['the header in any letter case', { headers: { 'X-API-KEY': key } }, 200],
    ['a trailing slash and a query', { path: '/v2/integration/login/?source=test' }, 200],
    ['no content type', { headers: { 'x-api-key': key } }, 200],
    ['JSON with a charset', { headers: { 'x-api-key': key, 'content-type': 'application/json; charset=utf-8' } }, 200],
    ['a type with the suffix +json', { headers: { 'x-api-key': key, 'content-type': 'application/vnd.x+json' } }, 200],
    ['a body in compressed form', { headers: { 'x-api-key': key, 'content-encoding': 'gzip' } }, 415],
    ['a form', { headers: { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['no key', { headers: {} }, 401],
    ['basic authentication', { headers: { authorization: 'Basic eDp5' } }, 401],
    ['another method', { method: 'PUT' }, 405],
    ['a path of another version', { path: '/v9/integration/login' }, 404],
    ['a path that only resembles a valid one', { path: '/v2/integrations' }, 418],
    ['a byte order mark', { body: `\uFEFF${login('bom')}` }, 200],
  ])('%s', async (_what, call, status) => {
    expect((await send({ body: login('edge'), ...call })).status).toBe(status);
  });

  test('names the methods of a path in Allow', async () => {
    const answer = await send({ method: 'DELETE', path: '/v2/integration/user', body: '' });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST, PUT');
  });

  test('refuses bytes that are not UTF-8, and stores them in the quarantine', async () => {
    const body = Buffer.concat([Buffer.from('{"user_id":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const answer = await send({ body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
    const retained = await listQuarantine(pool, brand.brand_id, { kind: 'login' }, 1);
    const item = await getQuarantined(pool, brand.brand_id, retained[0]?.quarantine_id ?? 0);
    expect(item?.body).toEqual(body);
  });

  test('the ledger stores exactly the bytes that were sent', async () => {
    const body = `{ "user_id" : 12345678901234567890,\n "timestamp":"${new Date(now / 1000).toISOString()}", "extra": {"z":1,"a":[1.50]} }`;
    expect((await send({ body })).status).toBe(200);
    const { events } = await ledger.newest({ brand_id: brand.brand_id, kinds: ['login'] }, 1);
    expect(events[0]?.body.toString()).toBe(body);
    expect(events[0]?.bucket).toBeLessThan(bucketCount);
  });
});

describe('P15: an event that can change protection is recorded as pending before its 200', () => {
  const pendingOf = async (user: string) => {
    const hash = playerHash(brand.brand_id, user);
    const { rows } = await pool.query<{ events: number }>(
      `select count(*) as events from pending_protection p join ledger_block b using (writer_id, seq)
        where p.bucket = $1 and p.player_hash = $2 and p.index < b.event_count`,
      [bucketOf(hash), BigInt.asIntN(64, hash).toString()],
    );
    return rows[0]?.events;
  };

  test.each([
    ['POST', '/v2/integration/user', 1],
    ['PUT', '/v2/integration/user', 1],
    ['PUT', '/v2/integration/user/consents', 1],
    ['PUT', '/v2/integration/user/blocks', 1],
    ['POST', '/v2/integration/login', 0],
    ['POST', '/v2/integration/logout', 0],
  ])('%s %s: %d', async (method, path, events) => {
    const user = `p15 ${method} ${path}`;
    // Other events are sent with it, so that it is not the only one of its block.
    const others = Array.from({ length: 20 }, (_, i) => send({ body: login(`p15-${i}`) }));
    expect((await send({ method, path, body: login(user) })).status).toBe(200);
    expect(await pendingOf(user)).toBe(events);
    await Promise.all(others);
    expect(await pendingOf('p15-1')).toBe(0);
  });

  test('an event that a person re-injects from the quarantine is recorded, too', async () => {
    const path = '/v2/integration/user/blocks';
    await send({ method: 'PUT', path, body: JSON.stringify({ user_id: 'p15-mended', timestamp: 'yesterday' }) });
    const [item] = await listQuarantine(pool, brand.brand_id, { user_id: 'p15-mended' }, 1);
    expect(await pendingOf('p15-mended')).toBe(0);
    const corrected = Buffer.from(login('p15-mended'));
    expect(await quarantine.reinject(brand, item?.quarantine_id ?? 0, 'ann', corrected)).toEqual({ ok: true });
    expect(await pendingOf('p15-mended')).toBe(1);
  });
});

describe('P15: an invalid update that is answered 200', () => {
  const path = '/v2/integration/user/blocks';
  const accepting = { 'x-api-key': patientBrand.key };
  const waiting = async () => {
    const { rows } = await pool.query(
      'select brand_id, user_id, bucket from pending_protection where writer_id = 0 and user_id is not null order by user_id',
    );
    return rows;
  };
  const invalidUpdate = (user_id: unknown, timestamp = 'yesterday') => JSON.stringify({ user_id, timestamp });

  test('holds its player, however often it is repeated; a refused one does not', async () => {
    const { brand_id } = patientBrand.brand;
    const body = invalidUpdate(' p15-invalid ');
    expect((await send({ method: 'PUT', path, body })).status).toBe(400);
    expect(await waiting()).toEqual([]);
    for (let i = 0; i < 3; i++) {
      const answer = await send({ method: 'PUT', path, body, headers: accepting });
      expect(answer).toMatchObject({ status: 200, body: { status: 'quarantined' } });
    }
    // Ids are compared exactly, so the event may belong to either of two players.
    const held = [' p15-invalid ', 'p15-invalid'].map((user_id) => {
      return { brand_id, user_id, bucket: bucketOf(playerHash(brand_id, user_id)) };
    });
    expect(await waiting()).toEqual(expect.arrayContaining(held));
    expect(await waiting()).toHaveLength(2);
    await pool.query('delete from pending_protection where writer_id = 0');
  });

  test('the same body after ten refusals also holds its player', async () => {
    const body = invalidUpdate('p15-patient');
    for (let i = 0; i < 10; i++) expect((await send({ method: 'PUT', path, body })).status).toBe(400);
    expect(await waiting()).toEqual([]);
    expect((await send({ method: 'PUT', path, body })).status).toBe(200);
    expect(await waiting()).toMatchObject([{ user_id: 'p15-patient' }]);
    await pool.query('delete from pending_protection where writer_id = 0');
  });

  test('one of another kind, or without a player, holds no player', async () => {
    await send({ body: invalidUpdate('p15-login'), headers: accepting });
    await send({ method: 'PUT', path, body: invalidUpdate(null), headers: accepting });
    await send({ method: 'PUT', path, body: '{"user_id": "p15-broken"', headers: accepting });
    expect(await waiting()).toEqual([]);
  });
});

describe('the quarantine', () => {
  const invalid = (mark: string) => JSON.stringify({ user_id: `q-${mark}`, timestamp: 'yesterday' });
  const only = async (mark: string) => {
    const items = await listQuarantine(pool, brand.brand_id, { user_id: `q-${mark}` }, 10);
    expect(items).toHaveLength(1);
    return items[0] as (typeof items)[number];
  };

  test('stores an invalid body once, counts its tries, and answers 200 after ten more', async () => {
    const answers: number[] = [];
    for (let i = 0; i < 12; i++) answers.push((await send({ body: invalid('tries') })).status);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 400), 200, 200]);
    expect(await only('tries')).toMatchObject({ tries: 12, state: 'open', reasons: [{ path: 'timestamp' }] });
  });

  test('answers 200 after ten minutes', async () => {
    expect((await send({ body: invalid('minutes') })).status).toBe(400);
    now += 10 * 60_000_000;
    expect(await send({ body: invalid('minutes') })).toMatchObject({ status: 200, body: { status: 'quarantined' } });
  });

  test('equal bodies sent at the same time are stored as one item', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({ body: invalid('at-once') })));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await only('at-once')).toMatchObject({ tries: 5 });
  });

  test('a brand with on_invalid accept gets its 200 immediately', async () => {
    const answer = await send({ body: invalid('accepting'), headers: { 'x-api-key': patientBrand.key } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'quarantined' } });
  });

  test('re-injects a corrected body with the same validation, once, and only for its own brand', async () => {
    await send({ body: invalid('mend') });
    const { quarantine_id: id } = await only('mend');
    expect(await quarantine.reinject(patientBrand.brand, id, 'ann', null)).toEqual({ ok: false, why: 'not_found' });
    expect(await quarantine.reinject(brand, id, 'ann', null)).toMatchObject({ ok: false, why: 'invalid' });
    const corrected = Buffer.from(login('q-mend'));
    const before = await stored();
    expect(await quarantine.reinject(brand, id, 'ann', corrected)).toEqual({ ok: true });
    expect(await stored()).toBe(before + 1);
    expect(await quarantine.reinject(brand, id, 'ann', corrected)).toEqual({ ok: false, why: 'not_open' });
    const item = await getQuarantined(pool, brand.brand_id, id);
    expect(item).toMatchObject({ state: 'reinjected', resolved_by: 'ann' });
    expect(item?.corrected_body).toEqual(corrected);
    expect((await send({ body: invalid('mend') })).body, 'a further try is answered 200').toEqual({
      status: 'quarantined',
    });
  });

  test('dismisses with a note, once', async () => {
    await send({ body: invalid('dismiss') });
    const { quarantine_id: id } = await only('dismiss');
    expect(await quarantine.dismiss(brand, id, 'ann', 'a test of theirs')).toBe('ok');
    expect(await quarantine.dismiss(brand, id, 'bob', 'again')).toBe('not_open');
    expect(await quarantine.dismiss(brand, 999_999, 'bob', 'nothing')).toBe('not_found');
    expect(await only('dismiss')).toMatchObject({ state: 'dismissed', resolved_by: 'ann', note: 'a test of theirs' });
  });
});
