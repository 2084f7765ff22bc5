import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { List } from '../ui/list.tsx';
import { Page, useBrand } from '../ui/page.tsx';
import { To } from '../ui/to.tsx';
import { Moment } from '../ui/values.tsx';
import { usePlayerColumns } from './player-columns.ts';
import { PlayerLink } from './player-link.tsx';

/** Milliseconds without typing after which a search starts. */
const typingMs = 150;

/**
 * All players, sorted by id. If the user types a text, the page shows only players whose id, name, e-mail or phone
 * number matches it.
 */
export function Players() {
  const brand = useBrand();
  const { players, common } = useText();
  const columns = usePlayerColumns();
  const navigate = useNavigate();
  // The search is kept in the state of the history entry, not in the address. It may be an e-mail or a name, and
  // addresses reach logs and other people.
  const search = useLocation({ select: ({ state }) => state.playerSearch ?? '' });
  const seek = useDebouncedCallback(
    (typed: string) => void navigate({ to: '.', search: {}, state: { playerSearch: typed.trim() }, replace: true }),
    typingMs,
  );
  return (
    <Page
      title={players.title}
      about={players.begin}
      actions={
        <To to="live" search={{ view: 'players' }}>
          {players.toLive}
        </To>
      }
    >
      <TextInput
        aria-label={players.placeholder}
        placeholder={players.placeholder}
        leftSection={<IconSearch size={18} aria-hidden />}
        autoFocus
        defaultValue={search}
        onChange={(event) => seek(event.currentTarget.value)}
      />
      <List
        name={[brand, 'players', search]}
        read={(cursor) =>
          bodyOf(
            api.POST('/api/console/v1/brands/{brand}/players/find', {
              params: { path: { brand } },
              body: { search, ...(cursor && { cursor }) },
            }),
          )
        }
        keyOf={({ player_id }) => player_id}
        empty={search === '' ? players.none : players.nobody}
        columns={[
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          columns.name,
          { title: players.email, show: ({ email }) => email ?? common.none },
          columns.country,
          { title: players.since, show: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </Page>
  );
}
