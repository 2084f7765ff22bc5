import { timeOf } from '../../client/time.ts';

const options = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** What never expires is said to do so at the end of 9999. */
const never = Date.UTC(9999, 0);

/** In the page's language and the player's zone. @param time The site's form, UTC. @returns '' where it is no time, or never. */
export function shownTime(time: string): string {
  const at = timeOf(time);
  if (at >= never) return '';
  try {
    return new Intl.DateTimeFormat(document.documentElement.lang || undefined, options).format(at);
  } catch {
    // The page's lang is no language tag: "en_GB", "english".
    return new Intl.DateTimeFormat(undefined, options).format(at);
  }
}
