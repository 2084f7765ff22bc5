import { describe, expect, test } from 'vitest';
import { compare, fewestPlayers, isGroupOff, type Sample, sampleRatio } from './comparison.ts';

function sampleOf(values: readonly number[]): Sample {
  return {
    players: values.length,
    sum: values.reduce((sum, one) => sum + one, 0),
    sum_of_squares: values.reduce((sum, one) => sum + one * one, 0),
  };
}

/** Uniform in [0, 1), the same sequence in every run of the test. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('the difference of two samples', () => {
  test("is that of their means, with Welch's interval", () => {
    const control = sampleOf([...Array(50).fill(0), ...Array(50).fill(10)]);
    const arm = sampleOf([...Array(40).fill(0), ...Array(60).fill(20)]);
    // The variances are 25.2525 and 96.9697, with 100 players each, so the interval is 1.96 x sqrt(1.2222) to each side.
    const found = compare(arm, control);
    expect(found?.difference).toBeCloseTo(7, 10);
    expect(found?.low).toBeCloseTo(7 - 2.1668, 3);
    expect(found?.high).toBeCloseTo(7 + 2.1668, 3);
  });

  test('is not computed for few players', () => {
    const many = sampleOf(Array(fewestPlayers).fill(1));
    const few = sampleOf(Array(fewestPlayers - 1).fill(1));
    expect(compare(few, many)).toBeNull();
    expect(compare(many, few)).toBeNull();
    expect(compare(many, many)).toEqual({ difference: 0, low: 0, high: 0 });
  });

  test('the interval contains the true difference in 95 of 100 experiments', () => {
    const draw = numbers(7);
    const player = (chance: number) => (draw.next().value < chance ? 100 * draw.next().value : 0);
    let held = 0;
    for (let experiment = 0; experiment < 2_000; experiment++) {
      const control = sampleOf(Array.from({ length: 200 }, () => player(0.2)));
      const arm = sampleOf(Array.from({ length: 200 }, () => player(0.3)));
      const found = compare(arm, control);
      // The true difference is 5: a player who deposits has 50 on average, and 0.3 of the players deposit instead of 0.2.
      if (found !== null && found.low <= 5 && found.high >= 5) held += 1;
    }
    expect(held / 2_000).toBeGreaterThan(0.93);
    expect(held / 2_000).toBeLessThan(0.97);
  });
});

describe('the sizes of the arms', () => {
  test.each([
    {
      name: 'the players match the shares',
      arms: [
        { share: 10, players: 100 },
        { share: 90, players: 900 },
      ],
      mismatch: false,
    },
    {
      name: 'a difference that may be random',
      arms: [
        { share: 10, players: 130 },
        { share: 90, players: 870 },
      ],
      mismatch: false,
    },
    {
      name: 'a difference that is too large to be random',
      arms: [
        { share: 10, players: 160 },
        { share: 90, players: 840 },
      ],
      mismatch: true,
    },
    {
      name: 'one arm has all players',
      arms: [
        { share: 50, players: 0 },
        { share: 50, players: 40 },
      ],
      mismatch: true,
    },
    {
      name: 'no players yet',
      arms: [
        { share: 50, players: 0 },
        { share: 50, players: 0 },
      ],
      mismatch: false,
    },
    { name: 'one arm', arms: [{ share: 100, players: 7 }], mismatch: false },
    {
      name: 'an arm without a share',
      arms: [
        { share: 0, players: 0 },
        { share: 100, players: 7 },
      ],
      mismatch: false,
    },
  ])('$name', ({ arms, mismatch }) => {
    expect(sampleRatio(arms).mismatch).toBe(mismatch);
  });
});

describe('the size of a control group', () => {
  const small = { percent: 10, players: 1_000, held_out: 100 };
  const large = { percent: 50, players: 1_000, held_out: 500 };
  test.each([
    ['matches its percentage', [small], false],
    ['may differ at random', [{ ...small, held_out: 130 }], false],
    ['differs too much to be random', [{ ...small, held_out: 160 }], true],
    ['differs too much if nobody is in it', [{ ...small, held_out: 0 }], true],
    ['matches the percentages that it had over time', [small, large], false],
    ['does not match one percentage for the whole time', [{ percent: 50, players: 2_000, held_out: 600 }], true],
    ['matches if there are no players yet', [], false],
  ])('%s', (_name, sizes, isOff) => {
    expect(isGroupOff(sizes)).toBe(isOff);
  });
});
