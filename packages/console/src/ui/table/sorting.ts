import { type ColumnDef, createSortedRowModel, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import type { Column } from './column.ts';

/** What tables of the console can do beyond showing rows. */
export const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** A row as the table library holds it. */
export interface Line<Item> {
  item: Item;
}

/** Columns as the table library wants them: the ones that can be sorted, by the name that stands in the address. */
export function definitionsOf<Item>(columns: readonly Column<Item>[]): ColumnDef<typeof features, Line<Item>>[] {
  return columns.flatMap(({ sort }) =>
    sort === undefined
      ? []
      : [
          {
            id: sort.name,
            // The library keeps undefined values last in both directions.
            accessorFn: ({ item }: Line<Item>) => sort.of(item) ?? undefined,
            sortUndefined: 'last' as const,
            sortFn: (a, b, name) => compared(a.getValue(name), b.getValue(name)),
          },
        ],
  );
}

/** Numbers by their size, texts as people sort them. */
export function compared(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}
