import type { Selection } from './activity.ts';

/**
 * The sport that a bet counts with: the one that most of its selections name, of several the one named first; '' where none is named.
 * A bet counts once, as everywhere, so a combination of three football matches and one of tennis is a bet on football.
 */
export function sportOf(selections: readonly Selection[]): string {
  return mostNamed(selections.map(({ sports_name = '' }) => sports_name));
}

/** The name that stands most often, of several the one that stands first; '' where there is none. */
export function mostNamed(names: readonly string[]): string {
  const named = new Map<string, number>();
  for (const name of names) if (name !== '') named.set(name, (named.get(name) ?? 0) + 1);
  let [first, most] = ['', 0];
  for (const [name, times] of named) if (times > most) [first, most] = [name, times];
  return first;
}
