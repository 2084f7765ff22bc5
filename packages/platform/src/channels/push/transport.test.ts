import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { buildConnector } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
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
