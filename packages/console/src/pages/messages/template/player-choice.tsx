import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { useBrand } from '../../../ui/page.tsx';

interface PlayerChoiceProps {
  value: string | null;
  /** The language of the template that this player gets. */
  reads?: string;
  onChange(userId: string | null): void;
}

const mostPlayers = 12;
const restMs = 200;

/** What the platform returns instead of a name that the role may not see. */
const masked = '***';

/** Chooses the player for whom the message is previewed. By default, it is the first player of the brand. */
export function PlayerChoice({ value, reads, onChange }: PlayerChoiceProps) {
  const brand = useBrand();
  const words = useWords(messages).preview;
  const [asked, setAsked] = useState('');
  const [search] = useDebouncedValue(asked, restMs);
  const players = useQuery({
    queryKey: [brand, 'preview-players', search],
    queryFn: () =>
      bodyOf(
        search === ''
          ? api.GET('/api/console/v1/brands/{brand}/players', {
              params: { path: { brand }, query: { limit: mostPlayers } },
            })
          : api.POST('/api/console/v1/brands/{brand}/players/find', {
              params: { path: { brand } },
              body: { search, limit: mostPlayers },
            }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const found = players.data?.items ?? [];
  const first = found[0]?.user_id;
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || first === undefined) return;
    isBegun.current = true;
    onChange(first);
  }, [first, onChange]);
  const data = found.map(({ user_id, first_name, last_name }) => ({
    value: user_id,
    label: [user_id, first_name, last_name].filter((part) => part && part !== masked).join(' '),
  }));
  const isListed = value === null || data.some((one) => one.value === value);
  return (
    <Select
      size="xs"
      w={260}
      label={reads === undefined ? words.player : `${words.player} (${words.reads(reads)})`}
      placeholder={words.nobody}
      searchable
      clearable
      nothingFoundMessage={<Text size="sm">{words.findPlayer}</Text>}
      // No filter is needed here, because the platform has already searched.
      filter={({ options }) => options}
      data={isListed ? data : [...data, { value, label: value }]}
      value={value}
      onChange={onChange}
      // When the user chooses a player, the label of the player is written into the field.
      onSearchChange={(text) => setAsked(data.find(({ label }) => label === text)?.value ?? text)}
    />
  );
}
