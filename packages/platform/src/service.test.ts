import { describe, expect, test } from 'vitest';
import { inOrder, type Service, ServiceStack, together } from './service.ts';

function services(...names: string[]): { journal: string[]; list: Service[] } {
  const journal: string[] = [];
  const list = names.map((name) => ({
    async start() {
      journal.push(`start ${name}`);
      if (name.includes('no start')) throw new Error(`${name} does not start`);
    },
    async stop() {
      journal.push(`stop ${name}`);
      if (name.includes('no stop')) throw new Error(`${name} does not stop`);
    },
  }));
  return { journal, list };
}

describe('services in order', () => {
  test('start from the bottom and stop from the top, once', async () => {
    const { journal, list } = services('a', 'b');
    const all = inOrder(list);
    await all.start();
    await all.stop();
    await all.stop();
    expect(journal).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  test('if one does not start, the services that already run are stopped', async () => {
    const { journal, list } = services('a', 'b: no start', 'c');
    await expect(inOrder(list).start()).rejects.toThrow('b: no start does not start');
    expect(journal).toEqual(['start a', 'start b: no start', 'stop b: no start', 'stop a']);
  });

  test('a service that fails to stop does not keep the others from stopping', async () => {
    const { journal, list } = services('a', 'b: no stop', 'c');
    const all = inOrder(list);
    await all.start();
    await expect(all.stop()).rejects.toThrow('some services did not stop cleanly');
    expect(journal.slice(3)).toEqual(['stop c', 'stop b: no stop', 'stop a']);
  });
});

test('nothing is started once the stack is stopping', async () => {
  const { journal, list } = services('late');
  const stack = new ServiceStack();
  await stack.stop();
  await expect(stack.start(list[0] as Service)).rejects.toThrow('stopping');
  expect(journal).toEqual([]);
});

test('services together: if one fails to stop, the stop still waits for the others', async () => {
  const slow = Promise.withResolvers<void>();
  let isOver = false;
  const all = together([
    { start: async () => {}, stop: () => Promise.reject(new Error('stuck')) },
    { start: async () => {}, stop: () => slow.promise },
  ]);
  const stopped = all.stop().finally(() => {
    isOver = true;
  });
  stopped.catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  slow.resolve();
  await expect(stopped).rejects.toThrow('did not stop cleanly');
});

test('services together start and stop at the same time', async () => {
  const { journal, list } = services('a', 'b');
  const all = together(list);
  await all.start();
  await all.stop();
  expect(journal.sort()).toEqual(['start a', 'start b', 'stop a', 'stop b']);
});
