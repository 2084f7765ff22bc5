import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { request } from '../../src/page/client/http.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('an incomplete answer counts as none: the call is repeated, and then fails as offline', async () => {
  let calls = 0;
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    calls++;
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"Success":'));
        signal?.addEventListener('abort', () => stream.error(signal.reason));
      },
    });
    return new Response(body);
  });
  const rejection = expect(
    request('https://crm.example/a', { method: 'GET', credential: 'sid' }),
  ).rejects.toMatchObject({
    code: 'offline',
  });
  await vi.runAllTimersAsync();
  await rejection;
  expect(calls).toBe(3);
});

test('a complete unexpected answer fails as unreadable, and is not repeated', async () => {
  const fetched = vi.fn(async () => new Response('<html>'));
  vi.stubGlobal('fetch', fetched);
  await expect(request('https://crm.example/a', { method: 'GET', credential: 'sid' })).rejects.toMatchObject({
    code: 'unreadable',
  });
  expect(fetched).toHaveBeenCalledTimes(1);
});
