/*
 * How much is to be expected on the next days, by what was counted on past ones. Pure.
 *
 * A day is expected to bring the mean of its weekday, drawn towards the mean of all days: the less clearly the weekdays differ, the more. The
 * interval holds a day with about 95 percent: it is as wide as past days lay apart from what would have been expected of them, and wider where
 * few days are known. It knows nothing of holidays, of growth, or of a campaign that changed.
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
  /** 1 Monday to 7 Sunday. */
  weekday: number;
}

export interface Forecast {
  days: ForecastDay[];
  total: Range;
}

const z95 = 1.96;
/** Days below which nothing is forecast. */
export const fewestDays = 7;

/**
 * @param past whole days, at least `fewestDays`, in any order; a day on which nothing came has count 0
 * @param share how much of what came was counted, 0 to 1: a count over a sample of the players is scaled up
 */
export function forecast(past: readonly CountedDay[], next: readonly string[], share = 1): Forecast {
  if (past.length < fewestDays) throw new RangeError(`a forecast needs ${fewestDays} days; there are ${past.length}`);
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
  /** Variance of a day in units of its mean: 1 where players come independently of each other. */
  spread: number;
  /** For the quantile of few days. */
  freedom: number;
  /** The most that can stand behind days on which nothing came, per day. */
  unseen: number;
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
  const within = sumOf(past.map(({ weekday, count }) => (count - (groups.get(weekday)?.mean ?? mean)) ** 2));
  const repeated = days - groups.size;
  const about = sumOf(past.map(({ count }) => (count - mean) ** 2));
  // With one week or two a weekday has hardly a spread of its own.
  const isRepeated = repeated >= fewestDays;
  const variance = isRepeated ? within / repeated : about / (days - 1);
  const spread = mean === 0 ? least : Math.max(least, variance / mean);
  const noise = (spread * mean) / (days / groups.size);
  const apart = sumOf([...groups.values()].map((one) => (one.mean - mean) ** 2)) / Math.max(1, groups.size - 1);
  const trust = isRepeated && apart > noise ? 1 - noise / apart : 0;
  return {
    spread,
    freedom: isRepeated ? repeated : days - 1,
    unseen: (3 * least) / days,
    of(weekday) {
      const own = groups.get(weekday);
      if (own === undefined) return { mean, weight: days };
      return { mean: trust * own.mean + (1 - trust) * mean, weight: trust * own.days + (1 - trust) * days };
    },
  };
}

/** Roots of counts have the same spread whatever their mean is, so the interval is made of them. */
function rangeOf(mean: number, spread: number, { freedom, unseen }: Model): Range {
  const quantile = z95 * (1 + (z95 ** 2 + 1) / (4 * freedom));
  const half = (quantile * Math.sqrt(spread)) / 2;
  const root = Math.sqrt(mean);
  const low = Math.max(0, root - half) ** 2;
  const high = Math.max((root + half) ** 2, mean === 0 ? unseen : 0);
  return { expected: Math.round(mean * 10) / 10, low: Math.floor(low), high: Math.ceil(high) };
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay() || 7;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
