import { Card, Group, Text, Title, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { contactabilityQuery } from '../../api/queries.ts';
import { useText } from '../../text/text.tsx';
import { Failed } from '../../ui/states.tsx';
import { State } from '../../ui/values.tsx';

/** Channel by channel: what the gate would say now, and why. */
export function Contactability({ brand, userId }: { brand: string; userId: string }) {
  const { player, outcome } = useText();
  const asked = useQuery(contactabilityQuery(brand, userId));
  if (asked.isError) return <Failed error={asked.error} onRetry={() => asked.refetch()} />;
  return (
    <Card withBorder>
      <Title order={3} size="h5" mb="sm">
        {player.contact}
      </Title>
      <Group gap="lg">
        {asked.data?.items
          .filter(({ purpose }) => purpose !== 'service')
          .map(({ channel, outcome: said, reason, sources }) => (
            <Tooltip key={channel} label={sources.join(', ')} disabled={sources.length === 0}>
              <div>
                <Text size="xs" c="dimmed">
                  {channel.replaceAll('_', ' ')}
                </Text>
                <State of={said} label={outcome[said]} />
                {reason !== null && <Text size="xs">{reason.replaceAll('_', ' ')}</Text>}
              </div>
            </Tooltip>
          ))}
      </Group>
    </Card>
  );
}
