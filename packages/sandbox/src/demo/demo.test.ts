import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ask } from '../../test/ask.ts';
import { createDemo, type Demo } from './demo.ts';

let demo: Demo;
afterEach(() => demo.stop());

function start(platformUrl: string, rate = 200): Promise<string> {
  const auth = { type: 'api_key', value: 'operator-key' } as const;
  demo = createDemo({ auth, platformUrl, key: 'brand-key', rate, players: 5, seed: '1' });
  return demo.start();
}

test('operator, casino and live view are served on one port', async () => {
  const url = await start('http://127.0.0.1:9', 0);
  const page = await ask(url);
  expect(page.body).toContain('Demo Casino');
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("script-src 'self' http://127.0.0.1:9;");
  expect(policy).toContain("connect-src 'self' http://127.0.0.1:9 ws://127.0.0.1:9;");
  expect(policy).not.toContain('unsafe');
  for (const file of ['live', 'tag-manager', 'js/main.js', 'css/house.css', 'art/mark.svg'])
    expect([file, (await ask(`${url}/${file}`)).status]).toEqual([file, 200]);
  expect((await ask(`${url}/crm-push-worker.js`)).body).toBe(
    'importScripts("http://127.0.0.1:9/loader/push-worker.js");\n',
  );
  expect((await ask(`${url}/../main.ts`)).status).toBe(404);
  expect((await ask(`${url}/health/live`)).body).toEqual({ status: 'ok' });
  expect((await ask(`${url}/operator/userdetails/sim-7`)).status).toBe(401);
  const headers = { 'x-api-key': 'operator-key' };
  expect((await ask(`${url}/operator/userdetails/sim-7`, { headers })).body).toMatchObject({ user_id: 'sim-7' });
  expect((await ask(`${url}/live.json`)).body).toMatchObject({ published: { sent: 0 }, books: { players: 4 } });
});

test('the live view lists every player of the demo', async () => {
  const url = await start('http://127.0.0.1:9', 0);
  for (let number = 0; number < 40; number++) demo.operator.books.addPlayer(`guest-${number}`);
  const { body } = await ask(`${url}/live.json`);
  const { books, players } = body as { books: { players: number }; players: unknown[] };
  expect(books.players).toBe(44);
  expect(players).toHaveLength(books.players);
});

test("the demo waits while the platform is unavailable, and plays on the operator's records once it is reachable", async () => {
  const users = new Set<string>();
  const platform = createServer(async (req, res) => {
    const pieces: Buffer[] = [];
    for await (const piece of req as AsyncIterable<Buffer>) pieces.push(piece);
    const userId = /"user_id":"?([^",}]+)/.exec(Buffer.concat(pieces).toString())?.[1];
    if (userId !== undefined) users.add(userId);
    res.end('{"status":"ok"}');
  });
  platform.listen(0, '127.0.0.1');
  await new Promise((resolve) => platform.once('listening', resolve));
  const { port } = platform.address() as AddressInfo;
  await new Promise((resolve) => platform.close(resolve));

  const url = await start(`http://127.0.0.1:${port}`);
  while (demo.publisher.counts.failed_attempts < 5) await new Promise((resolve) => setImmediate(resolve));
  expect(demo.publisher.counts.acknowledged).toBe(0);
  platform.listen(port, '127.0.0.1');
  while (demo.publisher.counts.acknowledged < 40) await new Promise((resolve) => setImmediate(resolve));

  const known = [...users].filter((userId) => demo.operator.books.player(userId) !== undefined);
  expect(known.length).toBeGreaterThan(0);
  const { body } = await ask(`${url}/live.json`);
  expect(body).toMatchObject({
    recent: expect.arrayContaining([expect.objectContaining({ kind: expect.any(String) })]),
  });
  platform.closeAllConnections();
  platform.close();
});
