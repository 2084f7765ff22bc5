import { expect, test } from 'vitest';
import { SidCache } from './sid-cache.ts';

const anna = { user_id: 'anna', snapshot: '1:1:' };

function setup() {
  let now = 0;
  const cache = new SidCache(() => now);
  return {
    cache,
    at: (ms: number) => {
      now = ms;
    },
  };
}

test('a valid answer is cached for 60 s, an invalid one for 5 s (docs/reference/decisions.md 4)', () => {
  const { cache, at } = setup();
  cache.set('good', anna);
  cache.set('bad', null);
  at(4_999);
  expect([cache.get('good'), cache.get('bad')]).toEqual([anna, null]);
  at(5_000);
  expect(cache.get('bad')).toBeUndefined();
  at(59_999);
  expect(cache.get('good')).toEqual(anna);
  at(60_000);
  expect(cache.get('good')).toBeUndefined();
});

test('a flood of wrong sids fills its own map, and evicts no signed-in player', () => {
  const { cache } = setup();
  cache.set('good', anna);
  for (let n = 0; n < 30_000; n++) cache.set(`bad ${n}`, null);
  expect(cache.size).toBe(10_001);
  expect(cache.get('good')).toEqual(anna);
  expect(cache.get('bad 0')).toBeUndefined();
  expect(cache.get('bad 29999')).toBeNull();
});

test('storing an answer removes expired ones', () => {
  const { cache, at } = setup();
  for (let n = 0; n < 100; n++) cache.set(`bad ${n}`, null);
  at(5_000);
  cache.set('one more', null);
  expect(cache.size).toBe(1);
});

test('a new answer about a sid replaces the old one, and can be deleted', () => {
  const { cache } = setup();
  cache.set('sid', anna);
  cache.set('sid', null);
  expect(cache.get('sid')).toBeNull();
  cache.forget('sid');
  expect(cache.get('sid')).toBeUndefined();
});
