import type { ReactNode } from 'react';

export interface Column<Item> {
  title: string;
  show(item: Item): ReactNode;
  align?: 'right';
  /** How the column is sorted. The address contains `name`. Null values come last. */
  sort?: { name: string; of(item: Item): string | number | null };
  /** The title of a row on a phone. By default, this is the first column that does not only say when. */
  isMain?: true;
  /** True if a value says what it is. It then needs no label on a phone. */
  isEvident?: true;
}
