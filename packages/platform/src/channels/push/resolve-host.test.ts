import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Pool } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { publicConnector } from './addresses.ts';
import { resolvePublic } from './resolve-host.ts';

/** Starts a name server. It answers every name with 10.0.0.5 and no IPv6 address. It never answers names that contain "silent". */
async function startNameServer(): Promise<string> {
  const socket = createSocket('udp4', (question, { port, address }) => {
    if (question.includes('silent')) return;
    const nameEnd = question.indexOf(0, 12) + 1;
    const isV4 = question.readUInt16BE(nameEnd) === 1;
    const header = Buffer.of(...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isV4 ? 1 : 0, 0, 0, 0, 0);
    const record = Buffer.of(0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 5);
    const asked = question.subarray(12, nameEnd + 4);
    socket.send(Buffer.concat([header, asked, ...(isV4 ? [record] : [])]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  afterAll(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

const servers = [await startNameServer()];

test('a name is resolved, and its addresses are checked', async () => {
  expect(await resolvePublic('push.example', { servers })).toEqual([{ address: '10.0.0.5', family: 4 }]);
  const resolve = (name: string) => resolvePublic(name, { servers });
  const pool = new Pool('https://push.example', { connect: publicConnector(500, { mayBePrivate: false, resolve }) });
  await expect(pool.request({ path: '/', method: 'POST' })).rejects.toMatchObject({ name: 'PrivateAddress' });
  await pool.destroy();
});

test('a name server that never answers does not block the call', async () => {
  const asked = Array.from({ length: 20 }, (_, i) => resolvePublic(`silent${i}.example`, { servers, timeoutMs: 100 }));
  const answers = await Promise.allSettled(asked);
  expect(answers.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(Array(20).fill('ETIMEOUT'));
});

test('resolving names from browsers occupies no thread of the process', async () => {
  const pool = new Pool('https://push.invalid', { connect: publicConnector(100, { mayBePrivate: false }) });
  const called = pool.request({ path: '/', method: 'POST' }).catch(() => {});
  await new Promise(setImmediate);
  expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
  await Promise.all([called, pool.destroy()]);
});
