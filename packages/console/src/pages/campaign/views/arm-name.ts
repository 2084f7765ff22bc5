import { type Draft, readText } from '../draft/edits.ts';

/** Returns the label of an arm: its name in a split, or its number in a branch. */
export function armName(arm: Draft, at: number, words: { otherwise: string; when: string; arm: string }): string {
  if ('otherwise' in arm) return words.otherwise;
  return 'when' in arm ? `${words.when} ${at + 1}` : readText(arm, ['name']) || `${words.arm} ${at + 1}`;
}
