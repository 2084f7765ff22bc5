import { timeOf } from '../../client/time.ts';

const options = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** What never expires is said to do so at the end of 9999; this is a year earlier. */
const never = 25_337e10;

/** In the page's language and the player's zone. @param time The site's form, UTC. @returns '' where it is no time, or never. */
export function shownTime(time: string): string {
  const at = timeOf(time);
  if (at >= never) return '';
  const date = new Date(at);
  try {
    return date.toLocaleString(document.documentElement.lang, options);
  } catch {
    // The page has no lang, or one that is no language tag: "en_GB", "english".
    return date.toLocaleString(undefined, options);
  }
}
