import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconRoute, IconSearch, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { campaignsQuery, segmentsQuery } from '../api/queries.ts';
import { places } from '../text/places.ts';
import { useText, useWords } from '../text/text.tsx';
import { useOpenSections } from './places.ts';

const iconSize = 18;
const mostPlayers = 6;

/** Ctrl+K: pages, segments, campaigns, and players by the beginning of their id or e-mail. */
export function CommandPalette({ brand }: { brand: string }) {
  const text = useText();
  const names = useWords(places);
  const sections = useOpenSections();
  const navigate = useNavigate();
  const [asked, setAsked] = useState('');
  const players = useQuery({
    queryKey: [brand, 'palette', asked],
    enabled: asked.length >= 2,
    queryFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/players/find', {
          params: { path: { brand } },
          body: { search: asked, limit: mostPlayers },
        }),
      ),
  });
  const segments = useQuery(segmentsQuery(brand));
  const campaigns = useQuery(campaignsQuery(brand));
  const actions: SpotlightActionData[] = [
    ...(['now', 'players', 'segments', 'campaigns'] as const).map((page) => ({
      id: page,
      label: text.nav[page],
      onClick: () => void navigate({ to: `/$brand/${page}`, params: { brand } }),
      leftSection: <IconSearch size={iconSize} />,
    })),
    ...sections.flatMap(([section, pages]) =>
      pages.map((page) => ({
        id: `${section}/${page}`,
        label: names.pages[page],
        description: names[section],
        onClick: () => void navigate({ to: `/${brand}/${section}/${page}` as '/' }),
        leftSection: <IconSearch size={iconSize} />,
      })),
    ),
    ...(players.data?.items ?? []).map(({ user_id, email }) => ({
      id: `player ${user_id}`,
      label: user_id,
      description: email ?? '',
      keywords: asked,
      onClick: () => void navigate({ to: '/$brand/players/$userId', params: { brand, userId: user_id } }),
      leftSection: <IconUser size={iconSize} />,
    })),
    ...(segments.data?.items ?? []).map(({ code, name, sentence }) => ({
      id: `segment ${code}`,
      label: name,
      description: sentence,
      onClick: () => void navigate({ to: '/$brand/segments/$code', params: { brand, code } }),
      leftSection: <IconUsersGroup size={iconSize} />,
    })),
    ...(campaigns.data?.items ?? []).map(({ code, name }) => ({
      id: `campaign ${code}`,
      label: name,
      onClick: () => void navigate({ to: '/$brand/campaigns/$code', params: { brand, code } }),
      leftSection: <IconRoute size={iconSize} />,
    })),
  ];
  return (
    <Spotlight
      actions={actions}
      query={asked}
      onQueryChange={setAsked}
      limit={12}
      shortcut="mod + K"
      searchProps={{ placeholder: text.nav.search, leftSection: <IconSearch size={iconSize} /> }}
      nothingFound={text.players.nobody}
    />
  );
}
