import type { Selection } from './activity.ts';

/**
 * The sport that a bet counts with: the one that most of its selections name, of several the one named first; '' where none is named.
 * A bet counts once, as everywhere, so a combination of three football matches and one of tennis is a bet on football.
 */
export function sportOf(selections: readonly Selection[]): string {
  const named = new Map<string, number>();
  for (const { sports_name = '' } of selections) {
    if (sports_name !== '') named.set(sports_name, (named.get(sports_name) ?? 0) + 1);
  }
  let [sport, most] = ['', 0];
  for (const [name, times] of named) if (times > most) [sport, most] = [name, times];
  return sport;
}
