import { UnstyledButton } from '@mantine/core';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { type Column, Rows } from '../../../ui/list.tsx';
import { Money } from '../../../ui/money.tsx';
import { Section } from '../../../ui/section.tsx';
import { StepName } from '../steps/step-name.tsx';
import type { AmountQuery } from './amount-players.tsx';
import type { ResultsShown } from './queries.ts';
import type { StepKinds } from './use-step-kinds.ts';

interface CostsProps {
  costs: ResultsShown['costs'];
  kindOf: StepKinds;
  show(query: AmountQuery): void;
}

/** What the bonuses and credits of each step cost. */
export function Costs({ costs, kindOf, show }: CostsProps) {
  const words = useWords(campaignPage);
  if (costs.length === 0) return null;
  return (
    <Section title={words.costs}>
      <Rows
        items={costs}
        keyOf={({ version, step }) => `${version} ${step}`}
        columns={[
          { title: words.step, show: ({ version, step }) => <StepName step={step} kind={kindOf(version, step)} /> },
          { title: words.tabs.versions, align: 'right', show: ({ version }) => version },
          ...(['granted', 'turned_real', 'funds'] as const).map(
            (of): Column<CostsProps['costs'][number]> => ({
              title: words.amounts[of],
              align: 'right',
              show: ({ version, step, [of]: amount }) => (
                <UnstyledButton className="linked figure" onClick={() => show({ of, version, step })}>
                  <Money of={amount} />
                </UnstyledButton>
              ),
            }),
          ),
        ]}
      />
    </Section>
  );
}
