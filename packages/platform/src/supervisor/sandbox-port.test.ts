import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimSandboxPort } from './sandbox-port.ts';

const other = createServer();
let taken: number;

beforeEach(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  taken = (other.address() as AddressInfo).port;
});
afterEach(() => new Promise((resolve) => other.close(resolve)));

test('a free port replaces the default one if that is in use', async () => {
  expect(await claimSandboxPort(undefined, taken)).not.toBe(taken);
});

test('a configured port is used, or the start reports that it is in use', async () => {
  const free = await claimSandboxPort(0);
  expect(free).toBeGreaterThan(0);
  expect(await claimSandboxPort(free)).toBe(free);
  await expect(claimSandboxPort(taken)).rejects.toThrow(
    `Port ${taken} is in use. Stop the program that uses it, or set SANDBOX_PORT to another port.`,
  );
});
