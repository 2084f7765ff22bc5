import { Group, Loader, Paper, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { Failed } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment } from '../../ui/values.tsx';
import { type RefusedCall, RefusedCallList, refusedCallsQuery } from './refused-calls.tsx';

const refreshMs = 1_000;

interface FirstEventProps {
  brand: string;
  /** The player of the example, who has no other event. */
  userId: string;
}

/** Waits for the event of the example, and links to it. Meanwhile, it shows calls that are refused. */
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
        <RefusedMeanwhile brand={brand} />
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

/** The calls that were refused since this component was first shown. */
function RefusedMeanwhile({ brand }: { brand: string }) {
  const { refusedCalls: words } = useWords(integration);
  const refused = useQuery(refusedCallsQuery(brand));
  const [before, setBefore] = useState<readonly RefusedCall[]>();
  if (before === undefined && refused.data !== undefined) setBefore(refused.data.items);
  const meanwhile = callsSince(before ?? refused.data?.items ?? [], refused.data?.items ?? []);
  if (meanwhile.length === 0) return null;
  return (
    <>
      <Group gap="xs" mt="xs">
        <IconAlertTriangle color="var(--mantine-color-yellow-6)" />
        <Text size="sm" fw={600}>
          {words.now}
        </Text>
        <Text size="sm">{words.nowAbout}</Text>
      </Group>
      <RefusedCallList items={meanwhile} />
    </>
  );
}

/** The refused calls that were added between `before` and `now`, with their number. A count that started again has another `first_at`. */
function callsSince(before: readonly RefusedCall[], now: readonly RefusedCall[]): RefusedCall[] {
  const names = ['reason', 'kind', 'key_start', 'first_at'] as const;
  const countBefore = (call: RefusedCall) =>
    before.find((one) => names.every((name) => one[name] === call[name]))?.calls ?? 0;
  return now.flatMap((one) => {
    const calls = one.calls - countBefore(one);
    return calls > 0 ? [{ ...one, calls }] : [];
  });
}
