import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { claimSandboxPort } from './sandbox-port.ts';

const other = createServer();
let taken: number;

beforeEach(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  taken = (other.address() as AddressInfo).port;
});
afterEach(() => new Promise((resolve) => other.close(resolve)));

test('a free port replaces the default one if that is in use', async () => {
  const claimed = await claimSandboxPort(undefined, taken);
  onTestFinished(claimed.release);
  expect(claimed.port).not.toBe(taken);
});

test('two installations that start at the same time get different ports', async () => {
  const first = await claimSandboxPort(0);
  const second = await claimSandboxPort(undefined, first.port);
  onTestFinished(async () => void (await Promise.all([first.release(), second.release()])));
  expect(second.port).not.toBe(first.port);
  await first.release();
  const again = await claimSandboxPort(first.port);
  onTestFinished(again.release);
  expect(again.port).toBe(first.port);
});

test('a configured port is used, or the start reports that it is in use', async () => {
  await expect(claimSandboxPort(taken)).rejects.toThrow(
    `Port ${taken} is in use. Stop the program that uses it, or set SANDBOX_PORT to another port.`,
  );
});

test('a call to a claimed port fails immediately', async () => {
  const claimed = await claimSandboxPort(0);
  onTestFinished(claimed.release);
  await expect(fetch(`http://127.0.0.1:${claimed.port}`)).rejects.toThrow('fetch failed');
});
