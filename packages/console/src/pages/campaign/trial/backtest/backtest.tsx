import { Alert, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { campaignTrial } from '../../../../text/campaign-trial.ts';
import { useWords } from '../../../../text/text.tsx';
import { lazyPart } from '../../../../ui/parts/lazy-part.tsx';
import { Failed, Loading } from '../../../../ui/states.tsx';
import { useNumber } from '../../../../ui/values.tsx';
import { useEditing } from '../../draft/editing.ts';
import { BacktestCounts } from './counts.tsx';
import { BacktestPlayers, type PlayersQuery } from './players.tsx';
import { BacktestProgress } from './progress.tsx';
import { backtestQuery, isWorking } from './queries.ts';
import { BacktestSteps } from './steps.tsx';

const DaysChart = lazyPart(() => import('../../charts/days-chart.tsx'));

/** Counts that the chart shows as lines. */
const charted = ['entered', 'sent', 'withheld', 'credited', 'goal_reached', 'exited', 'failed'] as const;

/** One backtest: its progress, its counts, and the players behind each count. */
export function Backtest({ code, id }: { code: string; id: number }) {
  const words = useWords(campaignTrial);
  const number = useNumber();
  const { brand } = useEditing();
  const [listed, setListed] = useState<PlayersQuery>();
  const backtest = useQuery(backtestQuery(brand, code, id));
  if (backtest.isPending) return <Loading />;
  if (backtest.isLoadingError) return <Failed error={backtest.error} onRetry={() => backtest.refetch()} />;
  const { state, reason, share, skipped, days, steps } = backtest.data;
  return (
    <Stack>
      <BacktestProgress code={code} id={id} backtest={backtest.data} />
      {reason !== null && <Alert color="red">{reason}</Alert>}
      {share < 1 && share > 0 && !isWorking(state) && <Alert color="blue">{words.sample(number(share * 100))}</Alert>}
      {skipped > 0 && <Alert color="yellow">{words.skipped(number(skipped))}</Alert>}
      <BacktestCounts backtest={backtest.data} show={setListed} />
      {days.length > 0 && (
        <>
          <Title order={3} size="h5">
            {words.byDay}
          </Title>
          <DaysChart
            label={`${words.ways.backtest}: ${words.byDay}`}
            days={days}
            series={charted.map((name) => ({ name, label: words.counts[name] ?? name }))}
            first={['entered', 'sent', 'withheld']}
          />
        </>
      )}
      {steps.length > 0 && <BacktestSteps steps={steps} />}
      <BacktestPlayers code={code} id={id} of={listed} days={days.map(({ day }) => day)} change={setListed} />
    </Stack>
  );
}
