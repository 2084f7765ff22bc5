import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EmailSettings } from '../../brands/index.ts';
import { EmailTransport } from './transport.ts';

/** A server that answers EHLO with lines that never end, or all commands up to `until`. It is never silent. */
async function startDripping(until: 'EHLO' | 'RCPT') {
  let connected = () => {};
  const isConnected = new Promise<void>((resolve) => {
    connected = resolve;
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let drip: NodeJS.Timeout | undefined;
    socket.on('error', () => {});
    socket.on('close', () => clearInterval(drip));
    socket.write('220 mx.example\r\n');
    socket.on('data', (bytes) => {
      if (!bytes.toString().startsWith(until)) return socket.write('250 ok\r\n');
      drip = setInterval(() => socket.write('250-x\r\n'), 20);
      connected();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const email = (call_timeout_ms: number) =>
    ({ host: '127.0.0.1', port, security: 'none', username: '', call_timeout_ms }) as EmailSettings;
  return { email, isConnected };
}

const envelope = { from: 'a@malta.example', to: 'b@players.example' };

describe('a server that answers slowly, byte by byte', () => {
  test.each(['EHLO', 'RCPT'] as const)('from %s on: the timeout ends the call, and nothing was sent', async (until) => {
    const { email } = await startDripping(until);
    const result = await new EmailTransport().send(1, email(300), envelope, Buffer.from('x'));
    expect(result).toMatchObject({ answered: false, failure: 'timeout', partlySent: false });
  });

  test('a stop cuts a session that is being opened', async () => {
    const { email, isConnected } = await startDripping('EHLO');
    const transport = new EmailTransport();
    const result = transport.send(1, email(60_000), envelope, Buffer.from('x'));
    await isConnected;
    await transport.destroy();
    expect(await result).toMatchObject({ answered: false, failure: 'cut', partlySent: false });
  });
});
