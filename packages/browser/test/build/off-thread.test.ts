import { expect, test } from 'vitest';
import { once } from '../../src/build/once.ts';
import { buildScripts } from '../../src/index.ts';

test('the build does not block the calling thread, and runs once', async () => {
  const before = process.threadCpuUsage();
  const [built, again] = await Promise.all([buildScripts(), buildScripts()]);
  const { user, system } = process.threadCpuUsage(before);
  // In the same thread, the build would take 1,500 ms, and would block the thread for half of this time.
  expect((user + system) / 1_000).toBeLessThan(300);
  expect(again).toBe(built);
  expect(built.loader).toContain(built.appFile);
});

test('work that fails is repeated by the next call', async () => {
  let calls = 0;
  const work = once(async () => {
    calls++;
    if (calls === 1) throw new Error('no room');
    return calls;
  });
  await expect(Promise.all([work(), work()])).rejects.toThrow('no room');
  expect([await work(), await work()]).toEqual([2, 2]);
});
