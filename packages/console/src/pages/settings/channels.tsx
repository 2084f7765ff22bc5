import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { channelSettings } from '../../text/channel-settings.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { channelsWithSettings } from './channel-fields.ts';

const refreshMs = 5_000;

export const useChannels = () => {
  const brand = useBrand();
  return useQuery({
    queryKey: [brand, 'channels'],
    refetchInterval: every(refreshMs),
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/channels', { params: { path: { brand } } })),
  });
};

export type ChannelShown = NonNullable<ReturnType<typeof useChannels>['data']>['items'][number];

const colors = { ready: 'live', off: 'paused', not_set_up: 'waiting' } as const;
/** Returns the page on which a channel is set up. */
const pageOf = (channel: string) => {
  if (channelsWithSettings.some((one) => one === channel)) return `settings/channels/${channel}`;
  return channel === 'push' ? 'settings/push' : channel === 'site' ? 'integration/site-script' : null;
};

/** The channels that send messages, and the health of each provider. */
export function Channels() {
  const words = useWords(channelSettings);
  const title = useWords(places).pages.channels;
  const shown = useChannels();
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  return (
    <Page title={title} about={words.about}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {shown.data.items.map((channel) => (
          <ChannelCard key={channel.channel} channel={channel} />
        ))}
      </SimpleGrid>
    </Page>
  );
}

function ChannelCard({ channel: { channel, state, changed_at, changed_by, providers } }: { channel: ChannelShown }) {
  const brand = useBrand();
  const words = useWords(channelSettings);
  const page = pageOf(channel);
  const name = words.names[channel] ?? channel;
  return (
    <Card withBorder>
      <Stack gap="xs" h="100%">
        <Group justify="space-between">
          <Title order={3} size="h4">
            {name}
          </Title>
          <State of={colors[state]} label={words.states[state]} />
        </Group>
        <Text size="sm" c="dimmed">
          {words.what[channel]}
        </Text>
        <Providers providers={providers} />
        {changed_at !== null && (
          <Text size="xs" c="dimmed">
            {words.changed} <Moment at={changed_at} />, {changed_by}
          </Text>
        )}
        <Group mt="auto">
          {page === null ? (
            <Text size="sm" c="dimmed">
              {words.byItself}
            </Text>
          ) : (
            <Button
              component={Link}
              to={`/${brand}/${page}`}
              size="xs"
              variant={state === 'not_set_up' ? 'filled' : 'default'}
              aria-label={`${state === 'not_set_up' ? words.setUp : words.edit}: ${name}`}
            >
              {state === 'not_set_up' ? words.setUp : words.edit}
            </Button>
          )}
        </Group>
      </Stack>
    </Card>
  );
}

/** The health of the providers that the channel calls. */
export function Providers({ providers }: Pick<ChannelShown, 'providers'>) {
  const words = useWords(channelSettings);
  return providers.map(({ target, circuit, last_error, last_error_at, last_success_at }) => (
    <Stack key={target} gap={2}>
      <Group gap="xs">
        <Text size="sm">{target}</Text>
        <State
          of={circuit === 'closed' ? 'working' : circuit === 'open' ? 'failing' : 'warning'}
          label={words.circuits[circuit]}
        />
      </Group>
      <Text size="xs">
        {words.lastSuccess}: {last_success_at === null ? words.never : <Moment at={last_success_at} />}
      </Text>
      {last_error !== null && (
        <Text size="xs" className="timeline-line">
          {words.lastError}: <Moment at={last_error_at} />, {last_error}
        </Text>
      )}
    </Stack>
  ));
}
