import { expect, test } from 'vitest';
import { gather } from './gather.ts';

/** The numbers 100 down to 1; the token is the last number returned. */
function countdown() {
  const sizes: number[] = [];
  const read = async (limit: number, before: string | undefined) => {
    sizes.push(limit);
    const top = before === undefined ? 100 : Number(before) - 1;
    const items = Array.from({ length: Math.min(limit, top) }, (_, i) => top - i);
    const last = items.at(-1) ?? 0;
    return { items, next: last > 1 ? String(last) : null };
  };
  return { read, sizes };
}

const page = { limit: 5, before: undefined, maxReads: 10 };

test('a page without a filter is one read', async () => {
  const { read, sizes } = countdown();
  expect(await gather(read, () => true, page)).toEqual({ items: [100, 99, 98, 97, 96], next: '96' });
  expect(sizes).toEqual([5]);
});

test('a filtered page is filled up, but never above its size', async () => {
  const { read, sizes } = countdown();
  const { items, next } = await gather(read, (n) => n % 2 === 0, page);
  expect(items).toEqual([100, 98, 96, 94, 92]);
  expect(next).toBe('92');
  expect(sizes).toEqual([5, 2, 1, 1]);
});

test('a rare item is found over several pages, each limited, and nothing is skipped', async () => {
  const { read, sizes } = countdown();
  const found: number[] = [];
  let before: string | undefined;
  let pages = 0;
  do {
    const { items, next } = await gather(read, (n) => n === 3, { ...page, before });
    found.push(...items);
    before = next ?? undefined;
    pages += 1;
  } while (before !== undefined);
  expect(found).toEqual([3]);
  expect(pages).toBe(2);
  expect(Math.max(...sizes)).toBe(5);
});
