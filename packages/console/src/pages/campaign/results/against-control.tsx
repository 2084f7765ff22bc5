import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { lazyPart } from '../../../ui/parts/lazy-part.tsx';
import { useNumber } from '../../../ui/values.tsx';
import type { ArmShown } from './queries.ts';

const IntervalChart = lazyPart(() => import('../charts/interval-chart.tsx'));

type Measure = keyof ArmShown['measured']['sums'];

/** How each arm differs from the control arm per player, for one measure that the user chooses. */
export function AgainstControl({ arms }: { arms: readonly ArmShown[] }) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const [measure, setMeasure] = useState<Measure>('ngr');
  const intervals = arms.flatMap(({ name, measured }) => {
    const against = measured.sums[measure].against_control;
    return against === null ? [] : [{ name, ...against }];
  });
  if (intervals.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.tooFew}
      </Text>
    );
  return (
    <Stack gap="xs">
      <Select
        label={words.measure}
        w={220}
        allowDeselect={false}
        data={Object.entries(words.measures).map(([value, label]) => ({ value, label }))}
        value={measure}
        onChange={(chosen) => chosen !== null && setMeasure(chosen as Measure)}
      />
      <Text size="sm" fw={600}>
        {words.againstControl}: {words.measures[measure]}
      </Text>
      <IntervalChart
        label={intervals
          .map(
            ({ name, difference, low, high }) =>
              `${name}: ${number(difference)}, ${words.interval} ${number(low)} – ${number(high)}`,
          )
          .join('; ')}
        intervals={intervals}
      />
    </Stack>
  );
}
