import { Group, SimpleGrid, Text, Title } from '@mantine/core';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { CountTile } from '../../../ui/count-tile.tsx';
import { type OutcomeCounts, type OutcomeQuery, outcomeNames } from './outcome-players.tsx';

interface FunnelProps {
  counts: OutcomeCounts;
  show(query: OutcomeQuery): void;
}

/** The counts of the whole campaign. Only outcomes that occurred are shown. */
export function Funnel({ counts, show }: FunnelProps) {
  const words = useWords(campaignPage);
  return (
    <section aria-label={words.funnel}>
      <Group justify="space-between" align="flex-end" mb="xs">
        <div>
          <Title order={3} size="h4">
            {words.funnel}
          </Title>
          <Text size="sm" c="dimmed">
            {words.funnelHint}
          </Text>
        </div>
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }} spacing="xs">
        {outcomeNames
          .filter((outcome) => counts[outcome] > 0 || outcome === 'entered')
          .map((outcome) => (
            <CountTile
              key={outcome}
              count={counts[outcome]}
              label={words.outcomes[outcome] ?? outcome}
              onClick={() => show({ outcome })}
            />
          ))}
      </SimpleGrid>
    </section>
  );
}
