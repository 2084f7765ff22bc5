import { timeOf } from '../../client/time.ts';

const options = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** In the page's language and the player's zone. @param time The site's form, UTC. @returns '' where it is no time. */
export function shownTime(time: string): string {
  const at = timeOf(time);
  if (!Number.isFinite(at)) return '';
  try {
    return new Intl.DateTimeFormat(document.documentElement.lang || undefined, options).format(at);
  } catch {
    // The page's lang is no language tag: "en_GB", "english".
    return new Intl.DateTimeFormat(undefined, options).format(at);
  }
}
