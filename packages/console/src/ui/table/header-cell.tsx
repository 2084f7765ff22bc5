import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { lists } from '../../text/lists.ts';
import { useWords } from '../../text/text.tsx';
import type { Column } from './column.ts';
import type { SortedBy } from './list-address.ts';

interface HeaderCellProps<Item> {
  column: Column<Item>;
  sorted: SortedBy | undefined;
  onSort: ((by: SortedBy | undefined) => void) | undefined;
}

const iconSize = 14;

/**
 * The heading of a column. If the column is sortable, clicks switch between ascending order, descending order, and the
 * order of the list.
 */
export function HeaderCell<Item>({ column: { title, align, sort }, sorted, onSort }: HeaderCellProps<Item>) {
  const words = useWords(lists);
  if (sort === undefined || onSort === undefined) return <Table.Th ta={align ?? 'left'}>{title}</Table.Th>;
  const isSorted = sorted?.name === sort.name;
  const direction = !isSorted ? 'none' : sorted.isDescending ? 'descending' : 'ascending';
  const Icon = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown }[direction];
  const next = {
    none: { name: sort.name, isDescending: false },
    ascending: { name: sort.name, isDescending: true },
    descending: undefined,
  }[direction];
  return (
    <Table.Th ta={align ?? 'left'} aria-sort={direction}>
      <UnstyledButton fz="inherit" fw="inherit" ta="inherit" title={words.sortBy(title)} onClick={() => onSort(next)}>
        {title}&nbsp;
        <Icon size={iconSize} aria-hidden style={{ verticalAlign: '-2px', opacity: isSorted ? 1 : 0.5 }} />
      </UnstyledButton>
    </Table.Th>
  );
}
