import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { Failed } from '../../../ui/states.tsx';
import { useNumber } from '../../../ui/values.tsx';

/** How many of all players lack what the saved version puts in. Counted when asked for: it reads every player. */
export function Audience({ code, version }: { code: string; version: number }) {
  const brand = useBrand();
  const words = useWords(messages).preview;
  const number = useNumber();
  const [isAsked, setAsked] = useState(false);
  const gaps = useQuery({
    queryKey: [brand, 'template', code, 'gaps', version],
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/templates/{code}/gaps', { params: { path: { brand, code } } })),
    enabled: isAsked,
    staleTime: 60_000,
  });
  const lacking = gaps.data?.gaps.filter(({ players }) => players > 0) ?? [];
  return (
    <Stack gap={4} align="flex-start">
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="light"
          loading={gaps.isFetching}
          onClick={() => (isAsked ? void gaps.refetch() : setAsked(true))}
        >
          {words.audience}
        </Button>
        <Text size="xs" c="dimmed">
          {words.audienceSaved}
        </Text>
      </Group>
      {gaps.isError && <Failed error={gaps.error} />}
      {gaps.isSuccess && (
        <Stack gap={2} role="status">
          {lacking.length === 0 && <Text size="sm">{words.audienceFine(number(gaps.data.players))}</Text>}
          {lacking.map(({ variable, players }) => (
            <Text size="sm" key={variable}>
              <code>{variable}</code>: {words.audienceLacks(number(players), number(gaps.data.players))}
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
