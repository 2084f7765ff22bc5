import { Anchor, Stack, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { List } from '../ui/list.tsx';
import { Empty } from '../ui/states.tsx';
import { Moment } from '../ui/values.tsx';

/** Milliseconds of silence after which a search begins. */
const typingMs = 150;

export function Players() {
  const { brand } = useParams({ from: '/$brand' });
  const { players, common } = useText();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), typingMs);
  return (
    <Stack>
      <Title order={2}>{players.title}</Title>
      <TextInput
        aria-label={players.placeholder}
        placeholder={players.placeholder}
        leftSection={<IconSearch size={18} aria-hidden />}
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {search === '' ? (
        <Empty>{players.begin}</Empty>
      ) : (
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
          empty={players.nobody}
          columns={[
            { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
            { title: common.name, show: (one) => [one.first_name, one.last_name].filter(Boolean).join(' ') },
            { title: players.email, show: ({ email }) => email ?? common.none },
            { title: players.country, show: ({ country }) => country ?? common.none },
            { title: players.since, show: ({ created_at }) => <Moment at={created_at} /> },
          ]}
        />
      )}
    </Stack>
  );
}

/** @param userId null: the player was erased. */
export function PlayerLink({ brand, userId }: { brand: string; userId: string | null }) {
  if (userId === null) return <>–</>;
  return (
    <Anchor component={Link} to={`/${brand}/players/${encodeURIComponent(userId)}`}>
      {userId}
    </Anchor>
  );
}
