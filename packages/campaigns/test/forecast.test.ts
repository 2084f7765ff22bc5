import { expect, test } from 'vitest';
import { type CountedDay, forecast } from '../src/index.ts';

/** A generator of random numbers that returns the same numbers each time the test runs. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

function poisson(mean: number, next: () => number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = 0;
  for (let product = next(); product > Math.exp(-mean); product *= next()) count++;
  return count;
}

const monday = Date.UTC(2026, 0, 5);
const dayOf = (number: number) => new Date(monday + number * 86_400_000).toISOString().slice(0, 10);

/** Mean counts per weekday. The factor of a day is 1 plus or minus up to `variation`. */
interface World {
  name: string;
  mean: number;
  week: readonly number[];
  variation: number;
  weeks: number;
}
const even = [1, 1, 1, 1, 1, 1, 1];
const weekend = [0.7, 0.7, 0.8, 0.9, 1.2, 1.5, 1.2];
const worlds: World[] = [
  { name: 'many entries, clear weekdays, 4 weeks', mean: 400, week: weekend, variation: 0.2, weeks: 4 },
  { name: 'some entries, clear weekdays, 8 weeks', mean: 40, week: weekend, variation: 0.2, weeks: 8 },
  { name: 'few entries, weekdays alike, 4 weeks', mean: 4, week: even, variation: 0, weeks: 4 },
  { name: 'one week only', mean: 60, week: even, variation: 0.2, weeks: 1 },
  { name: 'days that differ much', mean: 100, week: weekend, variation: 0.5, weeks: 4 },
];

function countsOf({ mean, week, variation }: World, days: number, next: () => number): CountedDay[] {
  return Array.from({ length: days }, (_, number) => {
    const factor = 1 + variation * (2 * next() - 1);
    return { day: dayOf(number), count: poisson(mean * (week[number % 7] ?? 1) * factor, next) };
  });
}

/** Returns for 300 histories how often the interval contained the day and the week, and the error of the expected counts. */
function measure(world: World) {
  const next = generator(7);
  let daysInInterval = 0;
  let weeksInInterval = 0;
  let totalError = 0;
  let errorOfMean = 0;
  let actualTotal = 0;
  const histories = 300;
  for (let count = 0; count < histories; count++) {
    const all = countsOf(world, (world.weeks + 1) * 7, next);
    const past = all.slice(0, world.weeks * 7);
    const future = all.slice(world.weeks * 7);
    const flat = past.reduce((sum, one) => sum + one.count, 0) / past.length;
    const { days, total } = forecast(
      past,
      future.map(({ day }) => day),
    );
    for (const [place, { count: actual }] of future.entries()) {
      const { expected, low, high } = days[place] ?? { expected: 0, low: 0, high: 0 };
      if (actual >= low && actual <= high) daysInInterval++;
      totalError += Math.abs(actual - expected);
      errorOfMean += Math.abs(actual - flat);
      actualTotal += actual;
    }
    const week = future.reduce((sum, one) => sum + one.count, 0);
    if (week >= total.low && week <= total.high) weeksInInterval++;
  }
  return {
    daysInInterval: daysInInterval / (histories * 7),
    weeksInInterval: weeksInInterval / histories,
    error: totalError / actualTotal,
    errorFlat: errorOfMean / actualTotal,
  };
}

test.each(worlds.map((world) => [world.name, world] as const))(
  '%s: the interval contains 19 of 20 days',
  (_name, world) => {
    const { daysInInterval, weeksInInterval } = measure(world);
    expect(daysInInterval).toBeGreaterThan(0.92);
    expect(weeksInInterval).toBeGreaterThan(0.9);
    // An interval that always contains the count would be useless.
    if (world.weeks > 1) expect(daysInInterval).toBeLessThan(0.995);
  },
);

test('if weekdays differ clearly, the error of the expected count is about half of the error of a plain mean', () => {
  const [many, some, few] = worlds.map(measure);
  expect(many?.error).toBeLessThan(0.13);
  expect(many?.errorFlat).toBeGreaterThan(0.25);
  expect(some?.error).toBeLessThan(0.19);
  // If all weekdays are alike, the forecast is not worse than the mean.
  expect(few?.error).toBeLessThan((few?.errorFlat ?? 0) * 1.05);
});

test('without any past counts, the expected count is 0, with an upper bound', () => {
  const past = Array.from({ length: 14 }, (_, number) => ({ day: dayOf(number), count: 0 }));
  const { days, total } = forecast(past, [dayOf(14), dayOf(15)]);
  expect(days[0]).toEqual({ day: dayOf(14), weekday: 1, expected: 0, low: 0, high: expect.any(Number) });
  expect(days[0]?.high).toBeLessThanOrEqual(5);
  expect(total.expected).toBe(0);
});

test('counts of a sample are scaled up, with a wider interval', () => {
  const past = countsOf({ name: '', mean: 40, week: even, variation: 0, weeks: 4 }, 28, generator(3));
  const whole = forecast(past, [dayOf(28)]).days[0];
  const sampled = forecast(past, [dayOf(28)], 0.1).days[0];
  expect(sampled?.expected).toBeCloseTo((whole?.expected ?? 0) * 10, -1);
  const width = ({ low, high, expected }: { low: number; high: number; expected: number }) => (high - low) / expected;
  expect(width(sampled as never)).toBeGreaterThan(width(whole as never) * 0.9);
  expect(() => forecast(past.slice(0, 6), [dayOf(28)])).toThrow('7 days');
});
