import { expect, test } from 'vitest';
import { divide } from './divide.ts';

const items = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Divides work that fails for the bad items. Returns the outcome, and how often the work was tried. */
async function divided(
  count: number,
  isBad: (item: number) => boolean,
  few: number,
  error: Error = new TypeError('x'),
) {
  let tries = 0;
  const done = new Set<number>();
  const work = async (some: readonly number[]) => {
    tries++;
    if (some.some(isBad)) throw error;
    for (const item of some) done.add(item);
  };
  const { bad } = await divide(items(count), work, { error, few });
  return { bad: bad.flatMap(({ group }) => group), done: done.size, tries };
}

const refused = Object.assign(new Error('out of range'), { code: '22003' });

test.each([
  [1, 18],
  [4, 14],
])('one bad item among 500 is found in groups of at most %i with at most %i tries', async (few, most) => {
  for (const item of [0, 123, 250, 499]) {
    const { bad, done, tries } = await divided(500, (one) => one === item, few);
    expect(bad).toContain(item);
    expect(bad.length).toBeLessThanOrEqual(few);
    expect(done).toBe(500 - bad.length);
    expect(tries).toBeLessThanOrEqual(most);
  }
});

test.each([
  ['the first ones', (item: number) => item < 20],
  ['all except the last one', (item: number) => item < 99],
  ['every second one', (item: number) => item % 2 === 0],
])('many bad items are all found: %s', async (_, isBad) => {
  const { bad, done } = await divided(100, isBad, 1);
  expect(bad).toEqual(items(100).filter(isBad));
  expect(done).toBe(100 - bad.length);
});

test('if the work fails for all items, the search ends soon, and the error is thrown', async () => {
  let tries = 0;
  const work = async () => {
    tries++;
    throw new TypeError('x is undefined');
  };
  await expect(divide(items(500), work, { error: new TypeError('x'), few: 1 })).rejects.toThrow('x');
  expect(tries).toBeLessThan(25);
});

test('if the database refuses a value of every item, every item is bad', async () => {
  const { bad } = await divided(20, () => true, 1, refused);
  expect(bad).toEqual(items(20));
});

test('an error whose cause is not in the data is thrown', async () => {
  const deadlock = Object.assign(new Error('deadlock'), { code: '40P01' });
  const work = async () => {
    throw deadlock;
  };
  await expect(divide(items(8), work, { error: refused, few: 1 })).rejects.toBe(deadlock);
});
