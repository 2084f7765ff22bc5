/** Where the words stand as a whole name: `player.fi` is not in `player.first_name`. -1: nowhere. Pure. */
export function placeOf(words: string, text: string): number {
  const name = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.search(new RegExp(`(?<![\\w.])${name}(?![\\w.])`));
}
