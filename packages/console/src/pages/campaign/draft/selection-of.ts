import type { Selection } from './editing.ts';
import { kindIn, readText } from './edits.ts';

/**
 * Returns the part to open to correct an error. It is the innermost step on the error's path, or a part of the
 * campaign.
 */
export function selectionOf(draft: unknown, path: string): Selection {
  let step: string | undefined;
  let within = draft;
  for (const key of path.split('/').slice(1)) {
    within = typeof within === 'object' && within !== null ? (within as Record<string, unknown>)[key] : undefined;
    if (kindIn(within) !== undefined && readText(within, ['id']) !== '') step = readText(within, ['id']);
  }
  if (step !== undefined) return { step };
  return { part: /^\/(entry|audience|reentry)/.test(path) ? 'entry' : 'rules' };
}
