import { Alert, Group, List, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Moment, useNumber } from '../../ui/values.tsx';

const refreshMs = 2_000;

const readRefusedCalls = (brand: string) =>
  bodyOf(api.GET('/api/console/v1/brands/{brand}/refused-calls', { params: { path: { brand } } }));

export type RefusedCall = Awaited<ReturnType<typeof readRefusedCalls>>['items'][number];

/** Calls that were refused because of their key or form, latest first. */
export const refusedCallsQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'refused-calls'],
    refetchInterval: every(refreshMs),
    queryFn: () => readRefusedCalls(brand),
  });

/** A notice with the refused calls that the platform lists. If there are none, it shows nothing. */
export function RefusedCalls({ brand }: { brand: string }) {
  const { refusedCalls: words } = useWords(integration);
  const refused = useQuery(refusedCallsQuery(brand));
  const items = refused.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Alert color="yellow" title={words.title} role="status">
      <Stack gap="xs">
        <Text size="sm">{words.about}</Text>
        <RefusedCallList items={items} showsStart />
      </Stack>
    </Alert>
  );
}

interface RefusedCallListProps {
  items: readonly RefusedCall[];
  /** Whether each row says since when its calls are counted. */
  showsStart?: boolean;
}

export function RefusedCallList({ items, showsStart = false }: RefusedCallListProps) {
  const { refusedCalls: words } = useWords(integration);
  const nameOf = useCode();
  const number = useNumber();
  return (
    <List size="sm" listStyleType="none" mah={240} style={{ overflowY: 'auto' }} tabIndex={0}>
      {items.map(({ status, reason, kind, key_name, key_start, calls, first_at, last_at }) => (
        <List.Item key={`${reason} ${kind} ${key_name} ${key_start}`}>
          <Group gap="xs">
            <Moment at={last_at} />
            <Text size="sm" fw={600}>
              {status} {nameOf(reason)}
            </Text>
            {kind !== null && <Text size="sm">{nameOf(kind)}</Text>}
            {key_start !== null && <Text size="sm">{key_name ?? words.key(key_start)}</Text>}
            <Text size="sm" className="figure">
              {words.calls(number(calls))}
              {showsStart && (
                <>
                  {' '}
                  {words.since} <Moment at={first_at} />
                </>
              )}
            </Text>
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
