/**
 * What happens to a table when a player is erased. Conditions refer to the table's row as `t` and the player as `s`
 * (subject.ts).
 *
 * - rows: the player's rows are deleted
 * - cells: the rows stay, for their counts and sums under a number that no longer identifies a person; columns that could
 *   identify one are emptied
 * - elsewhere: a separate step handles it
 * - kept: it contains nothing about a single player, or nothing beyond the player_id
 */
export type Fate =
  | { readonly fate: 'rows'; readonly where: string }
  | { readonly fate: 'cells'; readonly where: string; readonly set: string; readonly columns: string }
  | { readonly fate: 'elsewhere'; readonly by: 'ledger' | 'derived' | 'tombstone' | 'stage' }
  | { readonly fate: 'kept'; readonly why: string; readonly columns: string };

export interface TableEntry {
  /** Including its schema. */
  readonly table: string;
  readonly fate: Fate;
  /** Which rows an export shows, if not those of the erasure's condition; null for none, with the reason in the fate. */
  readonly shows?: string | null;
}

export const ofPlayer = 't.player_id = s.player_id';

export function rows(table: string, where = ofPlayer): TableEntry {
  return { table, fate: { fate: 'rows', where } };
}

/** @param columns all columns of the table, including the emptied ones, so that a new column needs a decision */
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
