/**
 * What becomes of a table when a player is erased. Conditions name the table's row `t` and the player `s` (subject.ts).
 *
 * - rows: the player's rows are deleted
 * - cells: the rows stay, for their counts and sums under a number that names nobody; what could name somebody is emptied
 * - elsewhere: a step of its own sees to it
 * - kept: nothing in it is about a single player, or nothing beyond the player_id
 */
export type Fate =
  | { readonly fate: 'rows'; readonly where: string }
  | { readonly fate: 'cells'; readonly where: string; readonly set: string; readonly columns: string }
  | { readonly fate: 'elsewhere'; readonly by: 'ledger' | 'derived' | 'tombstone' | 'stage' }
  | { readonly fate: 'kept'; readonly why: string; readonly columns: string };

export interface TableEntry {
  /** With its schema. */
  readonly table: string;
  readonly fate: Fate;
  /** Whose rows an export shows, where it is not the condition of the erasure; null: none, with the reason in the fate. */
  readonly shows?: string | null;
}

export const ofPlayer = 't.player_id = s.player_id';

export function rows(table: string, where = ofPlayer): TableEntry {
  return { table, fate: { fate: 'rows', where } };
}

/** @param columns all of the table, those that are emptied included: a new one has to be thought about */
export function cells(table: string, set: string, columns: string, where = ofPlayer): TableEntry {
  return { table, fate: { fate: 'cells', where, set, columns } };
}

/** @param columns all of the table */
export function retained(table: string, why: string, columns: string, shows: string | null = null): TableEntry {
  return { table, fate: { fate: 'kept', why, columns }, shows };
}

export function elsewhere(
  table: string,
  by: 'ledger' | 'derived' | 'tombstone' | 'stage',
  shows: string | null = null,
): TableEntry {
  return { table, fate: { fate: 'elsewhere', by }, shows };
}
