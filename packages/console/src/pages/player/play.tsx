import { Stack, Title } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { Moment, useDuration, useNumber } from '../../ui/values.tsx';
import type { OfPlayer } from './of-player.ts';
import { useRoundColumns } from './round-columns.tsx';
import { RoundDetail } from './round-detail.tsx';

const refreshMs = 4_000;
const statuses = ['open', 'closed', 'void', 'unplayed'] as const;

/** Casino rounds, and the sessions that contain them. */
export function Play({ brand, userId: user_id }: OfPlayer) {
  const { rounds: words } = useWords(playerPage);
  const { common } = useText();
  const nameOf = useCode();
  const number = useNumber();
  const duration = useDuration();
  const roundColumns = useRoundColumns();
  const { filters } = useFilters();
  const status = statuses.find((each) => each === filters.status);
  const path = { brand, user_id };
  return (
    <Stack>
      <Title order={3} size="h5">
        {words.sessions}
      </Title>
      <List
        scope="sessions"
        name={[brand, 'player', user_id, 'sessions']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/players/{user_id}/sessions', {
              params: { path, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ scope, started_at, game_id }) => [scope, started_at, game_id].join(' ')}
        empty={words.noSessions}
        columns={[
          { title: common.when, show: ({ started_at }) => <Moment at={started_at} /> },
          {
            title: words.scope,
            show: ({ scope, game_name, game_id }) => (scope === 'play' ? nameOf(scope) : (game_name ?? game_id ?? '')),
          },
          { title: words.length, align: 'right', show: ({ seconds }) => duration(seconds) },
          { title: words.count, align: 'right', show: ({ round_count }) => number(round_count) },
          { title: words.bet, align: 'right', show: ({ bet_sum }) => <Money of={bet_sum} /> },
          { title: words.win, align: 'right', show: ({ win_sum }) => <Money of={win_sum} /> },
        ]}
      />
      <Title order={3} size="h5">
        {words.title}
      </Title>
      <FilterBar keeps={['tab']}>
        <Choice name="status" label={common.state} of={statuses} />
      </FilterBar>
      <List
        name={[brand, 'player', user_id, 'rounds', status]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/players/{user_id}/rounds', {
              params: { path, query: { ...(status && { status }), ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ vendor_id, game_id, round_id, first_at }) => [vendor_id, game_id, round_id, first_at].join(' ')}
        empty={words.none}
        detail={(round) => <RoundDetail round={round} />}
        columns={[{ title: common.when, show: ({ first_at }) => <Moment at={first_at} /> }, ...roundColumns]}
      />
    </Stack>
  );
}
