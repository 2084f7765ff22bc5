import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { places } from '../../text/places.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Moment, State } from '../../ui/values.tsx';

const refreshMs = 5_000;

/** How messages leave the platform. */
export function Channels() {
  const brand = useBrand();
  const { channels: words } = useWords(settings);
  const title = useWords(places).pages.channels;
  const { common } = useText();
  const shown = useQuery({
    queryKey: [brand, 'channels'],
    refetchInterval: every(refreshMs),
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/channels', { params: { path: { brand } } })),
  });
  if (shown.isPending) return <Loading />;
  if (shown.isError) return <Failed error={shown.error} onRetry={() => shown.refetch()} />;
  return (
    <Page title={title} about={words.about}>
      {shown.data.items.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <Rows
          items={shown.data.items}
          keyOf={({ channel }) => channel}
          columns={[
            { title: words.channel, show: ({ channel }) => channel },
            { title: common.state, show: ({ state }) => <State of={state} /> },
            {
              title: words.changed,
              show: ({ changed_at, changed_by }) => (
                <>
                  <Moment at={changed_at} /> {changed_by}
                </>
              ),
            },
            {
              title: words.providers,
              show: ({ providers }) =>
                providers.length === 0
                  ? words.noProviders
                  : providers.map(({ target, circuit, last_error, last_success_at }) => (
                      <Stack key={target} gap={2}>
                        <Text size="sm">
                          {target} <State of={circuit} />
                        </Text>
                        <Text size="xs">
                          {words.lastSuccess} <Moment at={last_success_at} />
                        </Text>
                        {last_error !== null && (
                          <Text size="xs">
                            {words.lastError}: {last_error}
                          </Text>
                        )}
                      </Stack>
                    )),
            },
          ]}
        />
      )}
      <Text size="sm" c="dimmed">
        {words.testHint}
      </Text>
    </Page>
  );
}
