import { ActionIcon, Table } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { lists } from '../../text/lists.ts';
import { useText, useWords } from '../../text/text.tsx';
import type { Column } from './column.ts';
import type { PhoneRow } from './phone-row.ts';

interface DataRowProps<Item> {
  item: Item;
  /** Index of the row in the list. */
  place: number;
  columns: readonly Column<Item>[];
  /** How the columns are distributed on a phone. Undefined on larger screens. */
  parts: PhoneRow<Item> | undefined;
  isSelected: boolean;
  /** Whether the row has a button that opens it. */
  opens: boolean;
  /** Undefined if the rows of the list cannot be selected. */
  tabIndex: 0 | -1 | undefined;
  /** Measures the height of the row. */
  measure(row: Element | null): void;
  /** Selects the row, or closes it. */
  onSelect(): void;
  onFocus(): void;
}

/** One row of a table. A click on it selects it, except a click on its links, buttons and fields. */
export function DataRow<Item>(props: DataRowProps<Item>) {
  const { item, place, columns, parts, isSelected, opens, tabIndex, measure, onSelect, onFocus } = props;
  const words = useWords(lists);
  const { common } = useText();
  /** The titles of columns whose values are clear without a label. */
  const evident = [common.state, common.when, common.player, common.name, common.what];
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const isOfContent = (event.target as HTMLElement).closest('a, button, input, label, textarea, select, pre');
    if (isOfContent === null && window.getSelection()?.isCollapsed !== false) onSelect();
  };
  const cellOf = ({ title, show, align, isEvident }: Column<Item>, part?: 'main' | 'fact' | 'rest') => {
    const content = show(item);
    // A fact without a value is left out, because there is space for only a few facts.
    if (part === 'fact' && content === common.none) return null;
    return (
      <Table.Td
        key={title}
        data-label={title}
        {...(part !== undefined && { 'data-part': part })}
        {...((isEvident || evident.includes(title)) && { 'data-evident': true })}
        {...(align === 'right' && { className: 'figure-cell' })}
      >
        {content}
      </Table.Td>
    );
  };
  return (
    <Table.Tr
      ref={measure}
      data-index={place}
      aria-rowindex={place + 2}
      {...(tabIndex !== undefined && { tabIndex })}
      {...((tabIndex !== undefined || opens) && { onClick })}
      {...(isSelected && { 'aria-current': true })}
      className="list-row"
      onFocus={({ target, currentTarget }) => target === currentTarget && onFocus()}
    >
      {parts === undefined
        ? columns.map((column) => cellOf(column))
        : [
            cellOf(parts.main, 'main'),
            parts.facts.map((column) => cellOf(column, 'fact')),
            isSelected && parts.rest.map((column) => cellOf(column, 'rest')),
          ]}
      {opens && (
        <Table.Td w={40} data-part="open">
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-expanded={isSelected}
            aria-label={words.details}
            onClick={onSelect}
          >
            {isSelected ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          </ActionIcon>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
