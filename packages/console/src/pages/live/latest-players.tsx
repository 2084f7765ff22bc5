import { Group, Stack } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { live } from '../../text/live.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, FilterBar, useFilters, Words } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { eventKinds } from '../integration/event-words.ts';
import { PlayerLink } from '../player-link.tsx';

const refreshMs = 2_000;
/** Number of events on a page. The page lists the players of these events. */
const pageSize = 100;

/** Players by their latest event. */
export function LatestPlayers({ isFollowing }: { isFollowing: boolean }) {
  const brand = useBrand();
  const words = useWords(live);
  const { common } = useText();
  const nameOf = useCode();
  const {
    filters: { kind, country },
  } = useFilters();
  const query = { ...(kind && { kind: kind as (typeof eventKinds)[number] }), ...(country && { country }) };
  return (
    <Stack>
      <FilterBar keeps={['view']}>
        <Choice name="kind" label={words.kind} of={eventKinds} />
        <Words name="country" label={words.country} />
      </FilterBar>
      <List
        name={[brand, 'feed', 'players', query]}
        refreshMs={refreshMs}
        isFollowing={isFollowing}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/latest/players', {
              params: { path: { brand }, query: { ...query, limit: pageSize, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ user_id }) => user_id}
        newsOf={({ position }) => position}
        empty={words.noPlayers}
        columns={[
          { title: words.at, show: ({ received_at }) => <Moment at={received_at} /> },
          {
            title: common.player,
            isMain: true,
            show: ({ user_id, excluded, blocked }) => (
              <Group gap="xs" wrap="nowrap">
                <PlayerLink brand={brand} userId={user_id} />
                {excluded && <State of="excluded" />}
                {blocked && <State of="blocked" />}
              </Group>
            ),
          },
          {
            title: common.name,
            show: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' ') || common.none,
          },
          { title: words.country, show: ({ country }) => country ?? common.none },
          {
            title: words.latest,
            show: ({ position, kind, summary }) => (
              <span className="timeline-line">
                <To to={`integration/inspector/${encodeURIComponent(position)}`}>{nameOf(kind)}</To> {summary}
              </span>
            ),
          },
        ]}
      />
    </Stack>
  );
}
