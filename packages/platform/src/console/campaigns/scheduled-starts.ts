import { type Schedule, scheduledBetween } from '@croupier/campaigns';
import { plusDays } from '@croupier/contracts';

/*
 * Whether past days predict the next days of a campaign that starts by a schedule.
 *
 * A forecast knows days only by their weekday. It therefore fits a schedule only if each weekday has either a start on all of its days, in
 * the past and in the forecast, or on none. Daily schedules and those of every week fit. A single date and the first of a month do
 * not: the forecast would be 0 on the day on which all players enter, or would spread a past start over the next days.
 */

/** A forecast tells weekdays apart only if it knows each of them twice. */
const twoWeeks = 14;
const dayMicros = 86_400_000_000;

export type ScheduleFit =
  | { fits: true }
  /** It fits if more days are known. */
  | { fits: false; needsDays: number }
  /** Past days do not predict it. `starts` are the dates of its next starts in the forecast. */
  | { fits: false; needsDays: null; starts: string[] };

export interface ForecastDays {
  /** The days whose counts are known. */
  past: readonly string[];
  today: string;
  next: readonly string[];
}

/** Pure. All days are dates in the zone of the brand. */
export function fitOf(schedule: Schedule, { past, today, next }: ForecastDays, zone: string): ScheduleFit {
  const days = [...past, today, ...next];
  const dates = startDates(schedule, { from: days[0] ?? today, to: days.at(-1) ?? today, zone });
  const started = new Set(
    // A player's date can be one day before or after that of the brand.
    schedule.zone === 'player' ? dates.flatMap((day) => [plusDays(day, -1), day, plusDays(day, 1)]) : dates,
  );
  const byWeekday = [...Map.groupBy(days, (day) => new Date(`${day}T00:00Z`).getUTCDay()).values()];
  const isRepeated = byWeekday.every((same) => new Set(same.map((day) => started.has(day))).size === 1);
  if (!isRepeated)
    return { fits: false, needsDays: null, starts: dates.filter((day) => day === today || next.includes(day)) };
  const hasStart = new Set(days.map((day) => started.has(day)));
  return hasStart.size === 2 && past.length < twoWeeks ? { fits: false, needsDays: twoWeeks } : { fits: true };
}

function startDates(schedule: Schedule, { from, to, zone }: { from: string; to: string; zone: string }): string[] {
  const midnight = (day: string) => Date.parse(`${day}T00:00Z`) * 1_000;
  return scheduledBetween(schedule, midnight(from) - 2 * dayMicros, midnight(to) + 3 * dayMicros, zone).map(
    ({ local }) => local.slice(0, 10),
  );
}
