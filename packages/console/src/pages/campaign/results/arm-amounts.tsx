import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { type Column, Rows } from '../../../ui/list.tsx';
import { Money } from '../../../ui/money.tsx';
import { ArmName } from './arm-name.tsx';
import { NumberButton } from './number-button.tsx';
import type { ArmShown } from './queries.ts';
import type { SplitProps } from './split-results.tsx';

/** The measured players of each arm, those who deposited, and the means of their amounts. */
export function ArmAmounts({ split: { step, version, arms }, showAmount }: Omit<SplitProps, 'show'>) {
  const words = useWords(campaignPage);
  return (
    <Rows
      items={arms}
      keyOf={({ name }) => name}
      columns={[
        { title: words.arm, show: (arm) => <ArmName arm={arm} /> },
        ...(
          [
            ['measured', 'players'],
            ['depositors', 'depositors'],
          ] as const
        ).map(
          ([of, counted]): Column<ArmShown> => ({
            title: words.amounts[of],
            align: 'right',
            show: ({ name, measured }) => (
              <NumberButton
                of={measured[counted]}
                onClick={() => showAmount({ of, version, variant: name, ...(step !== null && { split: step }) })}
              />
            ),
          }),
        ),
        ...Object.entries(words.measures).map(
          ([name, label]): Column<ArmShown> => ({
            title: `${label}, ${words.perPlayer}`,
            align: 'right',
            show: ({ measured }) => {
              const { mean } = measured.sums[name as keyof ArmShown['measured']['sums']];
              return <Money of={mean?.toFixed(2)} />;
            },
          }),
        ),
      ]}
    />
  );
}
