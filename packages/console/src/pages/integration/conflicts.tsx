import { Stack, Tabs, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { TabRow } from '../../ui/tab-row.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { eventKinds } from './event-words.ts';

const refreshMs = 5_000;
const lists = ['conflicts', 'orphans'] as const;

/** Events that contradict earlier events, and events that end something that never began. */
export function Conflicts() {
  const { conflicts: words } = useWords(integration);
  const title = useWords(places).pages.conflicts;
  const { filters, change } = useFilters();
  const list = lists.find((one) => one === filters.list) ?? 'conflicts';
  const choose = (to: string | null) => change('list', to);
  return (
    <Page title={title} about={words.about}>
      <Tabs value={list} onChange={choose} keepMounted={false}>
        <TabRow tabs={lists.map((value) => ({ value, label: words[value] }))} active={list} onChoose={choose} />
        <Tabs.Panel value="conflicts" pt="md">
          <Contradicting list="conflicts" empty={words.noConflicts} />
        </Tabs.Panel>
        <Tabs.Panel value="orphans" pt="md">
          <Contradicting list="orphans" empty={words.noOrphans} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Contradicting({ list, empty }: { list: 'conflicts' | 'orphans'; empty: string }) {
  const brand = useBrand();
  const { conflicts: words } = useWords(integration);
  const nameOf = useCode();
  const { common } = useText();
  const {
    filters: { list: _, ...filters },
  } = useFilters();
  return (
    <Stack>
      <FilterBar keeps={['list']}>
        <Choice name="kind" label={words.kind} of={eventKinds} />
      </FilterBar>
      <List
        name={[brand, list, filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET(`/api/console/v1/brands/{brand}/${list}`, {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ position }) => position}
        empty={
          <Empty next={<To to="integration/inspector">{words.allEvents}</To>}>
            {Object.keys(filters).length === 0 ? empty : common.noMatch}
          </Empty>
        }
        columns={[
          {
            title: common.what,
            show: ({ position, kind, summary }) => (
              <div>
                <To to={`integration/inspector/${encodeURIComponent(position)}`}>{nameOf(kind)}</To>
                <Text size="sm">{summary}</Text>
              </div>
            ),
          },
          {
            title: common.player,
            show: ({ user_id }) => (user_id === null ? common.none : <PlayerLink brand={brand} userId={user_id} />),
          },
          { title: words.received, show: ({ received_at }) => <Moment at={received_at} /> },
          {
            title: words.versions,
            show: ({ fact }) => (
              <Stack gap={4}>
                {fact?.versions.map((version) => (
                  <Text key={version.position} size="sm" fw={version.in_force ? 600 : 400}>
                    {version.summary} {version.in_force && <State of="in_force" label={words.inForce} />}
                  </Text>
                )) ?? common.none}
              </Stack>
            ),
          },
        ]}
      />
    </Stack>
  );
}
