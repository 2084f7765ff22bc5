import { expect, test } from 'vitest';
import { JoinedReads } from './joined-reads.ts';

/** A held clock. `pass` advances it, and ends the pauses that are over by then. */
function setup() {
  let now = 0;
  const pauses: { until: number; end(): void }[] = [];
  const reads = new JoinedReads<string>(
    () => now,
    (ms) => new Promise<void>((end) => pauses.push({ until: now + ms, end })),
  );
  let begun = 0;
  return {
    reads,
    pass(ms: number) {
      now += ms;
      for (const { end } of pauses.filter(({ until }) => until <= now)) end();
    },
    /** A read that takes this time. */
    taking: (ms: number) => async () => {
      now += ms;
      return `read ${++begun}`;
    },
    begun: () => begun,
  };
}

test('the first read begins immediately; simultaneous calls share one read, that of the newest call', async () => {
  const { reads } = setup();
  const [first, second] = await Promise.all([
    reads.join('a', async () => 'of the first call'),
    reads.join('a', async () => 'of the second call'),
  ]);
  expect(first).toBe('of the second call');
  expect(second).toBe(first);
});

test('reads begin immediately until they have taken a quarter of a second in total; ten seconds without a read restore this allowance', async () => {
  const { reads, pass, taking, begun } = setup();
  for (let n = 0; n < 5; n++) await reads.join('a', taking(50));
  await reads.join('a', taking(25));
  const seventh = reads.join('a', taking(50));
  await Promise.resolve();
  expect(begun()).toBe(6);
  pass(1_000);
  expect(await seventh).toBe('read 7');
  pass(12_000);
  for (let n = 0; n < 5; n++) await reads.join('a', taking(50));
  expect(begun()).toBe(12);
});

test.for([
  { took: 30, rest: 1_200 },
  { took: 5_000, rest: 2_000 },
])(
  'once the allowance is used up, a read of $took ms is followed by $rest ms without a read, and the callers share the next read',
  async ({ took, rest }) => {
    const { reads, pass, taking, begun } = setup();
    await reads.join('a', taking(250));
    await reads.join('a', taking(took));
    const later = [reads.join('a', taking(1)), reads.join('a', taking(1))];
    pass(rest - 1);
    await Promise.resolve();
    expect(begun()).toBe(2);
    pass(1);
    expect(await Promise.all(later)).toEqual(['read 3', 'read 3']);
  },
);

test('a call that accepts an age gets the result of a former read that began no longer ago, and does not wait', async () => {
  const { reads, pass, taking, begun } = setup();
  await reads.join('a', taking(1_000));
  pass(500);
  expect(await reads.join('a', taking(1), 1_500)).toBe('read 1');
  const fresh = reads.join('a', taking(1), 1_499);
  pass(2_000);
  expect(await fresh).toBe('read 2');
  expect(begun()).toBe(2);
});

test('a call that accepts an age gets the read in progress, but not a failed one', async () => {
  const { reads, taking } = setup();
  const slow = Promise.withResolvers<string>();
  const first = reads.join('a', () => slow.promise);
  await Promise.resolve();
  const second = reads.join('a', taking(1), 100);
  slow.reject(new Error('the database is gone'));
  await expect(first).rejects.toThrow('the database is gone');
  await expect(second).rejects.toThrow('the database is gone');
  expect(await reads.join('a', taking(1), 100)).toBe('read 1');
});

test('a call during a read gets the next one', async () => {
  const { reads, taking } = setup();
  const slow = Promise.withResolvers<string>();
  const first = reads.join('a', () => slow.promise);
  await Promise.resolve();
  const second = reads.join('a', taking(1));
  slow.resolve('read before');
  expect(await first).toBe('read before');
  expect(await second).toBe('read 1');
});

test('a read that hangs delays the next one by 2 s', async () => {
  const { reads, pass, taking, begun } = setup();
  void reads.join('a', () => new Promise(() => {}));
  await Promise.resolve();
  const next = reads.join('a', taking(1));
  pass(1_999);
  await Promise.resolve();
  expect(begun()).toBe(0);
  pass(1);
  expect(await next).toBe('read 1');
});

test('keys do not wait for each other, and a failure reaches only the callers of that read', async () => {
  const { reads } = setup();
  const failed = reads.join('a', () => Promise.reject(new Error('no database')));
  expect(await reads.join('b', async () => 'b')).toBe('b');
  await expect(failed).rejects.toThrow('no database');
  expect(await reads.join('a', async () => 'a')).toBe('a');
});
