import type { FactKind, Field } from '@croupier/rules';

/** A kind of fact that `did.<name>` counts, with the place of its rows. */
export interface FactReading {
  readonly kind: FactKind;
  /** A note for people: when the fact is in force, and how long it is kept. */
  readonly meaning: string;
  /**
   * SQL of its rows: player_id, at, and a column for each field, with the name of the field and the type of its kind.
   *
   * @param where makes a where clause over `player_id`, with more conditions; empty if there are none
   */
  rows(where: (column: string, ...more: readonly string[]) => string): string;
}

/** A field of a fact: its kind, its title, and SQL of its value. */
export type FactColumn = readonly [kind: Field['kind'] | 'amount', title: string, sql?: string];

/** @param columns by their names in the console API; `at` is the moment that `within` uses */
export function factReading(of: {
  name: string;
  title: string;
  meaning: string;
  from: string;
  inForce: string;
  playerId?: string;
  at: string;
  columns: Readonly<Record<string, FactColumn>>;
  baseCurrency: string;
}): FactReading {
  const { name, title, meaning, from, inForce, at, columns, baseCurrency, playerId = 'player_id' } = of;
  const fields = Object.entries(columns).map(([field, [kind, words]]): Field => {
    if (kind === 'amount') return { name: field, kind: 'number', title: words, unit: baseCurrency };
    return { name: field, kind, title: words };
  });
  const shown = Object.entries(columns).map(([field, [, , sql = field]]) => `, ${sql} as "${field}"`);
  return {
    kind: { name, title, fields: [...fields, { name: 'at', kind: 'moment', title: 'its time' }] },
    meaning,
    rows: (where) =>
      `select ${playerId} as player_id, ${at} as at${shown.join('')} from ${from} ${where(playerId, inForce)}`,
  };
}
