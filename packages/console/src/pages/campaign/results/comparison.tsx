import { Group, NumberInput, Stack, Title } from '@mantine/core';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import type { AmountQuery } from './amount-players.tsx';
import type { OutcomeQuery } from './outcome-players.tsx';
import type { SplitShown } from './queries.ts';
import { SplitResults } from './split-results.tsx';

export const defaultWindowDays = 7;
export const mostWindowDays = 90;

interface ComparisonProps {
  splits: readonly SplitShown[];
  /** How long the players of each arm are measured, in days. */
  windowDays: number;
  onWindow(days: number | string): void;
  show(query: OutcomeQuery): void;
  showAmount(query: AmountQuery): void;
}

/** Compares the arms of each split. The user chooses how long their players are measured. */
export function Comparison({ splits, windowDays, onWindow, show, showAmount }: ComparisonProps) {
  const words = useWords(campaignPage);
  if (splits.length === 0) return null;
  return (
    <section aria-label={words.compared}>
      <Group justify="space-between" align="flex-end" mb="xs">
        <Title order={3} size="h4">
          {words.compared}
        </Title>
        <NumberInput
          label={words.window}
          min={1}
          max={mostWindowDays}
          value={windowDays}
          allowDecimal={false}
          onChange={onWindow}
        />
      </Group>
      <Stack>
        {splits.map((split) => (
          <SplitResults
            key={`${split.version} ${split.step}`}
            split={split}
            show={show}
            showAmount={(query) => showAmount({ ...query, window_days: windowDays })}
          />
        ))}
      </Stack>
    </section>
  );
}
