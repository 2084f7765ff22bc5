import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSimulation, type Message, noQuirks } from '../simulator/index.ts';
import { createPublisher, type Publisher } from './index.ts';

/**
 * A stand-in for the platform's integration API. It answers as the test requires and keeps the bodies that it answered with
 * 200.
 */
let server: Server;
let answer: (req: IncomingMessage, res: ServerResponse, attempt: number) => void;
let attempts: { path: string; body: string; key: unknown }[];
let publisher: Publisher;
let messages: Message[];

beforeEach(async () => {
  attempts = [];
  answer = (_, res) => res.end('{"status":"ok"}');
  server = createServer(async (req, res) => {
    const pieces: Buffer[] = [];
    for await (const piece of req as AsyncIterable<Buffer>) pieces.push(piece);
    attempts.push({
      path: `${req.method} ${req.url}`,
      body: Buffer.concat(pieces).toString(),
      key: req.headers['x-api-key'],
    });
    answer(req, res, attempts.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  publisher = start({});
  messages = createSimulation({ players: 5, quirks: noQuirks }).take(20);
});
afterEach(async () => {
  await publisher.close();
  server.closeAllConnections();
  server.close();
});

function start(options: Partial<Parameters<typeof createPublisher>[0]>): Publisher {
  const { port } = server.address() as AddressInfo;
  return createPublisher({ url: `http://127.0.0.1:${port}`, key: 'k', backoff: { first: 2, longest: 10 }, ...options });
}

test('every message is sent to its address with the key, and acknowledged', async () => {
  await publisher.run(messages);
  expect(publisher.counts).toMatchObject({ sent: 20, acknowledged: 20, attempts: 20, failed_attempts: 0 });
  expect(attempts.map(({ path }) => path).sort()).toEqual(
    messages.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  expect(new Set(attempts.map(({ key }) => key))).toEqual(new Set(['k']));
  expect(publisher.acknowledged.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
    messages.map(({ number }) => number),
  );
  expect(new Set(publisher.acknowledged.map(({ fingerprint }) => fingerprint)).size).toBe(20);
  const { p50, p99 } = publisher.takeLatencies();
  expect(p50).toBeLessThanOrEqual(p99 ?? 0);
});

describe('retries until 200', () => {
  test.each<[string, (res: ServerResponse) => void]>([
    ['503 with Retry-After', (res) => res.writeHead(503, { 'retry-after': '60' }).end()],
    ['500', (res) => res.writeHead(500).end()],
    ['429', (res) => res.writeHead(429).end()],
    ['201, which is not 200', (res) => res.writeHead(201).end()],
    ['a reset', (res) => res.socket?.resetAndDestroy()],
    [
      'an answer cut in the body',
      (res) => res.writeHead(200, { 'content-length': '50' }).write('{', () => res.socket?.destroy()),
    ],
  ])('%s', async (_, fail) => {
    answer = (_req, res, attempt) => (attempt <= 3 ? fail(res) : res.end('{"status":"ok"}'));
    const [message] = messages;
    expect(message && (await publisher.publish(message))).toBe('acknowledged');
    expect(attempts).toHaveLength(4);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(publisher.acknowledged).toMatchObject([{ attempts: 4 }]);
  });

  test('a server that does not answer in time', async () => {
    await publisher.close();
    publisher = start({ timeout: 30 });
    answer = (_req, res, attempt) => (attempt === 1 ? undefined : res.end('{"status":"ok"}'));
    const [message] = messages;
    expect(message && (await publisher.publish(message))).toBe('acknowledged');
  });
});

test('a refused message is dropped and kept for reading, or retried until it is quarantined', async () => {
  answer = (_req, res, attempt) =>
    attempt <= 9 ? res.writeHead(400).end('{"status":400}') : res.end('{"status":"quarantined"}');
  const [message] = messages;
  if (message === undefined) throw new Error('no message');
  expect(await publisher.publish(message)).toBe('refused');
  expect(publisher.refused).toMatchObject([
    { status: 400, answer: '{"status":400}', message: { number: message.number } },
  ]);
  const retrying = start({ onRefused: 'retry' });
  expect(await retrying.publish(message)).toBe('acknowledged');
  expect(retrying.acknowledged).toMatchObject([{ quarantined: true, attempts: 9 }]);
  await retrying.close();
});

test('the signal ends a run, and no message remains open', async () => {
  const stopping = new AbortController();
  answer = (_req, res) => res.writeHead(503).end();
  const running = publisher.run(createSimulation({ players: 5 }), { inFlight: 4, signal: stopping.signal });
  while (publisher.counts.failed_attempts < 8) await new Promise((resolve) => setImmediate(resolve));
  expect(publisher.counts.sent).toBe(4);
  stopping.abort();
  await running;
  expect(publisher.counts).toMatchObject({ given_up: 4, acknowledged: 0 });
});

test('the publisher sends at the given rate', async () => {
  const started = performance.now();
  await publisher.run(messages, { rate: 100 });
  expect(performance.now() - started).toBeGreaterThan(60);
});
