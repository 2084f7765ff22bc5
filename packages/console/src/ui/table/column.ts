import type { ReactNode } from 'react';

export interface Column<Item> {
  title: string;
  show(item: Item): ReactNode;
  align?: 'right';
  /** How the column is sorted. The address contains `name`. Null values come last. */
  sort?: { name: string; of(item: Item): string | number | null };
}
