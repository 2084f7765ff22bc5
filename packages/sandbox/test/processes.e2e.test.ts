import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from './ask.ts';

/** The two commands as processes, against a server that answers 200 to everything. */
let platform: Server;
let url: string;
let received: number;
const children: ChildProcess[] = [];

beforeEach(async () => {
  received = 0;
  platform = createServer((req, res) => {
    received += 1;
    req.resume().on('end', () => res.end('{"status":"ok"}'));
  });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  platform.closeAllConnections();
  platform.close();
});

function run(script: string, args: string[], env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(`../src/${script}`, import.meta.url));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [file, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
  children.push(child);
  const output = { text: '' };
  child.stdout.on('data', (piece) => {
    output.text += piece;
  });
  child.stderr.on('data', (piece) => {
    output.text += piece;
  });
  return { child, output, exited: once(child, 'close').then(([code]) => code as number | null) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('simulate plays for the given time, prints progress and exits 0', async () => {
  const { output, exited } = run('simulate.ts', [
    '--url',
    url,
    '--key',
    'k',
    '--rate',
    '200',
    '--players',
    '10',
    '--seconds',
    '1',
  ]);
  expect(await exited).toBe(0);
  expect(output.text).toMatch(/seed 1: 10 players, 200 events\/s to http/);
  expect(output.text).toMatch(/\d+ sent, \d+ acknowledged, 0 refused, 0 failed attempts, p50 [\d.]+ ms, p99 [\d.]+ ms/);
  expect(received).toBeGreaterThan(50);
});

test('simulate requires a key', async () => {
  const { output, exited } = run('simulate.ts', ['--url', url]);
  expect(await exited).toBe(2);
  expect(output.text).toContain('--key');
});

test('both commands list every wrong value at once, also those of the environment', async () => {
  const sandbox = run('main.ts', ['--port', 'abc', '--rate', '-1'], { SANDBOX_PLAYERS: '1.5' });
  expect(await sandbox.exited).toBe(1);
  expect(sandbox.output.text).toBe(
    [
      'error: --port or SANDBOX_PORT must be a whole number from 0 to 65535, not abc',
      'error: --rate or SANDBOX_RATE must be a number of 0 or more, not -1',
      'error: --players or SANDBOX_PLAYERS must be a whole number from 0 to 1000000000, not 1.5',
      'Add --help to see what the command accepts.\n',
    ].join('\n'),
  );
  const simulate = run('simulate.ts', ['--url', 'casino', '--seconds', 'x']);
  expect(await simulate.exited).toBe(1);
  expect(simulate.output.text).toMatch(/^error: --url .* not casino\nerror: --seconds .* not x\nAdd --help /);
});

test('a port that is in use ends the sandbox with one sentence that names the setting', async () => {
  const { port } = platform.address() as AddressInfo;
  const { output, exited } = run('main.ts', ['--port', String(port)]);
  expect(await exited).toBe(1);
  expect(output.text).toBe(
    `The sandbox cannot listen on 127.0.0.1, port ${port}: the port is in use. Set another one with --port (SANDBOX_PORT) or --host (SANDBOX_HOST).\n`,
  );
});

test('the sandbox publishes, serves its operator, and exits on SIGTERM', async () => {
  const { child, output, exited } = run('main.ts', ['--port', '0', '--rate', '50'], {
    SANDBOX_PLATFORM_URL: url,
    SANDBOX_API_KEY: 'k',
    SANDBOX_OPERATOR_KEY: 'secret',
  });
  await until(() => received > 10 && output.text.includes('sandbox: http'));
  const address = /sandbox: (\S+)/.exec(output.text)?.[1];
  const headers = { 'x-api-key': 'secret' };
  expect((await ask(`${address}/operator/bonus/list`, { headers })).status).toBe(200);
  expect((await ask(`${address}/operator/bonus/list`)).status).toBe(401);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(output.text).not.toContain('secret');
});
