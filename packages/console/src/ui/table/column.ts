import type { ReactNode } from 'react';

export interface Column<Item> {
  title: string;
  show(item: Item): ReactNode;
  align?: 'right';
  /** How the column is sorted. The address contains `name`. Null values come last. */
  sort?: { name: string; of(item: Item): string | number | null };
  /** True for the column that is the title of a row on a phone. By default, it is the first column that is not the time. */
  isMain?: true;
  /** True if the value is clear without a label. It then has no label on a phone. */
  isEvident?: true;
}
