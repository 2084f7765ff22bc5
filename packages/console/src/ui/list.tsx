import { Button, Center, Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { every } from '../api/live.ts';
import { useText } from '../text/text.tsx';
import { Empty, Failed, Loading } from './states.tsx';

export interface Column<Item> {
  title: string;
  show(item: Item): ReactNode;
  align?: 'right';
}

interface ListProps<Item> {
  /** Names what is listed; other pages of the same name share it. */
  name: readonly unknown[];
  read(cursor: string | undefined): Promise<{ items: Item[]; next: string | null }>;
  keyOf(item: Item): string | number;
  columns: readonly Column<Item>[];
  /** Why there may be nothing, and what to do then. */
  empty: string;
  /** Milliseconds; left out: the list is not read again by itself. */
  refreshMs?: number;
}

/** A list of the console API, page by page. */
export function List<Item>({ name, read, keyOf, columns, empty, refreshMs }: ListProps<Item>) {
  const { common } = useText();
  const list = useInfiniteQuery({
    queryKey: name,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    ...(refreshMs !== undefined && { refetchInterval: every(refreshMs) }),
  });
  if (list.isPending) return <Loading />;
  if (list.isError) return <Failed error={list.error} onRetry={() => list.refetch()} />;
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      <Rows items={items} keyOf={keyOf} columns={columns} />
      {list.hasNextPage && (
        <Center mt="md">
          <Button variant="light" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {common.more}
          </Button>
        </Center>
      )}
    </>
  );
}

interface RowsProps<Item> extends Pick<ListProps<Item>, 'keyOf' | 'columns'> {
  items: readonly Item[];
}

export function Rows<Item>({ items, keyOf, columns }: RowsProps<Item>) {
  return (
    <Table.ScrollContainer minWidth={500}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, align }) => (
              <Table.Th key={title} ta={align ?? 'left'}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={keyOf(item)}>
              {columns.map(({ title, show, align }) => (
                <Table.Td key={title} ta={align ?? 'left'}>
                  {show(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
