import { expect, test } from 'vitest';
import { inBatches } from './batch.ts';

/** A reader that knows these codes, and the calls that it received. */
function setup(known: readonly string[], most = 100) {
  const calls: (readonly string[])[] = [];
  const find = inBatches(async (codes) => {
    calls.push(codes);
    return known.filter((code) => codes.includes(code)).map((code) => ({ code, name: code.toUpperCase() }));
  }, most);
  return { calls, find };
}

test('codes that are asked for together are read in one call, each once', async () => {
  const { calls, find } = setup(['a', 'b']);
  const found = await Promise.all(['b', 'a', 'gone', 'a'].map(find));
  expect(found.map((one) => one?.name)).toEqual(['B', 'A', undefined, 'A']);
  expect(calls).toEqual([['b', 'a', 'gone']]);
  await find('a');
  expect(calls).toHaveLength(2);
});

test('more codes than one call may have are read in several calls', async () => {
  const codes = Array.from({ length: 5 }, (_, n) => `c${n}`);
  const { calls, find } = setup(codes, 2);
  const found = await Promise.all(codes.map(find));
  expect(found.map((one) => one?.code)).toEqual(codes);
  expect(calls).toEqual([['c0', 'c1'], ['c2', 'c3'], ['c4']]);
});

test('everybody who waits for a call that fails gets its error; the next call reads again', async () => {
  let isDown = true;
  const find = inBatches(async (codes) => {
    if (isDown) throw new Error('down');
    return codes.map((code) => ({ code }));
  }, 100);
  const results = await Promise.allSettled([find('a'), find('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await find('a')).toEqual({ code: 'a' });
});
