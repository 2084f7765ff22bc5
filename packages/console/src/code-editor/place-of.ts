/** The position of a name as a whole word: `player.fi` is not found in `player.first_name`. -1 if there is none. Pure. */
export function placeOf(words: string, text: string): number {
  const name = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.search(new RegExp(`(?<![\\w.])${name}(?![\\w.])`));
}
