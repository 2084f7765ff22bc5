import { type Draft, readText } from '../draft/edits.ts';

/** What an arm is called: one of a split by its name, one of a branch by its place. */
export function armName(arm: Draft, at: number, words: { otherwise: string; when: string; arm: string }): string {
  if ('otherwise' in arm) return words.otherwise;
  return 'when' in arm ? `${words.when} ${at + 1}` : readText(arm, ['name']) || `${words.arm} ${at + 1}`;
}
