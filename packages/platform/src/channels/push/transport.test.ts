import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { buildConnector } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SendNotAllowed } from '../../outgoing/index.ts';
import { PushTransport } from './transport.ts';

/** A server that records what arrives, and a transport whose connections take a while. */
async function setup() {
  const received: { length: string | undefined; encoding: string | undefined; body: string }[] = [];
  const server = createServer(async (call, answer) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = call.headers;
    received.push({ length, encoding, body: (await buffer(call)).toString() });
    answer.writeHead(201).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const happened: string[] = [];
  const transport = new PushTransport({
    connectorOf: () => (options, callback) =>
      void setTimeout(() => {
        happened.push('connected');
        buildConnector({})(options, callback);
      }, 30),
  });
  onTestFinished(async () => {
    await transport.destroy();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`;
  const post = (may: boolean) =>
    transport.post({
      endpoint,
      headers: { 'Content-Length': '4' },
      body: Buffer.from('body'),
      mayBePrivate: true,
      sendCheck: {
        async maySend() {
          happened.push('checked');
          return may;
        },
      },
    });
  return { post, received, happened };
}

test('a call is checked once more when its connection is open, and not sent if it is no longer allowed', async () => {
  const { post, received, happened } = await setup();
  await expect(post(false)).rejects.toThrow(SendNotAllowed);
  expect(happened).toEqual(['connected', 'checked']);
  expect(received).toEqual([]);
});

test('an allowed call arrives completely, with its length', async () => {
  const { post, received, happened } = await setup();
  for (let n = 0; n < 2; n++) expect(await post(true)).toMatchObject({ answered: true, status: 201 });
  expect(happened.filter((what) => what === 'checked')).toHaveLength(2);
  const whole = { length: '4', encoding: undefined, body: 'body' };
  expect(received).toEqual([whole, whole]);
});

/** A server whose answers wait until they are released. */
async function slow() {
  const waiting: (() => void)[] = [];
  let received = 0;
  let isReleased = false;
  const server = createServer((call, answer) => {
    call.resume();
    received += 1;
    const end = () => void answer.writeHead(201).end();
    if (isReleased) end();
    else waiting.push(end);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const transport = new PushTransport({ connectorOf: () => buildConnector({}) });
  onTestFinished(async () => {
    await transport.destroy();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`;
  return {
    transport,
    received: () => received,
    release() {
      isReleased = true;
      for (const end of waiting) end();
    },
    post: (name: string, connections: number, callTimeoutMs: number) =>
      transport.post({
        endpoint,
        headers: {},
        body: Buffer.from('body'),
        mayBePrivate: true,
        callTimeoutMs,
        pool: { name, connections },
      }),
  };
}

test('a call that is late before any byte was sent is unreachable, and after that a timeout', async () => {
  const { post, received } = await slow();
  const results = await Promise.all([post('a', 1, 1_000), post('a', 1, 300)]);
  expect(results).toMatchObject([{ failure: 'timeout' }, { failure: 'unreachable' }]);
  expect(received()).toBe(1);
});

test('a call that waits for a connection when the transport is destroyed is unreachable', async () => {
  const { post, received, transport } = await slow();
  const calls = [post('a', 1, 10_000), post('a', 1, 10_000)];
  await vi.waitFor(() => expect(received()).toBe(1));
  await transport.destroy();
  expect(await Promise.all(calls)).toMatchObject([{ failure: 'cut' }, { failure: 'unreachable' }]);
});

test('each pool has its own connections to the same origin', async () => {
  const { post, received, release } = await slow();
  const calls = [
    ...Array.from({ length: 20 }, () => post('a', 20, 10_000)),
    post('b', 1, 10_000),
    post('b', 1, 10_000),
  ];
  await vi.waitFor(() => expect(received()).toBe(21));
  release();
  for (const result of await Promise.all(calls)) expect(result).toMatchObject({ status: 201 });
});
