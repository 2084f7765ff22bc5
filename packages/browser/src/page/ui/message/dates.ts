import { serverNow } from '../../client/http.ts';
import { timeOf } from '../../client/time.ts';

/** What never expires is said to do so at the end of 9999; this is a year earlier. */
const never = 25_337e10;

/** Milliseconds of each unit, the largest first. Beyond a week a date says more than a number of days. */
const units = [
  ['day', 864e5],
  ['hour', 36e5],
  ['minute', 6e4],
] as const;
const week = 7 * 864e5;

/** A time as the player reads it, in the page's language and the player's zone. */
export interface ShownTime {
  /** "5 minutes ago", "tomorrow"; a date where it is more than a week away. */
  near: string;
  /** Date and time of day. */
  exact: string;
}

/** @param time The site's form, UTC. @param now Milliseconds since 1970. @returns undefined where it is no time, or never. */
export function shownTime(time: string, now = serverNow()): ShownTime | undefined {
  const at = timeOf(time);
  if (!(at < never)) return undefined;
  const date = new Date(at);
  const inLanguage = (language?: string) => {
    const exact = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
    const away = at - now;
    if (Math.abs(away) >= week) return { near: date.toLocaleDateString(language, { dateStyle: 'medium' }), exact };
    // Less than a minute: "now".
    const [unit, length] = units.find(([, ms]) => Math.abs(away) >= ms) ?? ['second', Infinity];
    const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    return { near: format.format(Math.trunc(away / length), unit), exact };
  };
  try {
    return inLanguage(document.documentElement.lang);
  } catch {
    // The page has no lang, or one that is no language tag: "en_GB", "english".
    return inLanguage();
  }
}
