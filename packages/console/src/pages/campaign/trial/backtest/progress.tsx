import { Group, Progress, Text } from '@mantine/core';
import { api } from '../../../../api/client.ts';
import { campaignTrial } from '../../../../text/campaign-trial.ts';
import { useWords } from '../../../../text/text.tsx';
import { Sure, useAct } from '../../../../ui/act.tsx';
import { Moment, State, useNumber } from '../../../../ui/values.tsx';
import { useEditing } from '../../draft/editing.ts';
import { type BacktestShown, backtestsKey, isWorking } from './queries.ts';

interface BacktestProgressProps {
  code: string;
  id: number;
  backtest: BacktestShown;
}

/** The state and the period of a backtest. While it runs, it shows the progress, and the user can cancel it. */
export function BacktestProgress({ code, id, backtest }: BacktestProgressProps) {
  const words = useWords(campaignTrial);
  const number = useNumber();
  const { brand, mayEdit } = useEditing();
  const cancel = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/backtests/{backtest_id}/cancel', {
        params: { path: { brand, code, backtest_id: id } },
      }),
    { touches: backtestsKey(brand, code), done: words.cancelled },
  );
  const { state, progress, tried, from, until } = backtest;
  const isOpen = isWorking(state);
  return (
    <>
      <Group>
        <State of={state} label={words.states[state] ?? state} />
        <Text size="sm">
          <Moment at={from} /> – <Moment at={until} />
        </Text>
        <Text size="sm" className="figure">
          {words.tried}: {number(tried)}
        </Text>
        {isOpen && mayEdit && (
          <Sure
            label={words.cancel}
            text={words.cancelled}
            color="red"
            size="compact-sm"
            onSure={() => cancel.mutate()}
          />
        )}
      </Group>
      {isOpen && (
        <Progress.Root size="lg">
          <Progress.Section value={progress * 100} aria-label={words.progress} />
        </Progress.Root>
      )}
    </>
  );
}
