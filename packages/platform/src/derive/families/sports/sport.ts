import type { Selection } from './activity.ts';

/**
 * Returns the sport for which a bet counts. This is the sport that more of its selections name than any other; in a tie, the
 * one that is named first; '' if none is named. A bet counts once, as in all totals, so a combination of three football
 * matches and one of tennis is a bet on football.
 */
export function sportOf(selections: readonly Selection[]): string {
  return mostNamed(selections.map(({ sports_name = '' }) => sports_name));
}

/** The most frequent name; in a tie the first; '' if there is none. */
export function mostNamed(names: readonly string[]): string {
  const named = new Map<string, number>();
  for (const name of names) if (name !== '') named.set(name, (named.get(name) ?? 0) + 1);
  let [first, most] = ['', 0];
  for (const [name, times] of named) if (times > most) [first, most] = [name, times];
  return first;
}
