import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { type Column, Rows } from '../../../ui/list.tsx';
import { ArmName } from './arm-name.tsx';
import { NumberButton } from './number-button.tsx';
import type { OutcomeQuery } from './outcome-players.tsx';
import type { ArmShown } from './queries.ts';
import type { SplitProps } from './split-results.tsx';

/** The players of each arm, and what happened to them. */
export function ArmCounts({ split: { step, version, arms }, show, showAmount }: SplitProps) {
  const words = useWords(campaignPage);
  // Outcomes are not counted for the arms of the brand's control group, which have no step.
  const counted: readonly OutcomeQuery['outcome'][] =
    step === null ? [] : ['sent', 'clicked', 'goal_reached', 'credited'];
  return (
    <Rows
      items={arms}
      keyOf={({ name }) => name}
      columns={[
        { title: words.arm, show: (arm) => <ArmName arm={arm} /> },
        {
          title: words.players,
          align: 'right',
          show: ({ name, players }) => (
            <NumberButton
              of={players}
              onClick={() =>
                step === null
                  ? showAmount({ of: 'measured', version, variant: name })
                  : show({ outcome: 'entered', version, split: step, variant: name })
              }
            />
          ),
        },
        ...counted.map(
          (outcome): Column<ArmShown> => ({
            title: words.outcomes[outcome] ?? outcome,
            align: 'right',
            show: ({ name, counts }) => (
              <NumberButton
                of={counts[outcome]}
                onClick={() => step !== null && show({ outcome, version, split: step, variant: name })}
              />
            ),
          }),
        ),
      ]}
    />
  );
}
