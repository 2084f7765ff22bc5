import { type ColumnDef, createSortedRowModel, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import type { Column } from './column.ts';

/** Features of the table library that the console uses. */
export const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** A row as the table library stores it. */
export interface Line<Item> {
  item: Item;
}

/** Returns the columns in the form that the table library needs: the sortable columns, by their name in the address. */
export function definitionsOf<Item>(columns: readonly Column<Item>[]): ColumnDef<typeof features, Line<Item>>[] {
  return columns.flatMap(({ sort }) =>
    sort === undefined
      ? []
      : [
          {
            id: sort.name,
            // The library sorts undefined values last in both directions.
            accessorFn: ({ item }: Line<Item>) => sort.of(item) ?? undefined,
            sortUndefined: 'last' as const,
            sortFn: (a, b, name) => compared(a.getValue(name), b.getValue(name)),
          },
        ],
  );
}

/** Compares numbers by value, and texts in the order of the language. */
export function compared(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}
