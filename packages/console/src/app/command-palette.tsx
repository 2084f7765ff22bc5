import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconRoute, IconSearch, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { campaignsQuery, segmentsQuery } from '../api/queries.ts';
import { palette } from '../text/palette.ts';
import { places } from '../text/places.ts';
import { useLanguage, useText, useWords } from '../text/text.tsx';
import { useOpenSections } from './places.ts';
import { usePaletteActions } from './use-palette-actions.tsx';

const iconSize = 18;
const mostPlayers = 6;

/** Ctrl+K: what can be done, pages, segments, campaigns, and players by the beginning of their id or e-mail. */
export function CommandPalette({ brand }: { brand: string }) {
  const text = useText();
  const words = useWords(palette);
  const names = useWords(places);
  const sections = useOpenSections();
  const navigate = useNavigate();
  const { language } = useLanguage();
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
  const pages = [
    ...(['now', 'live', 'players', 'segments', 'campaigns'] as const).map((page) => ({
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
  ];
  const found = (players.data?.items ?? []).map(({ user_id, email }) => ({
    id: `player ${user_id}`,
    label: user_id,
    description: email ?? '',
    keywords: asked,
    onClick: () => void navigate({ to: '/$brand/players/$userId', params: { brand, userId: user_id } }),
    leftSection: <IconUser size={iconSize} />,
  }));
  const ofSegments = (segments.data?.items ?? []).map(({ code, name, sentence }) => ({
    id: `segment ${code}`,
    label: name,
    // The platform's sentences are English; the German ones need the catalogue of fields, which is not worth loading here.
    ...(language === 'en' && { description: sentence }),
    onClick: () => void navigate({ to: '/$brand/segments/$code', params: { brand, code } }),
    leftSection: <IconUsersGroup size={iconSize} />,
  }));
  const ofCampaigns = (campaigns.data?.items ?? []).map(({ code, name }) => ({
    id: `campaign ${code}`,
    label: name,
    onClick: () => void navigate({ to: '/$brand/campaigns/$code', params: { brand, code } }),
    leftSection: <IconRoute size={iconSize} />,
  }));
  const ofPages = { group: words.pages, actions: pages };
  const toDo = { group: words.actions, actions: usePaletteActions(brand) };
  const known = [
    { group: words.players, actions: found },
    { group: words.segments, actions: ofSegments },
    { group: words.campaigns, actions: ofCampaigns },
  ];
  // Who has typed nothing sees what can be done; who searches most often wants a player, a segment or a campaign.
  const groups: SpotlightActionGroupData[] = asked === '' ? [toDo, ofPages, ...known] : [...known, ofPages, toDo];
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={asked}
      onQueryChange={setAsked}
      limit={12}
      shortcut="mod + K"
      searchProps={{ placeholder: text.nav.search, leftSection: <IconSearch size={iconSize} /> }}
      nothingFound={words.none}
    />
  );
}
