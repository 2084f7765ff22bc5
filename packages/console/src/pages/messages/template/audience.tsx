import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { NamedSelect } from '../../../ui/named/named-select.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { Failed } from '../../../ui/states.tsx';
import { useNumber } from '../../../ui/values.tsx';

interface AudienceProps {
  code: string;
  version: number;
  /** True if the text on the screen has unsaved changes. */
  isChanged: boolean;
}

/**
 * Shows how many players of a segment, or of the brand, lack a value that the saved version inserts. They are counted
 * only on request, because the count reads every player.
 */
export function Audience({ code, version, isChanged }: AudienceProps) {
  const brand = useBrand();
  const words = useWords(messages).preview;
  const number = useNumber();
  const [isAsked, setAsked] = useState(false);
  const [segment, setSegment] = useState<string | null>(null);
  const gaps = useQuery({
    queryKey: [brand, 'template', code, 'gaps', version, segment],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/templates/{code}/gaps', {
          params: { path: { brand, code }, query: segment === null ? {} : { segment } },
        }),
      ),
    enabled: isAsked,
    staleTime: 60_000,
  });
  const lacking = gaps.data?.gaps.filter(({ players }) => players > 0) ?? [];
  return (
    <Stack gap={4} align="flex-start">
      <Group gap="xs" align="flex-end">
        <NamedSelect
          list="segments"
          size="xs"
          w={260}
          label={words.audience}
          placeholder={words.everyone}
          clearable
          value={segment}
          onChange={setSegment}
        />
        <Button
          size="xs"
          variant="default"
          loading={gaps.isFetching}
          onClick={() => (isAsked ? void gaps.refetch() : setAsked(true))}
        >
          {words.audienceCheck}
        </Button>
      </Group>
      {isChanged && (
        <Text size="xs" c="dimmed">
          {words.audienceSaved}
        </Text>
      )}
      {gaps.isError && <Failed error={gaps.error} />}
      {gaps.isSuccess && (
        <Stack gap={2} role="status">
          {lacking.length === 0 && <Text size="sm">{words.audienceFine(number(gaps.data.players))}</Text>}
          {lacking.map(({ variable, players }) => (
            <Text size="sm" key={variable}>
              <code>{variable}</code> {words.audienceLacks(number(players), number(gaps.data.players))}
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
