import { Switch, Tabs } from '@mantine/core';
import { useState } from 'react';
import { lists } from '../../text/lists.ts';
import { live } from '../../text/live.ts';
import { useWords } from '../../text/text.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { TabRow } from '../../ui/tab-row.tsx';
import { LatestPlayers } from './latest-players.tsx';
import { LatestRounds } from './latest-rounds.tsx';
import { LiveEvents } from './live-events.tsx';

const views = { events: LiveEvents, players: LatestPlayers, rounds: LatestRounds } as const;
type View = keyof typeof views;

/** Shows the latest events, and their players and game rounds, as they arrive. */
export function Live() {
  const words = useWords(live);
  const { follow, followHint } = useWords(lists);
  const { filters, set } = useFilters();
  const [isFollowing, setFollowing] = useState(true);
  const view: View = filters.view !== undefined && filters.view in views ? (filters.view as View) : 'events';
  const Shown = views[view];
  const choose = (next: string | null) => set(next === null || next === 'events' ? {} : { view: next });
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Switch
          label={follow}
          title={followHint}
          checked={isFollowing}
          onChange={({ currentTarget }) => setFollowing(currentTarget.checked)}
        />
      }
    >
      <Tabs value={view} onChange={choose}>
        <TabRow
          tabs={(Object.keys(views) as View[]).map((value) => ({ value, label: words[value] }))}
          active={view}
          onChoose={choose}
        />
        <Tabs.Panel value={view} pt="md">
          <Shown isFollowing={isFollowing} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
