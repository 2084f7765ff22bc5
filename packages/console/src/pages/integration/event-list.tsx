import { Stack } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, Day, FilterBar, useFilters, Words } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useBrand } from '../../ui/page.tsx';
import { PlayerFilter } from '../../ui/player-filter.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State, useDelay } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { eventKinds, verdicts } from './event-words.ts';

const refreshMs = 2_000;
const pageSize = 50;

interface EventListProps {
  empty: string;
  isFollowing?: boolean;
}

/**
 * Every accepted event, newest first. If it is filtered by a player, it lists everything that the operator reported
 * about this player.
 */
export function EventList({ empty, isFollowing = false }: EventListProps) {
  const brand = useBrand();
  const { inspector: words } = useWords(integration);
  const nameOf = useCode();
  const { common } = useText();
  const delayText = useDelay();
  const {
    filters: { view: _, ...filters },
  } = useFilters();
  return (
    <Stack>
      <FilterBar keeps={['view']} isNarrow>
        <Choice name="kind" label={words.kind} of={eventKinds} />
        <Choice name="verdict" label={words.verdict} of={verdicts} />
        <PlayerFilter />
        <Words name="origin" label={words.origin} />
        <Day name="from" label={words.from} edge="start" />
        <Day name="to" label={words.to} edge="end" />
      </FilterBar>
      <List
        name={[brand, 'feed', filters]}
        refreshMs={refreshMs}
        isFollowing={isFollowing}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/feed', {
              params: { path: { brand }, query: { ...filters, limit: pageSize, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ position }) => position}
        empty={empty}
        columns={[
          { title: words.received, show: ({ received_at }) => <Moment at={received_at} /> },
          {
            title: words.kind,
            show: ({ position, kind }) => (
              <span className="nowrap">
                <To to={`integration/inspector/${encodeURIComponent(position)}`}>{nameOf(kind)}</To>
              </span>
            ),
          },
          { title: words.summary, isMain: true, show: ({ summary }) => summary ?? common.none },
          {
            title: common.player,
            show: ({ user_id }) => (user_id === null ? common.none : <PlayerLink brand={brand} userId={user_id} />),
          },
          { title: words.verdict, show: ({ verdict }) => <State of={verdict} /> },
          {
            title: words.delay,
            align: 'right',
            show: ({ publish_delay_ms: delay }) => (delay === null ? common.none : delayText(delay)),
          },
        ]}
      />
    </Stack>
  );
}
