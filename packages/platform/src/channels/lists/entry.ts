import type { FieldError, Micros } from '@croupier/contracts';
import { halfCharacter } from '../notifications/content.ts';

/*
 * The states of one player's entry on a list for calls or letters:
 *
 *   requested --gate--> waiting --export, gate again--> exported --outcome--> reached, not_reached, opted_out
 *       |                  |                               '-- no outcome is reported: it stays exported
 *       |                  '-- not allowed at export, too late, recalled, order cancelled, campaign stopped --> dropped
 *       '--gate--> withheld
 *
 * A list can be exported any number of times. Each export contains the waiting entries, and the entries that were
 * exported before and have no outcome yet, if the gate still allows them. Exports that run at the same time share the
 * entries: each entry is in one of them.
 */
export const entryStates = [
  'waiting',
  'exported',
  'reached',
  'not_reached',
  'opted_out',
  'withheld',
  'dropped',
] as const;
export type EntryState = (typeof entryStates)[number];
/** The states of entries that further exports do not contain. */
export const endedStates = ['reached', 'not_reached', 'opted_out', 'withheld', 'dropped'] as const;
export const outcomes = ['reached', 'not_reached', 'opted_out'] as const;
export type EntryOutcome = (typeof outcomes)[number];
export const listChannels = ['telephone', 'post_mail'] as const;
export type ListChannel = (typeof listChannels)[number];

export interface EntryContent {
  /** Name of the list, within the brand. */
  list: string;
  /** Instructions for the caller, or the text to print. */
  note: string;
}

/** How long an entry waits to be exported if its sender sets no limit: 30 days. */
export const entryLife: Micros = 30 * 24 * 3_600_000_000;

const longestNote = 5_000;

/** Pure and idempotent. */
export function composeEntry<C extends EntryContent>(content: C): { content: C; errors: FieldError[] } {
  const list = content.list.trim() || 'default';
  const note = content.note.trim();
  const errors = halfCharacter('note', note);
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(list))
    errors.push({
      path: 'list',
      rule: 'code',
      message: 'list must have at most 64 lower case letters, digits, - and _',
    });
  if (note.length > longestNote)
    errors.push({ path: 'note', rule: 'max_length', message: `note has more than ${longestNote} characters` });
  return { content: { ...content, list, note }, errors };
}
