import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { places } from '../../text/places.ts';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, FilterBar, useFilters, Words } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { CreatedBy } from './created-by.tsx';

const refreshMs = 2_000;
const intentStates = ['offered', 'pending', 'retry', 'unknown', 'needs_person', 'credited', 'rejected'] as const;

/** Bonuses by state. Offers wait until the player claims them. */
export function Intents() {
  const brand = useBrand();
  const { intents: words } = useWords(rewards);
  const title = useWords(places).pages.intents;
  const { common } = useText();
  const { filters } = useFilters();
  return (
    <Page title={title} about={words.about}>
      <Waiting brand={brand} />
      <FilterBar>
        <Choice name="state" label={common.state} of={intentStates} />
        <Choice name="kind" label={words.kind} of={['bonus', 'funds']} />
        <Words name="bonus_code" label={common.code} />
      </FilterBar>
      <List
        name={[brand, 'intents', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/bonus-intents', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ intent_id }) => intent_id}
        empty={
          Object.keys(filters).length === 0 ? (
            <Empty next={<To to="campaigns">{words.toCampaigns}</To>}>{words.none}</Empty>
          ) : (
            common.noMatch
          )
        }
        columns={[
          {
            title: words.bonus,
            show: ({ intent_id, bonus_code, amount, currency }) => (
              <To to={`rewards/intents/${intent_id}`}>{[bonus_code, amount, currency].filter(Boolean).join(' ')}</To>
            ),
          },
          {
            title: common.player,
            show: ({ user_id }) => (user_id === null ? common.none : <PlayerLink brand={brand} userId={user_id} />),
          },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
          { title: words.since, show: ({ state_since }) => <Moment at={state_since} /> },
          { title: words.due, show: ({ due_at }) => <Moment at={due_at} /> },
          { title: words.by, show: ({ created_by }) => <CreatedBy of={created_by} /> },
        ]}
      />
    </Page>
  );
}

/** The numbers of open bonuses. Each number links to its list. */
function Waiting({ brand }: { brand: string }) {
  const { intents: words } = useWords(rewards);
  const nameOf = useCode();
  const number = useNumber();
  const waiting = useQuery({
    queryKey: [brand, 'intents', 'waiting'],
    refetchInterval: every(refreshMs),
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/bonus-intents/waiting', { params: { path: { brand } } })),
  });
  const states = waiting.data?.states.filter(({ count }) => count > 0) ?? [];
  if (states.length === 0) return null;
  return (
    <Group gap="lg">
      <Text size="sm">{words.open}:</Text>
      {states.map(({ state, count, oldest_at }) => (
        <Group key={state} gap={6}>
          <To to="rewards/intents" search={{ state }}>
            {number(count)} {nameOf(state)}
          </To>
          {oldest_at !== null && (
            <Text size="xs" c="dimmed">
              {words.oldest} <Moment at={oldest_at} />
            </Text>
          )}
        </Group>
      ))}
    </Group>
  );
}
