import { Button, Center, Group, Loader, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { every } from '../api/live.ts';
import { headKey, type Listed, type Page, pagesQuery } from '../api/pages.ts';
import { lists } from '../text/lists.ts';
import { useWords } from '../text/text.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import type { Column } from './table/column.ts';
import { DataTable } from './table/data-table.tsx';
import { type SortedBy, useListAddress } from './table/list-address.ts';
import { mergeHead, withoutRepeats } from './table/merge-head.ts';
import { rowId } from './table/row-id.ts';
import { useNumber } from './values.tsx';

export type { Column } from './table/column.ts';

export interface ListProps<Item> extends Listed<Item> {
  keyOf(item: Item): string | number;
  columns: readonly Column<NoInfer<Item>>[];
  /** Shown if the list is empty: the reason, and what to do then. */
  empty: ReactNode;
  /** Shown below the selected row. */
  detail?: (item: Item) => ReactNode;
  /**
   * Milliseconds between two reads. If it is omitted, the list is read again only after the platform reports a change.
   */
  refreshMs?: number;
  /** Distinguishes the lists of one page in its address. */
  scope?: string;
  /** If true, new rows are inserted automatically while the page is not scrolled and no row is selected. */
  isFollowing?: boolean;
  /** The key of the latest change of a row, for lists in which a changed row moves to the top. */
  newsOf?: (item: Item) => string | number;
}

/**
 * If a page has no row, the next page is loaded automatically, up to this many times. The platform may have to search a
 * long history for a rare entry.
 */
const mostEmptyPages = 5;
/** Number of pages that are searched for the row in the address. A button searches the same number of further pages. */
const pagesToSelected = 5;

/**
 * A list of the console API. It loads more pages while the user scrolls.
 *
 * When the platform reports a change, the first page is read again. Rows on the screen are updated in place. New rows
 * appear only when the user presses a button, so nothing moves under the pointer. An empty list is filled
 * automatically.
 */
export function List<Item>(props: ListProps<Item>) {
  const { name, read, keyOf, columns, empty, detail, refreshMs, scope = '', isFollowing = false, newsOf } = props;
  const words = useWords(lists);
  const number = useNumber();
  const queries = useQueryClient();
  const address = useListAddress(scope);
  const [isSearchingOn, setSearchingOn] = useState(false);
  /** The row for which the user pressed the button to search further, and the number of pages to search for it. */
  const [sought, setSought] = useState<{ row: string | undefined; pages: number }>();
  const pagesOptions = pagesQuery({ name, read });
  const pages = useInfiniteQuery(pagesOptions);
  const head = useQuery({
    queryKey: headKey(name),
    queryFn: () => read(undefined),
    enabled: pages.isSuccess,
    ...(refreshMs !== undefined && { refetchInterval: every(refreshMs) }),
  });
  const loaded = pages.data?.pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function that identifies a row does not change
  const shown = useMemo(() => withoutRepeats(loaded?.flatMap(({ items }) => items) ?? [], keyOf), [loaded]);
  const { rows, fresh, isMore } = mergeHead(shown, head.data, { keyOf, newsOf });

  const adopt = () => {
    const first = head.data;
    if (first === undefined) return;
    queries.setQueryData(pagesOptions.queryKey, {
      pages: [first],
      pageParams: [undefined],
    });
  };
  const isSelected = (item: Item) => rowId(keyOf(item)) === address.selected;
  const isSought = address.selected !== undefined && !rows.some(isSelected);
  const isFollowed = isFollowing && window.scrollY === 0 && address.selected === undefined;
  const isTaken =
    fresh > 0 && (rows.length === 0 || isFollowed || (isSought && (head.data?.items.some(isSelected) ?? false)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the current first page is needed
  useEffect(() => {
    if (isTaken) adopt();
  }, [isTaken, head.data]);

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const emptyAtEnd = emptyPagesAtEnd(pages.data?.pages ?? []);
  const stops = isFetchNextPageError || (emptyAtEnd > 0 && emptyAtEnd % mostEmptyPages === 0 && !isSearchingOn);
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !stops) {
      setSearchingOn(false);
      void fetchNextPage();
    }
  }, [hasNextPage, isFetchingNextPage, stops, fetchNextPage]);

  const pageCount = pages.data?.pages.length ?? 0;
  const mostPages = sought !== undefined && sought.row === address.selected ? sought.pages : pagesToSelected;
  const isEmptyButGoesOn = rows.length === 0 && hasNextPage;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new page is handled once
  useEffect(() => {
    if ((isSought && pageCount < mostPages) || isEmptyButGoesOn) onEnd();
  }, [pageCount, isSought, isEmptyButGoesOn]);

  if (pages.isPending) return <Loading />;
  if (pages.isError && pages.data === undefined) return <Failed error={pages.error} onRetry={() => pages.refetch()} />;
  const searchOn = () => {
    setSearchingOn(true);
    setSought({ row: address.selected, pages: pageCount + pagesToSelected });
    void fetchNextPage();
  };
  if (rows.length === 0) {
    if (isFetchingNextPage) return <Loading />;
    if (!hasNextPage) return typeof empty === 'string' ? <Empty>{empty}</Empty> : empty;
    return (
      <Empty>
        {words.searched} <MoreButton label={words.searchOn} onMore={searchOn} />
      </Empty>
    );
  }
  const isWhole = !hasNextPage;
  const isStopped = stops && !isWhole && !isFetchingNextPage && !isFetchNextPageError;
  const isMissing = isSought && !isTaken && !isFetchingNextPage && (isWhole || isStopped || pageCount >= mostPages);
  // Only a list that is loaded completely can be sorted. It would be wrong to sort only the loaded rows.
  const sortable = isWhole && { sorted: address.sorted, onSort: address.sort };
  return (
    <div>
      {isMissing && (
        <Group gap="sm" mb="xs" role="status">
          <Text size="sm">{isWhole ? words.notInList : words.notLoaded(number(rows.length))}</Text>
          {!isWhole && <MoreButton label={words.searchOn} onMore={searchOn} />}
        </Group>
      )}
      {fresh > 0 && !isTaken && (
        <div className="list-fresh">
          <Button
            size="compact-sm"
            radius="xl"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            title={words.freshHint}
            onClick={() => {
              adopt();
              window.scrollTo({ top: 0 });
            }}
          >
            {words.fresh(`${number(fresh)}${isMore ? '+' : ''}`)}
          </Button>
        </div>
      )}
      <DataTable
        items={rows}
        keyOf={keyOf}
        columns={columns}
        detail={detail}
        address={address}
        {...sortable}
        total={isWhole ? rows.length : undefined}
        onEnd={onEnd}
      />
      <Group justify="center" mt="xs" gap="sm" role="status">
        <Text size="xs" c="dimmed">
          {isWhole ? words.whole(number(rows.length), rows.length === 1) : words.part(number(rows.length))}
          {fresh > 0 && !isTaken && `, ${words.fresh(number(fresh))}`}
        </Text>
        {isFetchingNextPage && <Loader size="xs" />}
      </Group>
      {isFetchNextPageError && pages.error !== null && <Failed error={pages.error} onRetry={() => fetchNextPage()} />}
      {isStopped && !isMissing && (
        <Center>
          <MoreButton label={words.searchOn} onMore={searchOn} />
        </Center>
      )}
    </div>
  );
}

function MoreButton({ label, onMore }: { label: string; onMore(): void }) {
  return (
    <Button variant="light" size="compact-sm" onClick={onMore}>
      {label}
    </Button>
  );
}

const emptyPagesAtEnd = (pages: readonly Page<unknown>[]): number =>
  pages.length - 1 - pages.findLastIndex(({ items }) => items.length > 0);

interface RowsProps<Item> extends Pick<ListProps<Item>, 'keyOf' | 'columns' | 'detail'> {
  items: readonly Item[];
  /**
   * Identifies the table in the address of its page. If it is omitted, rows cannot be selected, and the order is not
   * kept.
   */
  scope?: string;
}

/** A table whose rows are all loaded. */
export function Rows<Item>(props: RowsProps<Item>) {
  return props.scope === undefined ? <RowsHere {...props} /> : <RowsInAddress {...props} scope={props.scope} />;
}

function RowsInAddress<Item>({ scope, items, ...table }: RowsProps<Item> & { scope: string }) {
  const address = useListAddress(scope);
  return (
    <DataTable
      {...table}
      items={items}
      total={items.length}
      address={address}
      sorted={address.sorted}
      onSort={address.sort}
    />
  );
}

function RowsHere<Item>({ items, ...table }: RowsProps<Item>) {
  const [sorted, setSorted] = useState<SortedBy>();
  return <DataTable {...table} items={items} total={items.length} sorted={sorted} onSort={setSorted} />;
}
