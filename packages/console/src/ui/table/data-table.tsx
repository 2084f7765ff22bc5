import { Table, VisuallyHidden } from '@mantine/core';
import { type SortingState, useTable } from '@tanstack/react-table';
import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { lists } from '../../text/lists.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useIsPhone } from '../use-is-phone.ts';
import type { Column } from './column.ts';
import { DataRow } from './data-row.tsx';
import { spacingOf, useDensity } from './density.tsx';
import { HeaderCell } from './header-cell.tsx';
import type { ListAddress, SortedBy } from './list-address.ts';
import { movedTo } from './moved-to.ts';
import { phoneRow } from './phone-row.ts';
import { rowId } from './row-id.ts';
import { definitionsOf, features } from './sorting.ts';

/*
 * A table of any length. Only the rows near the visible part of the page are in the document.
 *
 * The table scrolls with the page, below a sticky heading. Each row has the height of its content, which is measured
 * when the row appears. Arrow keys move between rows, Enter opens the first link of a row, and Space selects the row.
 * The address contains the selected row.
 *
 * On a phone, a row shows its title and a few facts. The other values are shown when the row is opened (phone-row.ts).
 */
interface DataTableProps<Item> {
  items: readonly Item[];
  keyOf(item: Item): string | number;
  columns: readonly Column<Item>[];
  /** Shown below the selected row. */
  detail?: ((item: Item) => ReactNode) | undefined;
  /** If it is omitted, rows cannot be selected. On a phone, they can still be opened. */
  address?: ListAddress | undefined;
  sorted?: SortedBy | undefined;
  /** If it is omitted, the columns cannot be sorted. */
  onSort?: ((by: SortedBy | undefined) => void) | undefined;
  /** Number of rows of the whole list. It is undefined if it is unknown. */
  total: number | undefined;
  /** Called when one of the last rows is visible, or almost visible. */
  onEnd?: (() => void) | undefined;
}

/** Up to this number of rows, all rows are in the document, so that the browser's search finds words in them. */
const allUpTo = 60;
/** Up to this number of rows, the heading is not sticky. */
const shortUpTo = 15;
/** Number of rows in the document above and below the visible part. */
const overscan = 10;
/** Height of a closed row on a phone, in pixels. */
const phoneRowHeight = 64;
/** Position of the sticky heading below the header of the page (app/shell.tsx), in pixels. */
export const stickyAt = 56;

export function DataTable<Item>(props: DataTableProps<Item>) {
  const { items, keyOf, columns, detail, address, sorted, onSort, total, onEnd } = props;
  const words = useWords(lists);
  const { density } = useDensity();
  const { common } = useText();
  const isPhone = useIsPhone();
  const spacing = spacingOf[density].spacing;
  const rowHeight = isPhone ? phoneRowHeight : spacingOf[density].rowHeight;
  const parts = isPhone ? phoneRow(columns, common) : undefined;
  const shown = parts === undefined ? columns : [parts.main, ...parts.facts, ...parts.rest];
  const opens = detail !== undefined || (parts !== undefined && parts.rest.length > 0);
  /** The opened row of a list whose rows are not in the address. */
  const [opened, setOpened] = useState<string>();
  const body = useRef<HTMLTableSectionElement>(null);
  const [margin, setMargin] = useState(0);
  const [focused, setFocused] = useState<number>();
  /** The index of the row to which a key moves the focus. It is set until the row is in the document. */
  const movingTo = useRef<number>(undefined);

  const sorting: SortingState = sorted === undefined ? [] : [{ id: sorted.name, desc: sorted.isDescending }];
  const lines = useMemo(() => items.map((item) => ({ item })), [items]);
  const definitions = useMemo(() => definitionsOf(columns), [columns]);
  const table = useTable({
    features,
    data: lines,
    columns: definitions,
    getRowId: ({ item }) => rowId(keyOf(item)),
    state: { sorting },
  });
  const rows = table.getRowModel().rows;

  const width = columns.length + (opens ? 1 : 0);
  const isAll = rows.length <= allUpTo;
  const isShort = rows.length <= shortUpTo;
  const rowsShown = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (place) => rows[place]?.id ?? place,
    overscan: isAll ? rows.length : overscan,
    scrollMargin: margin,
    scrollPaddingStart: stickyAt + rowHeight,
    // The row with the focus stays in the document, wherever the page is scrolled to. Without this row, a key press
    // would have no row to start from.
    rangeExtractor: (range) => withPlace(defaultRangeExtractor(range), focused, rows.length),
  });
  const virtual = isAll && rowsShown.getVirtualItems().length < rows.length ? undefined : rowsShown.getVirtualItems();

  // Content above the table can change its height without a render of this component. The component renders again when
  // the user scrolls.
  useLayoutEffect(() => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(top - margin) > 1) setMargin(top);
  });

  const lastVisible = rowsShown.range?.endIndex;
  const isAtEnd = lastVisible !== undefined && lastVisible + overscan >= rows.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);

  const selected = address === undefined ? opened : address.selected;
  const selectedPlace = selected === undefined ? -1 : rows.findIndex(({ id }) => id === selected);
  // A link to a row scrolls to this row, but only once.
  const wasLed = useRef(false);
  useEffect(() => {
    if (wasLed.current || selectedPlace < 0) return;
    wasLed.current = true;
    if (selectedPlace > 5) rowsShown.scrollToIndex(selectedPlace, { align: 'center' });
  }, [selectedPlace, rowsShown]);

  useEffect(() => {
    // An effect of an earlier drawing may run after the key was pressed.
    if (focused === undefined || movingTo.current !== focused) return;
    const row = body.current?.querySelector<HTMLElement>(`tr[data-index="${focused}"]`);
    if (row === null || row === undefined) return;
    movingTo.current = undefined;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  });

  const select = (key: string) => (address?.select ?? setOpened)(selected === key ? undefined : key);

  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const row = event.target as HTMLElement;
    // Keys that are pressed in a field or on a button are for that field or button.
    if (row.tagName !== 'TR' || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = Number(row.dataset.index);
    const to = movedTo(event.key, place, rows.length);
    if (to !== undefined) {
      event.preventDefault();
      if (to === place) return;
      movingTo.current = to;
      setFocused(to);
      if (!isAll) rowsShown.scrollToIndex(to, { align: 'auto' });
    } else if (event.key === 'Enter') {
      row.querySelector<HTMLElement>('a[href]')?.click();
    } else if (event.key === ' ') {
      event.preventDefault();
      select(rows[place]?.id ?? '');
    } else if (event.key === 'Escape') {
      address?.select(undefined);
    }
  };

  const first = focused ?? Math.max(0, selectedPlace);
  const line = (place: number) => {
    const row = rows[place];
    if (row === undefined) return null;
    return (
      <DataRow
        key={row.id}
        item={row.original.item}
        place={place}
        columns={columns}
        parts={parts}
        isSelected={place === selectedPlace}
        opens={opens}
        tabIndex={address === undefined ? undefined : place === first ? 0 : -1}
        measure={rowsShown.measureElement}
        onSelect={() => select(row.id)}
        onFocus={() => setFocused(place)}
      />
    );
  };
  const detailOf = (place: number) => {
    const row = rows[place];
    if (detail === undefined || place !== selectedPlace || row === undefined) return null;
    return (
      <Table.Tr key={`${row.id} detail`} className="list-detail">
        <Table.Td colSpan={width}>{detail(row.original.item)}</Table.Td>
      </Table.Tr>
    );
  };
  // This is one flat list of lines with keys. In nested lists, React would create a row again when its place changes,
  // and the row would lose the focus.
  const drawn = virtual === undefined ? rows.flatMap((_, place) => [line(place), detailOf(place)]) : linesOf(virtual);

  /** Returns the rows near the visible part. Empty rows of the same height replace the others. */
  function linesOf(shown: readonly VirtualItem[]): ReactNode[] {
    let end = margin;
    const lines: ReactNode[] = shown.flatMap((item) => {
      const gap = item.start - end;
      end = item.end;
      return [
        gap > 0 && <Gap key={`gap ${item.key}`} height={gap} columns={width} />,
        line(item.index),
        detailOf(item.index),
      ];
    });
    const rest = rowsShown.getTotalSize() + margin - end;
    if (rest > 0) lines.push(<Gap key="rest" height={rest} columns={width} />);
    return lines;
  }

  return (
    <Table
      className="list"
      highlightOnHover
      highlightOnHoverColor="var(--mantine-color-default-hover)"
      verticalSpacing={spacing}
      {...(!isShort && { stickyHeader: true, stickyHeaderOffset: stickyAt })}
      aria-rowcount={total === undefined ? -1 : total + 1}
    >
      <Table.Thead>
        <Table.Tr aria-rowindex={1}>
          {shown.map((column) => (
            <HeaderCell key={column.title} column={column} sorted={sorted} onSort={onSort} />
          ))}
          {opens && (
            <Table.Th>
              <VisuallyHidden>{words.details}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body} onKeyDown={onKeyDown}>
        {drawn}
      </Table.Tbody>
      {selectedPlace >= 0 && (
        <caption>
          <VisuallyHidden>
            {words.selected}: {selectedPlace + 1}
          </VisuallyHidden>
        </caption>
      )}
    </Table>
  );
}

function withPlace(places: readonly number[], place: number | undefined, count: number): number[] {
  if (place === undefined || place >= count || places.includes(place)) return [...places];
  return [...places, place].sort((one, other) => one - other);
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} />
    </tr>
  );
}
