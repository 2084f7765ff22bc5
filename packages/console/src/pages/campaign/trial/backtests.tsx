import { Alert, Button, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { campaignTrial } from '../../../text/campaign-trial.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useFilters } from '../../../ui/filters.tsx';
import { Rows } from '../../../ui/list.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { Moment, State, useNumber } from '../../../ui/values.tsx';
import { useEditing } from '../draft/editing.ts';
import { Backtest } from './backtest/backtest.tsx';
import { backtestsQuery } from './backtest/queries.ts';
import { StartBacktest } from './backtest/start.tsx';

interface BacktestsProps {
  code: string;
  isChanged: boolean;
}

/**
 * The backtests of a campaign. The user starts them here. The address contains the id of the open backtest, so that the
 * user can return to it.
 */
export function Backtests({ code, isChanged }: BacktestsProps) {
  const words = useWords(campaignTrial);
  const { common } = useText();
  const number = useNumber();
  const { brand, mayEdit } = useEditing();
  const { filters, change } = useFilters();
  const open = (id: number) => change('backtest', String(id));
  const backtests = useQuery(backtestsQuery(brand, code));
  if (backtests.isPending) return <Loading />;
  if (backtests.isLoadingError) return <Failed error={backtests.error} onRetry={() => backtests.refetch()} />;
  const { items } = backtests.data;
  const shown = items.find(({ backtest_id }) => String(backtest_id) === filters.backtest) ?? items[0];
  return (
    <Stack>
      {isChanged && <Alert color="yellow">{words.takesSaved}</Alert>}
      {mayEdit && <StartBacktest code={code} onStarted={open} />}
      {shown === undefined ? (
        <Empty>{words.noBacktests}</Empty>
      ) : (
        <>
          <Backtest key={shown.backtest_id} code={code} id={shown.backtest_id} />
          <Title order={3} size="h5">
            {words.newest}
          </Title>
          <Rows
            items={items}
            keyOf={({ backtest_id }) => backtest_id}
            columns={[
              { title: common.when, isMain: true, show: ({ created_at }) => <Moment at={created_at} /> },
              { title: common.state, show: ({ state }) => <State of={state} label={words.states[state] ?? state} /> },
              { title: common.version, align: 'right', show: ({ version }) => version },
              { title: words.tried, align: 'right', show: ({ tried }) => number(tried) },
              { title: words.counts.entered ?? '', align: 'right', show: ({ totals }) => number(totals.entered) },
              { title: words.byWhom, show: ({ created_by }) => created_by },
              {
                title: words.open,
                show: ({ backtest_id }) => (
                  <Button
                    size="compact-sm"
                    variant={backtest_id === shown.backtest_id ? 'light' : 'default'}
                    aria-label={`${words.open}: ${backtest_id}`}
                    onClick={() => open(backtest_id)}
                  >
                    {words.open}
                  </Button>
                ),
              },
            ]}
          />
        </>
      )}
    </Stack>
  );
}
