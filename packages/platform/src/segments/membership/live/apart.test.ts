import { expect, test } from 'vitest';
import { runSeparately } from './apart.ts';

const all = Array.from({ length: 64 }, (_, bucket) => bucket);

test('a failing bucket is found in 12 more runs, and every other bucket is run', async () => {
  let runs = 0;
  const { results, failures } = await runSeparately(all, async (buckets) => {
    runs += 1;
    if (buckets.includes(37)) throw new Error('37 is broken');
    return buckets;
  });
  expect(failures.map(({ bucket }) => bucket)).toEqual([37]);
  expect(results.flat()).toEqual(all.filter((bucket) => bucket !== 37));
  expect(runs).toBe(13);
});

test('an unavailable database is not the fault of a bucket', async () => {
  let runs = 0;
  const away = Object.assign(new Error('the database is shutting down'), { code: '57P01' });
  const running = runSeparately(all, async () => {
    runs += 1;
    throw away;
  });
  await expect(running).rejects.toBe(away);
  expect(runs).toBe(1);
});
