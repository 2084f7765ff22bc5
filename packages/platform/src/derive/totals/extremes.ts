import type Big from 'big.js';
import type { Delta } from './deltas.ts';
import type { Column } from './table.ts';

/** A column that contains the most extreme value among the facts of its row. */
export interface Extreme extends Column {
  /** The aggregate that selects it. */
  readonly pick: 'min' | 'max';
  /** The column of `TotalsSpec.facts` that it is selected from. */
  readonly of: string;
  /** The most extreme of the values that a batch removed from the row; null if it removed none. */
  left(gone: Delta['gone']): string | number | null;
}

/** A date of the lifetime table: the time of the first or last part that counts under a name of `TotalsSpec.dated`. */
export interface DatedExtreme extends Extreme {
  /** The column that counts these parts. */
  readonly count: string;
}

export function largest(name: string): Extreme {
  const text = (value: Big | undefined) => value?.toFixed() ?? null;
  return {
    name,
    type: 'numeric',
    pick: 'max',
    of: name,
    merge: (held, added) => `greatest(${held}, ${added})`,
    value: ({ biggest }) => text(biggest.get(name)),
    left: ({ biggest }) => text(biggest.get(name)),
  };
}

export function firstAndLast(name: string): DatedExtreme[] {
  const column = { type: 'timestamptz', of: `${name}_at`, count: `${name}_count` } as const;
  return [
    {
      ...column,
      name: `${name}_first_at`,
      pick: 'min',
      merge: (held, added) => `least(${held}, ${added})`,
      value: ({ first }) => first.get(name) ?? null,
      left: ({ first }) => first.get(name) ?? null,
    },
    {
      ...column,
      name: `${name}_last_at`,
      pick: 'max',
      merge: (held, added) => `greatest(${held}, ${added})`,
      value: ({ last }) => last.get(name) ?? null,
      left: ({ last }) => last.get(name) ?? null,
    },
  ];
}
