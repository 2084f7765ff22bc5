import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconRoute, IconSearch, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { searchPauseMs } from '../api/named.ts';
import { segmentsIn, withSegmentNames } from '../rule-builder/segment-names.ts';
import { palette as paletteWords } from '../text/palette.ts';
import { places } from '../text/places.ts';
import { useLanguage, useText, useWords } from '../text/text.tsx';
import { useNames } from '../ui/named/use-names.ts';
import { useOpenSections } from './places.ts';
import { usePaletteActions } from './use-palette-actions.tsx';

const iconSize = 18;
/** Maximum number of players, of segments and of campaigns that the palette shows. */
const mostFound = 6;
const [store, palette] = createSpotlight();
const listId = 'palette-list';

export const openPalette: () => void = palette.open;

/**
 * The palette that Ctrl+K opens. It finds actions and pages. The platform finds segments and campaigns by a part of
 * their name or code, and players in the same way as the page of players.
 */
export function CommandPalette({ brand }: { brand: string }) {
  const text = useText();
  const words = useWords(paletteWords);
  const names = useWords(places);
  const sections = useOpenSections();
  const navigate = useNavigate();
  const { language } = useLanguage();
  const [asked, setAsked] = useState('');
  const [searched] = useDebouncedValue(asked.trim(), searchPauseMs);
  const path = { brand };
  const players = useQuery({
    queryKey: [brand, 'palette', searched],
    enabled: searched.length >= 2,
    queryFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/players/find', {
          params: { path },
          body: { search: searched, limit: mostFound },
        }),
      ),
  });
  const isSearched = searched !== '';
  const query = { name: searched, limit: mostFound };
  const segments = useQuery({
    queryKey: [brand, 'palette', searched, 'segments'],
    enabled: isSearched,
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/segments', { params: { path, query } })),
  });
  const campaigns = useQuery({
    queryKey: [brand, 'palette', searched, 'campaigns'],
    enabled: isSearched,
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/campaigns', { params: { path, query } })),
  });
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
  const found = (players.data?.items ?? []).map(({ user_id, first_name, last_name, email }) => ({
    id: `player ${user_id}`,
    label: user_id,
    description: [[first_name, last_name].filter(Boolean).join(' '), email].filter(Boolean).join(' · '),
    keywords: searched,
    onClick: () => void navigate({ to: '/$brand/players/$userId', params: { brand, userId: user_id } }),
    leftSection: <IconUser size={iconSize} />,
  }));
  const naming = useNames(
    (segments.data?.items ?? []).flatMap(({ rule }) => segmentsIn(rule)).map((segment) => ({ segment })),
  );
  const ofSegments = (segments.data?.items ?? []).map(({ code, name, sentence }) => ({
    id: `segment ${code}`,
    label: name,
    // The platform also finds a segment by its code, which the label does not contain.
    keywords: searched,
    // The platform's sentences are English. A German sentence would need the catalog of fields, which is too large to
    // load for this.
    ...(language === 'en' && { description: withSegmentNames(sentence, language, (segment) => naming({ segment })) }),
    onClick: () => void navigate({ to: '/$brand/segments/$code', params: { brand, code } }),
    leftSection: <IconUsersGroup size={iconSize} />,
  }));
  const ofCampaigns = (campaigns.data?.items ?? []).map(({ code, name }) => ({
    id: `campaign ${code}`,
    label: name,
    keywords: searched,
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
  // Without a search text, the actions come first. With one, they come last, because the user mostly looks for a
  // player, a segment or a campaign.
  const groups: SpotlightActionGroupData[] = asked === '' ? [toDo, ofPages, ...known] : [...known, ofPages, toDo];
  const isLoading = asked.trim() !== searched || players.isFetching || segments.isFetching || campaigns.isFetching;
  const onKeyDown = useFirstAction(asked, isLoading);
  const open = () => {
    // Spotlight also clears the text when it opens. But if it was closed only a moment before, it does not detect that
    // it opens.
    setAsked('');
    openPalette();
  };
  // The palette also opens from input fields. Its own input field keeps the focus while the palette closes.
  useHotkeys([['mod+K', open]], [], true);
  return (
    <Spotlight
      store={store}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={asked}
      onQueryChange={setAsked}
      limit={12}
      shortcut={null}
      onSpotlightOpen={() => setAsked('')}
      scrollAreaProps={{ id: listId }}
      searchProps={{ placeholder: text.nav.search, leftSection: <IconSearch size={iconSize} />, onKeyDown }}
      nothingFound={words.none}
    />
  );
}

/**
 * Selects the first action found. Spotlight selects one only when the text changes, so it selects nothing if the
 * actions arrive later. If the user presses Enter before an action is found, the first action runs as soon as it
 * arrives.
 *
 * @returns the handler of the keys pressed in the search field
 */
function useFirstAction(asked: string, isLoading: boolean): (event: KeyboardEvent) => void {
  /** The text with which Enter was pressed too early. */
  const entered = useRef('');
  useEffect(() => {
    if (asked === '') return;
    const list = document.getElementById(listId);
    const first = list?.querySelector<HTMLElement>('[data-action]');
    if (list && first && list.querySelector('[data-selected]') === null) {
      first.setAttribute('data-selected', 'true');
      store.updateState((state) => ({ ...state, selected: 0 }));
    }
    const isAwaited = entered.current === asked;
    if (!isAwaited || first || !isLoading) entered.current = '';
    if (isAwaited) first?.click();
  });
  return (event) => {
    const isFound = document.getElementById(listId) !== null;
    if (event.key === 'Enter' && !isFound && isLoading) entered.current = asked;
  };
}
