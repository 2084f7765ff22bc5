import { setTimeout as pause } from 'node:timers/promises';
import { consoleCall } from '../console-call.ts';
import type { BenchPlatform } from '../platform.ts';
import type { BenchSegment } from './hundred.ts';

/** Creates and publishes segments through the console API, and waits until all are in force. */
export async function publishSegments(platform: BenchPlatform, segments: readonly BenchSegment[]): Promise<void> {
  for (const { code, rule } of segments) {
    await consoleCall(platform, 'POST', 'segments', { code, name: code, rule });
    await consoleCall(platform, 'POST', `segments/${code}/publish`);
  }
  for (;;) {
    const { items } = await consoleCall<{ items: { code: string; state: string }[] }>(platform, 'GET', 'segments');
    const failed = items.filter(({ state }) => state === 'failed').map((one) => JSON.stringify(one));
    if (failed.length > 0) throw new Error(`segments failed: ${failed.join(', ')}`);
    if (items.every(({ state }) => state === 'live')) return;
    await pause(100);
  }
}
