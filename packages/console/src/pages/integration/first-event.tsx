import { Group, Loader, Paper, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { Failed } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment } from '../../ui/values.tsx';

const refreshMs = 1_000;

interface FirstEventProps {
  brand: string;
  /** The player of the example, who has no other event. */
  userId: string;
}

/** Waits for the event of the example, and leads to it. */
export function FirstEvent({ brand, userId }: FirstEventProps) {
  const { keys: words } = useWords(integration);
  const { pages } = useWords(places);
  const arrived = useQuery({
    queryKey: [brand, 'feed', 'first', userId],
    refetchInterval: every(refreshMs),
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/feed', {
          params: { path: { brand }, query: { user_id: userId, limit: 1 } },
        }),
      ),
  });
  if (arrived.isLoadingError) return <Failed error={arrived.error} onRetry={() => arrived.refetch()} />;
  const event = arrived.data?.items[0];
  if (event === undefined)
    return (
      <Paper withBorder p="sm" w="100%" role="status">
        <Group gap="xs">
          <Loader size="xs" />
          <Text size="sm">{words.waiting(userId)}</Text>
        </Group>
        <Text size="sm">
          {words.refused} <To to="integration/quarantine">{pages.quarantine}</To>
        </Text>
      </Paper>
    );
  return (
    <Paper withBorder p="sm" w="100%" role="status">
      <Group gap="xs">
        <IconCircleCheck color="var(--mantine-color-green-6)" />
        <Text fw={600}>{words.arrived}</Text>
      </Group>
      <Text size="sm">
        {event.summary} · <Moment at={event.received_at} />
      </Text>
      <To to={`integration/inspector/${encodeURIComponent(event.position)}`}>{words.follow}</To>
    </Paper>
  );
}
