import { Title } from '@mantine/core';
import { campaignTrial } from '../../../../text/campaign-trial.ts';
import { useText, useWords } from '../../../../text/text.tsx';
import { useCode } from '../../../../text/use-code.ts';
import { Rows } from '../../../../ui/list.tsx';
import { useNumber } from '../../../../ui/values.tsx';
import type { BacktestShown } from './queries.ts';

/** What would have happened at each step, and how often. */
export function BacktestSteps({ steps }: { steps: BacktestShown['steps'] }) {
  const words = useWords(campaignTrial);
  const { common } = useText();
  const number = useNumber();
  const codeName = useCode();
  return (
    <>
      <Title order={3} size="h5">
        {words.byStep}
      </Title>
      <Rows
        items={steps}
        keyOf={(one) => JSON.stringify(one)}
        columns={[
          { title: words.step, show: ({ step }) => step },
          { title: words.what, show: ({ outcome }) => words.outcomes[outcome] ?? codeName(outcome) },
          {
            title: words.reason,
            show: ({ reason, variant }) => (reason === null ? (variant ?? common.none) : codeName(reason)),
          },
          { title: words.count, align: 'right', show: ({ count }) => number(count) },
        ]}
      />
    </>
  );
}
