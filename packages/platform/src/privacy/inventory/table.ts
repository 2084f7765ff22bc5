/**
 * What happens to a table when a player is erased. Conditions refer to the table's row as `t` and the player as `s`
 * (subject.ts).
 *
 * - rows: the player's rows are deleted
 * - cells: the rows stay, because their counts and sums are still needed. Their player number no longer identifies a person,
 *   and columns that could identify one are emptied
 * - elsewhere: a separate step handles it
 * - kept: it contains nothing about a single player, or nothing beyond the player_id
 */
export type Fate =
  | { readonly fate: 'rows'; readonly where: string }
  | { readonly fate: 'cells'; readonly where: string; readonly set: string; readonly columns: string }
  | { readonly fate: 'elsewhere'; readonly by: 'ledger' | 'derived' | 'tombstone' | 'stage' }
  | { readonly fate: 'kept'; readonly why: string; readonly columns: string };

export interface TableEntry {
  /** The name of the table, including its schema. */
  readonly table: string;
  readonly fate: Fate;
  /**
   * Condition of the rows that an export shows. Default: the erasure's condition. Null: an export shows no rows, and `fate` states the
   * reason.
   */
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

/** @param columns all columns of the table */
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
