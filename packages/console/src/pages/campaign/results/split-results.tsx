import { Alert, Stack, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { AgainstControl } from './against-control.tsx';
import type { AmountQuery } from './amount-players.tsx';
import { ArmAmounts } from './arm-amounts.tsx';
import { ArmCounts } from './arm-counts.tsx';
import type { OutcomeQuery } from './outcome-players.tsx';
import type { SplitShown } from './queries.ts';

export interface SplitProps {
  split: SplitShown;
  show(query: OutcomeQuery): void;
  showAmount(query: AmountQuery): void;
}

/** The arms of one split: their counts, and their difference from the control arm per player. */
export function SplitResults({ split, show, showAmount }: SplitProps) {
  const words = useWords(campaignPage);
  const { step, version, arms } = split;
  const title = step === null ? words.holdout : words.splitOf(step, version);
  return (
    <Stack gap="sm" component="section" aria-label={title} className="split-results">
      <Title order={4} size="h5">
        {title}
      </Title>
      {split.sample_ratio_mismatch && (
        <Alert color="red" icon={<IconAlertTriangle />} role="alert">
          {words.mismatch}
        </Alert>
      )}
      <ArmCounts split={split} show={show} showAmount={showAmount} />
      <ArmAmounts split={split} showAmount={showAmount} />
      {arms.some(({ control }) => control) && <AgainstControl arms={arms} />}
    </Stack>
  );
}
