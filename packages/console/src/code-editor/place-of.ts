/**
 * Returns the position of a name as a whole word, or -1 if there is none. `player.fi` is not found in
 * `player.first_name`. Pure.
 */
export function placeOf(words: string, text: string): number {
  const name = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.search(new RegExp(`(?<![\\w.])${name}(?![\\w.])`));
}
