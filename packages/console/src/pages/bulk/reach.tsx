import { List, Stack, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { bulk } from '../../text/bulk.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';
import type { Channel } from '../player/message-body.ts';

/** How the members are reached: by a message, or by a bonus. */
export interface Way {
  channel: Channel | 'bonus';
  purpose: 'marketing' | 'service';
}

/** What the gate would decide now for the members of a segment. */
export interface ReachShown {
  members: number;
  checked: number;
  exact: boolean;
  allowed: number;
  withheld: Record<string, number>;
  held: Record<string, number>;
}

export function useReach(brand: string, code: string, way: Way): UseQueryResult<ReachShown> {
  return useQuery({
    queryKey: [brand, 'reach', code, way],
    // The person decides by these numbers, so they are read each time.
    gcTime: 0,
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/segments/{code}/reach', {
          params: { path: { brand, code }, query: way },
        }),
      ),
  });
}

/** Shows how many members would get a message or offer now, and why the others would not. */
export function Reach({ of: reach }: { of: UseQueryResult<ReachShown> }) {
  const { reach: words } = useWords(bulk);
  const number = useNumber();
  if (reach.isLoadingError) return <Failed error={reach.error} onRetry={() => reach.refetch()} />;
  if (reach.isPending) return <Loading />;
  const { members, allowed, withheld, held, exact, checked } = reach.data;
  return (
    <Stack gap={4} role="status">
      <Text fw={600}>
        {words.title}: {words.members(number(members), members === 1)}
      </Text>
      <Text size="sm">{allowed === 0 ? words.nobody : words.allowed(number(allowed))}</Text>
      <Counts of={withheld} title={words.withheld} />
      <Counts of={held} title={words.held} />
      {!exact && <Text size="sm">{words.estimated(number(checked))}</Text>}
      <Text size="xs" c="dimmed">
        {words.rules}
      </Text>
    </Stack>
  );
}

/** The number of players by reason, the most frequent reason first. */
function Counts({ of: counts, title }: { of: Record<string, number>; title(count: string): string }) {
  const number = useNumber();
  const nameOf = useCode();
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  if (entries.length === 0) return null;
  return (
    <>
      <Text size="sm">{title(number(entries.reduce((all, [, count]) => all + count, 0)))}</Text>
      <List size="sm">
        {entries.map(([reason, count]) => (
          <List.Item key={reason}>
            {nameOf(reason)}: {number(count)}
          </List.Item>
        ))}
      </List>
    </>
  );
}
