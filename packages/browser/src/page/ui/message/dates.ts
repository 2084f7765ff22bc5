import { serverNow } from '../../client/http.ts';
import { timeOf } from '../../client/time.ts';

/**
 * Times after this one mean never. It is a year before the end of 9999, because a message that never expires has a date at
 * the end of 9999.
 */
const never = 25_337e10;

/**
 * Milliseconds of each unit, the largest unit first. There is no unit for weeks or months, because from a week on, a date is shown.
 */
const units = [
  ['day', 864e5],
  ['hour', 36e5],
  ['minute', 6e4],
] as const;
const week = 7 * 864e5;

/** Returns when today began in the player's zone, or an earlier day, in milliseconds since 1970. */
export function startOfDay(daysAgo: number, now = serverNow()): number {
  const date = new Date(now);
  date.setDate(date.getDate() - daysAgo);
  return date.setHours(0, 0, 0, 0);
}

/** A time as shown to the player, in the page's language and the player's zone. */
export interface ShownTime {
  /**
   * A time in the past is shown as "5 minutes ago", and from a week on as a date. A time in the future is shown as "3:30 PM" or
   * "tomorrow", and later ones as a date, because it follows words such as "valid until". A date of this year has no year.
   */
  near: string;
  /** Date and time of day, with the time zone. */
  exact: string;
}

/**
 * @param time in the site's form, UTC
 * @param now milliseconds since 1970
 * @returns undefined if the time is invalid, or means never
 */
export function shownTime(time: string, now = serverNow()): ShownTime | undefined {
  const at = timeOf(time);
  if (!(at < never)) return undefined;
  const date = new Date(at);
  const inLanguage = (language?: string) => {
    // `timeZoneName` is not allowed together with `dateStyle` and `timeStyle`.
    const exact = date.toLocaleString(language, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    });
    const away = at - now;
    // Days are those of the calendar: 40 hours ago may be the day before yesterday. A day may have 23 or 25 hours.
    const days = Math.round((startOfDay(0, at) - startOfDay(0, now)) / 864e5);
    if (away <= -week || days > 1) {
      const year = date.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric';
      return { near: date.toLocaleDateString(language, { day: 'numeric', month: 'short', year }), exact };
    }
    // A difference of less than a minute is shown as "now".
    const [unit, length] = units.find(([, ms]) => Math.abs(away) >= ms) ?? ['second', Infinity];
    if (!days && away > length) return { near: date.toLocaleTimeString(language, { timeStyle: 'short' }), exact };
    const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const isByDay = unit === 'day' || (days > 0 && unit === 'hour');
    return { near: isByDay ? format.format(days, 'day') : format.format(Math.trunc(away / length), unit), exact };
  };
  try {
    return inLanguage(document.documentElement.lang);
  } catch {
    // The page has no lang, or an invalid one: "en_GB", "english".
    return inLanguage();
  }
}
