/** The sentences of the platform about lists of players, with the German ones. */
const sentences: readonly (readonly [english: RegExp, german: string])[] = [
  [/^A list of 1 player\.$/, 'Eine Liste mit 1 Spieler.'],
  [/^A list of (\d+) players\.$/, 'Eine Liste mit $1 Spielern.'],
  [/^The members of version (\d+), frozen\.$/, 'Die Mitglieder von Version $1, eingefroren.'],
];

/**
 * Returns the sentence of a list of players in German. A list has no rule from which the console could make the sentence. Other
 * sentences stay as they are. Pure.
 */
export function germanListSentence(english: string): string {
  const [pattern, german] = sentences.find(([known]) => known.test(english)) ?? [];
  return pattern === undefined || german === undefined ? english : english.replace(pattern, german);
}
