import type { ReactNode } from 'react';

export interface Column<Item> {
  title: string;
  show(item: Item): ReactNode;
  align?: 'right';
  /** By what the column can be sorted. `name` stands in the address; null values come last. */
  sort?: { name: string; of(item: Item): string | number | null };
}
