/*
 * Forecasts the counts of the next days from those of past days. Pure.
 *
 * The expected count of a day is between the mean of its weekday and the mean of all days. It is closer to the mean of all days if
 * the weekdays differ less clearly. The interval contains the count of a day with a probability of about 95 percent. Its width
 * depends on how far past days were from their expected counts, and it is wider if few days are known. The forecast does not
 * consider holidays, growth, or changes of a campaign.
 */

export interface CountedDay {
  /** 2026-12-24 */
  day: string;
  count: number;
}

export interface Range {
  expected: number;
  low: number;
  high: number;
}

export interface ForecastDay extends Range {
  day: string;
  /** From 1 (Monday) to 7 (Sunday). */
  weekday: number;
}

export interface Forecast {
  days: ForecastDay[];
  total: Range;
}

const z95 = 1.96;
/** With fewer days there is no forecast. */
export const fewestDays = 7;

/**
 * @param past whole days, at least `fewestDays`, in any order; a day on which nothing happened has count 0
 * @param share the share that was counted, 0 to 1: a count over a sample of the players is scaled up
 */
export function forecast(past: readonly CountedDay[], next: readonly string[], share = 1): Forecast {
  if (past.length < fewestDays)
    throw new RangeError(`a forecast requires ${fewestDays} days; there are ${past.length}`);
  const model = modelOf(
    past.map(({ day, count }) => ({ weekday: weekdayOf(day), count: count / share })),
    1 / share,
  );
  const days = next.map((day): ForecastDay => {
    const weekday = weekdayOf(day);
    const { mean, weight } = model.of(weekday);
    return { day, weekday, ...rangeOf(mean, model.spread * (1 + 1 / weight), model) };
  });
  const sum = days.reduce((all, { expected }) => all + expected, 0);
  return { days, total: rangeOf(sum, model.spread * (1 + next.length / past.length), model) };
}

interface Model {
  /** Variance of a day in units of its mean; it is 1 if players arrive independently of each other. */
  spread: number;
  /** Degrees of freedom of the t distribution, which replaces the normal distribution if few days are known. */
  degreesOfFreedom: number;
  /** The highest daily mean that is consistent with days that all had count 0. */
  maxMeanWithoutCounts: number;
  of(weekday: number): { mean: number; weight: number };
}

function modelOf(past: readonly { weekday: number; count: number }[], least: number): Model {
  const days = past.length;
  const mean = sumOf(past.map(({ count }) => count)) / days;
  const groups = new Map(
    [...Map.groupBy(past, ({ weekday }) => weekday)].map(([weekday, rows]) => {
      const sum = sumOf(rows.map(({ count }) => count));
      return [weekday, { days: rows.length, mean: sum / rows.length }] as const;
    }),
  );
  const squaresWithinWeekdays = sumOf(
    past.map(({ weekday, count }) => (count - (groups.get(weekday)?.mean ?? mean)) ** 2),
  );
  const repeated = days - groups.size;
  const squares = sumOf(past.map(({ count }) => (count - mean) ** 2));
  // One or two weeks are too few to estimate the spread within a weekday.
  const isRepeated = repeated >= fewestDays;
  const variance = isRepeated ? squaresWithinWeekdays / repeated : squares / (days - 1);
  const spread = mean === 0 ? least : Math.max(least, variance / mean);
  const varianceOfWeekdayMean = (spread * mean) / (days / groups.size);
  const varianceBetweenWeekdays =
    sumOf([...groups.values()].map((one) => (one.mean - mean) ** 2)) / Math.max(1, groups.size - 1);
  const weekdayWeight =
    isRepeated && varianceBetweenWeekdays > varianceOfWeekdayMean
      ? 1 - varianceOfWeekdayMean / varianceBetweenWeekdays
      : 0;
  return {
    spread,
    degreesOfFreedom: isRepeated ? repeated : days - 1,
    maxMeanWithoutCounts: (3 * least) / days,
    of(weekday) {
      const own = groups.get(weekday);
      if (own === undefined) return { mean, weight: days };
      return {
        mean: weekdayWeight * own.mean + (1 - weekdayWeight) * mean,
        weight: weekdayWeight * own.days + (1 - weekdayWeight) * days,
      };
    },
  };
}

/** The square roots of counts have the same spread for every mean, so the interval is computed from them. */
function rangeOf(mean: number, spread: number, { degreesOfFreedom, maxMeanWithoutCounts }: Model): Range {
  const quantile = z95 * (1 + (z95 ** 2 + 1) / (4 * degreesOfFreedom));
  const half = (quantile * Math.sqrt(spread)) / 2;
  const root = Math.sqrt(mean);
  const low = Math.max(0, root - half) ** 2;
  const high = Math.max((root + half) ** 2, mean === 0 ? maxMeanWithoutCounts : 0);
  return { expected: Math.round(mean * 10) / 10, low: Math.floor(low), high: Math.ceil(high) };
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay() || 7;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
