import { setTimeout as pause } from 'node:timers/promises';
import { adminToken, type BenchPlatform } from '../platform.ts';
import type { BenchSegment } from './hundred.ts';

/** Makes and publishes segments through the console API, and waits until all are in force. */
export async function publishSegments(platform: BenchPlatform, segments: readonly BenchSegment[]): Promise<void> {
  for (const { code, rule } of segments) {
    await call(platform, 'POST', 'segments', { code, name: code, rule });
    await call(platform, 'POST', `segments/${code}/publish`);
  }
  for (;;) {
    const { items } = await call(platform, 'GET', 'segments');
    const failed = items.filter(({ state }) => state === 'failed').map((one) => JSON.stringify(one));
    if (failed.length > 0) throw new Error(`segments failed: ${failed.join(', ')}`);
    if (items.every(({ state }) => state === 'live')) return;
    await pause(100);
  }
}

async function call(
  { port }: BenchPlatform,
  method: string,
  path: string,
  body?: object,
): Promise<{ items: { code: string; state: string }[] }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/console/v1/brands/bench/${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { items: { code: string; state: string }[] };
}
