import { Stack, Tabs, Text } from '@mantine/core';
import { api, bodyOf } from '../../../api/client.ts';
import { messages } from '../../../text/messages.ts';
import { places } from '../../../text/places.ts';
import { sentMessages } from '../../../text/sent-messages.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { Choice, Day, FilterBar, type Filters, useFilters } from '../../../ui/filters.tsx';
import { type Column, List } from '../../../ui/list.tsx';
import { NamedFilter } from '../../../ui/named/named-filter.tsx';
import { Page, useBrand } from '../../../ui/page.tsx';
import { PlayerFilter } from '../../../ui/player-filter.tsx';
import { Empty } from '../../../ui/states.tsx';
import { TabRow } from '../../../ui/tab-row.tsx';
import { To } from '../../../ui/to.tsx';
import { Moment, Named, StateWithReason } from '../../../ui/values.tsx';
import { CampaignLink } from '../../campaign-link.tsx';
import { PlayerLink } from '../../player-link.tsx';
import { sentChannels, sentMessageAddress } from './address.ts';
import { Pushes } from './pushes.tsx';
import { sentReasons } from './sent-reasons.ts';
import { siteReasons } from './site-reasons.ts';

const refreshMs = 4_000;
const lists = ['sent', 'site', 'push'] as const;
const sentStates = [
  'failed_or_unknown',
  'waiting',
  'sending',
  'sent',
  'unknown',
  'withheld',
  'dropped',
  'failed',
] as const;
const siteStates = ['held', 'withheld', 'dropped', 'live', 'deleted', 'withdrawn', 'expired'] as const;

/** The messages of the brand: those that go to a provider, those on the site, and the pushes to devices. */
export function SentMessages() {
  const words = useWords(sentMessages);
  const title = useWords(places).pages.sent;
  const { filters, set } = useFilters();
  const list = lists.find((one) => one === filters.list) ?? 'sent';
  // The lists have different states and channels, so their other filters are cleared.
  const choose = (to: string | null) => set(to === null ? {} : { list: to });
  return (
    <Page title={title} about={words.about}>
      <Tabs value={list} onChange={choose} keepMounted={false}>
        <TabRow tabs={lists.map((value) => ({ value, label: words.lists[value] }))} active={list} onChoose={choose} />
        <Tabs.Panel value="sent" pt="md">
          <OfProviders />
        </Tabs.Panel>
        <Tabs.Panel value="site" pt="md">
          <OnSite />
        </Tabs.Panel>
        <Tabs.Panel value="push" pt="md">
          <Pushes />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Returns the filters that a list has. The query string may contain others, for example those of the other list. */
const only = (filters: Filters, names: readonly string[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => names.includes(name)));

function OfProviders() {
  const brand = useBrand();
  const words = useWords(sentMessages);
  const { channels } = useWords(messages);
  const [toMessage, afterMessage] = useColumns();
  const { common } = useText();
  const { filters: all } = useFilters();
  const filters = only(all, ['user_id', 'channel', 'state', 'reason', 'campaign_id', 'ended_from', 'ended_to']);
  return (
    <Stack gap="lg">
      <FilterBar keeps={['list']} isNarrow>
        <PlayerFilter />
        <Choice
          name="channel"
          label={words.channel}
          of={sentChannels}
          says={(channel) => channels[channel as keyof typeof channels]}
        />
        <Choice name="state" label={common.state} of={sentStates} />
        <Choice name="reason" label={common.reason} of={sentReasons} />
        <NamedFilter list="campaigns" name="campaign_id" label={words.campaign} />
        <Day name="ended_from" label={words.endedFrom} edge="start" />
        <Day name="ended_to" label={words.endedTo} edge="end" />
      </FilterBar>
      <List
        name={[brand, 'sent-messages', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/sent-messages', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ message_id }) => message_id}
        empty={
          Object.keys(filters).length === 0 ? (
            <Empty next={<To to="messages/templates">{words.toTemplates}</To>}>{words.none}</Empty>
          ) : (
            common.noMatch
          )
        }
        columns={[
          ...toMessage,
          {
            title: words.message,
            show: ({ channel, message_id, about }) => (
              <To to={sentMessageAddress(channel, message_id) ?? ''}>
                {/* An SMS can have hundreds of characters. */}
                <Text span inherit lineClamp={2}>
                  {about || words.open}
                </Text>
              </To>
            ),
          },
          ...afterMessage,
        ]}
      />
    </Stack>
  );
}

/** The messages in the lists of the site. Their texts are on the page of the player. */
function OnSite() {
  const brand = useBrand();
  const words = useWords(sentMessages);
  const [toMessage, afterMessage] = useColumns();
  const { common } = useText();
  const { filters: all } = useFilters();
  const filters = only(all, ['state', 'reason', 'campaign_id']);
  return (
    <Stack gap="lg">
      <FilterBar keeps={['list']}>
        <Choice name="state" label={common.state} of={siteStates} />
        <Choice name="reason" label={common.reason} of={siteReasons} />
        <NamedFilter list="campaigns" name="campaign_id" label={words.campaign} />
      </FilterBar>
      <List
        name={[brand, 'site-messages', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/messages', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ message_id }) => message_id}
        empty={Object.keys(filters).length === 0 ? words.noSite : common.noMatch}
        columns={[
          ...toMessage,
          {
            title: words.message,
            show: ({ user_id, message_id, title, event }) =>
              user_id === null ? (
                title || <Named of={event} />
              ) : (
                <To to={`players/${encodeURIComponent(user_id)}`} search={{ tab: 'messages', row: String(message_id) }}>
                  {title || words.open}
                </To>
              ),
          },
          ...afterMessage,
        ]}
      />
    </Stack>
  );
}

interface Listed {
  created_at: string;
  user_id: string | null;
  channel: keyof typeof messages.en.channels;
  state: string;
  reason: string | null;
  campaign_id: string | null;
}

/** Returns the columns that both lists have: those before the column of the message, and those after it. */
function useColumns(): [Column<Listed>[], Column<Listed>[]] {
  const brand = useBrand();
  const words = useWords(sentMessages);
  const { channels } = useWords(messages);
  const { common } = useText();
  return [
    [
      { title: common.when, show: ({ created_at }) => <Moment at={created_at} /> },
      { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
      { title: words.channel, show: ({ channel }) => channels[channel] },
    ],
    [
      { title: common.state, show: ({ state, reason }) => <StateWithReason state={state} reason={reason} /> },
      {
        title: words.campaign,
        show: ({ campaign_id }) => (campaign_id === null ? common.none : <CampaignLink code={campaign_id} />),
      },
    ],
  ];
}
