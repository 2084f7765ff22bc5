import { Stack } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { live } from '../../text/live.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Choice, FilterBar, useFilters, Words } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useBrand } from '../../ui/page.tsx';
import { PlayerFilter } from '../../ui/player-filter.tsx';
import { Moment } from '../../ui/values.tsx';
import { useRoundColumns } from '../player/round-columns.tsx';
import { RoundDetail } from '../player/round-detail.tsx';
import { PlayerLink } from '../player-link.tsx';

const refreshMs = 2_000;
/** Number of events on a page. The page lists the rounds of these events. */
const pageSize = 100;
const statuses = ['open', 'closed', 'void', 'unplayed'] as const;

/** Game rounds by their latest event, in their current state. */
export function LatestRounds({ isFollowing }: { isFollowing: boolean }) {
  const brand = useBrand();
  const words = useWords(live);
  const { common } = useText();
  const roundColumns = useRoundColumns();
  const {
    filters: { view: _, status, ...ids },
  } = useFilters();
  const query = { ...ids, ...(status && { status: status as (typeof statuses)[number] }) };
  return (
    <Stack>
      <FilterBar keeps={['view']}>
        <Choice name="status" label={words.status} of={statuses} />
        <PlayerFilter />
        <Words name="vendor_id" label={words.vendor} />
        <Words name="game_id" label={words.gameId} />
      </FilterBar>
      <List
        name={[brand, 'feed', 'rounds', query]}
        refreshMs={refreshMs}
        isFollowing={isFollowing}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/latest/rounds', {
              params: { path: { brand }, query: { ...query, limit: pageSize, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ player_id, vendor_id, game_id, round_id }) => [player_id, vendor_id, game_id, round_id].join(' ')}
        newsOf={({ position }) => position}
        empty={words.noRounds}
        detail={(round) => <RoundDetail round={round} />}
        columns={[
          { title: words.at, show: ({ received_at }) => <Moment at={received_at} /> },
          { title: common.player, isMain: true, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          ...roundColumns,
        ]}
      />
    </Stack>
  );
}
