import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { DataList } from '../../ui/data-list/data-list.tsx';
import { Choice, Day, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/values.tsx';
import { eventKinds } from '../integration/event-words.ts';
import { detailsOf } from './named-link.ts';
import { namedLinkOf } from './named-link-of.tsx';
import { Cause, hasCause, Line } from './timeline-line.tsx';
import { besideKinds, timelineList } from './timeline-list.ts';
import { entryKey, type TimelineEntry } from './timeline-words.ts';

const refreshMs = 2_000;
const kinds = [...besideKinds, ...eventKinds] as const;

/** Everything that happened to a player, in one list. The newest entry comes first, and each entry has its cause. */
export function Timeline({ brand, userId }: { brand: string; userId: string }) {
  const { timeline: words } = useWords(playerPage);
  const { common } = useText();
  const { filters } = useFilters();
  const kind = kinds.find((each) => each === filters.kind);
  const query = {
    ...(kind && { kind }),
    ...(filters.from && { from: filters.from }),
    ...(filters.to && { to: filters.to }),
  };
  return (
    <Stack>
      <FilterBar keeps={['tab']}>
        <Choice name="kind" label={words.kind} of={kinds} />
        <Day name="from" label={words.from} edge="start" />
        <Day name="to" label={words.to} edge="end" />
      </FilterBar>
      <List
        {...timelineList(brand, userId, query)}
        keyOf={(entry) => entryKey(entry as TimelineEntry)}
        refreshMs={refreshMs}
        empty={words.none}
        detail={(entry) => <Detail brand={brand} entry={entry as TimelineEntry} />}
        columns={[
          { title: common.when, show: ({ at }) => <Moment at={at} /> },
          { title: common.what, show: (entry) => <Line entry={entry as TimelineEntry} userId={userId} /> },
          {
            title: words.causedBy,
            show: (entry) =>
              hasCause(entry as TimelineEntry, userId) ? (
                <Cause entry={entry as TimelineEntry} userId={userId} />
              ) : (
                common.none
              ),
          },
        ]}
      />
    </Stack>
  );
}

/** Shows the body of an event as the operator sent it. For other entries, it shows the platform's data. */
function Detail({ brand, entry }: { brand: string; entry: TimelineEntry }) {
  const position = entry.type === 'event' ? String(entry.position) : undefined;
  const event = useQuery({
    queryKey: [brand, 'feed', 'one', position],
    enabled: position !== undefined,
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/feed/{position}', {
          params: { path: { brand, position: position ?? '' } },
        }),
      ),
  });
  if (position !== undefined && event.isPending) return <Loading />;
  if (event.isLoadingError) return <Failed error={event.error} onRetry={() => event.refetch()} />;
  if (event.data !== undefined) return <pre className="body">{JSON.stringify(event.data.body, null, 2)}</pre>;
  return <DataList of={detailsOf(entry)} linkOf={namedLinkOf} isWhole />;
}
