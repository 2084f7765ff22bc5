import { Group, SimpleGrid, Text, Title } from '@mantine/core';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useLanguage, useWords } from '../../../text/text.tsx';
import { CountTile } from '../../../ui/count-tile.tsx';
import { numberFormat } from '../../../ui/formats.ts';
import { type OutcomeCounts, type OutcomeQuery, outcomeNames } from './outcome-players.tsx';
import { rateOf } from './rate.ts';

interface FunnelProps {
  counts: OutcomeCounts;
  /** The counts of each step. */
  effects: readonly (OutcomeCounts & { step: string })[];
  show(query: OutcomeQuery): void;
}

/** The counts of the whole campaign with their rates. Only outcomes that occurred are shown. */
export function Funnel({ counts, effects, show }: FunnelProps) {
  const words = useWords(campaignPage);
  const { language } = useLanguage();
  // A rate of 0.04 % must not look like none.
  const figure = numberFormat(language, { maximumSignificantDigits: 3 });
  const rateText = (outcome: OutcomeQuery['outcome']) => {
    const rate = rateOf(outcome, counts, effects);
    if (rate === undefined) return undefined;
    return rate.of === 'run'
      ? words.rates.run(figure.format(rate.mean))
      : words.rates[rate.of](figure.format(rate.share * 100));
  };
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
              rate={rateText(outcome)}
              onClick={() => show({ outcome })}
            />
          ))}
      </SimpleGrid>
    </section>
  );
}
