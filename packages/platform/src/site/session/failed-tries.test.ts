import { expect, test } from 'vitest';
import { hashOf } from './credential.ts';
import { FailedTries } from './failed-tries.ts';

function setup() {
  let now = 0;
  let counted = 0;
  const tries = new FailedTries(() => now);
  return {
    tries,
    fail(address: string, times: number) {
      for (let n = 0; n < times; n++) tries.failed(address, hashOf(1, `wrong ${counted++}`));
    },
    at(ms: number) {
      now = ms;
    },
  };
}

test('after 60 wrong credentials, the next one must wait until the minute ends', () => {
  const { tries, fail, at } = setup();
  fail('192.0.2.1', 59);
  expect(tries.wait('192.0.2.1')).toBeNull();
  fail('192.0.2.1', 1);
  expect(tries.wait('192.0.2.1')).toBe(60);
  at(59_500);
  expect(tries.wait('192.0.2.1')).toBe(1);
  expect(tries.wait('192.0.2.2')).toBeNull();
  at(60_000);
  expect(tries.wait('192.0.2.1')).toBeNull();
});

test('one wrong credential counts once, however often it is repeated', () => {
  const { tries, fail, at } = setup();
  const expired = hashOf(1, 'expired');
  for (let n = 0; n < 200; n++) tries.failed('192.0.2.1', expired);
  expect(tries.wait('192.0.2.1')).toBeNull();
  fail('192.0.2.1', 59);
  expect(tries.wait('192.0.2.1')).toBe(60);
  at(60_000);
  tries.failed('192.0.2.1', expired);
  expect(tries.wait('192.0.2.1')).toBeNull();
});

test.each([
  ['2001:db8::1', '2001:db8::2', true],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ffff::', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::1', '::2', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
])('%s and %s are one network: %s', (one, other, same) => {
  const { tries, fail } = setup();
  fail(one, 60);
  expect(tries.wait(other) !== null).toBe(same);
});

test('above the limit, five unknown credentials per second are checked, and credentials that were wrong before are refused', () => {
  const { tries, fail, at } = setup();
  fail('192.0.2.1', 60);
  const turn = (name: string) => tries.turn('192.0.2.1', hashOf(1, name));
  expect(turn('wrong 7')).toEqual({ retryAfterSeconds: 60 });
  expect([turn('a'), turn('b'), turn('c')]).toEqual([{ waitMs: 0 }, { waitMs: 200 }, { waitMs: 400 }]);
  for (let n = 0; n < 8; n++) turn(`more ${n}`);
  expect(turn('too many')).toEqual({ retryAfterSeconds: 1 });
  expect(tries.turn('192.0.2.2', hashOf(1, 'too many'))).toEqual({ waitMs: 0 });
  at(1_000);
  expect(turn('later')).toEqual({ waitMs: 1_200 });
  at(60_000);
  expect(turn('wrong 7')).toEqual({ waitMs: 0 });
});

test('memory is limited even if every try comes from a new address', () => {
  const { tries } = setup();
  const wrong = hashOf(1, 'wrong');
  for (let n = 0; n < 15_000; n++) tries.failed(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, wrong);
  expect(tries.size).toBe(10_000);
});
