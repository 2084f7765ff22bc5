import {
  Alert,
  Button,
  Group,
  NumberInput,
  Progress,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { every } from '../../../api/live.ts';
import { campaignTrial } from '../../../text/campaign-trial.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Sure, useAct } from '../../../ui/act.tsx';
import { useFilters } from '../../../ui/filters.tsx';
import { List, Rows } from '../../../ui/list.tsx';
import { Money } from '../../../ui/money.tsx';
import { lazyPart } from '../../../ui/parts/lazy-part.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { Moment, State, useNumber } from '../../../ui/values.tsx';
import { PlayerLink } from '../../player-link.tsx';
import { useEditing } from '../draft/editing.ts';

const DaysChart = lazyPart(() => import('../charts/days-chart.tsx'));

/** Milliseconds between two reads of a backtest that runs, and of one that has ended, while no stream reports changes. */
const workingMs = 1_000;
const endedMs = 30_000;
const isWorking = (state: string) => state === 'queued' || state === 'running';

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
  const params = { path: { brand, code } };
  const key = [brand, 'campaign', code, 'backtests'];
  const backtests = useQuery({
    queryKey: key,
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/backtests', { params })),
    refetchInterval: (query) =>
      query.state.data?.items.some(({ state }) => isWorking(state)) ? every(workingMs)(query) : false,
  });
  const [days, setDays] = useState<number | string>(7);
  const [players, setPlayers] = useState<number | string>(1_000);
  const start = useAct(
    () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/backtest', {
          params,
          body: { days: Number(days), players: Number(players) },
        }),
      ),
    { touches: key, done: words.started, onDone: ({ backtest_id }) => change('backtest', String(backtest_id)) },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  if (backtests.isPending) return <Loading />;
  if (backtests.isLoadingError) return <Failed error={backtests.error} onRetry={() => backtests.refetch()} />;
  const { items } = backtests.data;
  const shown = items.find(({ backtest_id }) => String(backtest_id) === filters.backtest) ?? items[0];
  return (
    <Stack>
      {isChanged && <Alert color="yellow">{words.takesSaved}</Alert>}
      {mayEdit && (
        <form onSubmit={submit}>
          <Group align="flex-end">
            <NumberInput label={words.days} min={1} max={90} value={days} onChange={setDays} allowDecimal={false} />
            <NumberInput
              label={words.mostPlayers}
              min={1}
              max={20_000}
              value={players}
              onChange={setPlayers}
              allowDecimal={false}
            />
            <Button type="submit" loading={start.isPending}>
              {words.start}
            </Button>
          </Group>
        </form>
      )}
      {start.isError && <Failed error={start.error} />}
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
                    onClick={() => change('backtest', String(backtest_id))}
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

/** Counts that the chart shows as lines. */
const charted = ['entered', 'sent', 'withheld', 'credited', 'goal_reached', 'exited', 'failed'] as const;

/** One backtest: its progress, its counts, and the players behind each count. */
function Backtest({ code, id }: { code: string; id: number }) {
  const words = useWords(campaignTrial);
  const { common } = useText();
  const number = useNumber();
  const codeName = useCode();
  const { brand, mayEdit } = useEditing();
  const [listed, setListed] = useState<Listed>();
  const params = { path: { brand, code, backtest_id: id } };
  const key = [brand, 'campaign', code, 'backtests', id];
  const backtest = useQuery({
    queryKey: key,
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/backtests/{backtest_id}', { params })),
    refetchInterval: (query) => {
      const state = query.state.data?.state;
      return every(state === undefined || isWorking(state) ? workingMs : endedMs)(query);
    },
  });
  const cancel = useAct(
    () => api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/backtests/{backtest_id}/cancel', { params }),
    { touches: [brand, 'campaign', code, 'backtests'], done: words.cancelled },
  );
  if (backtest.isPending) return <Loading />;
  if (backtest.isLoadingError) return <Failed error={backtest.error} onRetry={() => backtest.refetch()} />;
  const {
    state,
    reason,
    progress,
    share,
    tried,
    skipped,
    totals,
    withheld,
    credited_sums,
    cost,
    unknown_cost,
    days,
    steps,
    from,
    until,
  } = backtest.data;
  const isOpen = isWorking(state);
  return (
    <Stack>
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
      {reason !== null && <Alert color="red">{reason}</Alert>}
      {share < 1 && share > 0 && !isOpen && <Alert color="blue">{words.sample(number(share * 100))}</Alert>}
      {skipped > 0 && <Alert color="yellow">{words.skipped(number(skipped))}</Alert>}
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 6 }}>
        {Object.entries(totals).map(([outcome, count]) => (
          <UnstyledButton key={outcome} className="tile" disabled={count === 0} onClick={() => setListed({ outcome })}>
            <Text size="xl" fw={600} className="figure">
              {number(count)}
            </Text>
            <Text size="sm" c="dimmed">
              {words.counts[outcome] ?? outcome}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
      {Object.keys(credited_sums).length > 0 && (
        <Text size="sm" className="figure">
          {words.money}:{' '}
          {Object.entries(credited_sums)
            .map(([currency, sum]) => `${sum} ${currency}`)
            .join(', ')}
        </Text>
      )}
      {totals.credited > 0 && (
        <Text size="sm" className="figure">
          {words.cost}: <Money of={cost} />
          {unknown_cost > 0 && `. ${words.unknownCost(number(unknown_cost))}`}
        </Text>
      )}
      {Object.keys(withheld).length > 0 && (
        <Group gap="xs">
          <Text size="sm">{words.counts.withheld}:</Text>
          {Object.entries(withheld).map(([name, count]) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              onClick={() => setListed({ outcome: 'withheld', reason: name })}
            >
              {codeName(name)} {number(count)}
            </Button>
          ))}
        </Group>
      )}
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
      {steps.length > 0 && (
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
      )}
      <Entries code={code} id={id} listed={listed} days={days.map(({ day }) => day)} change={setListed} />
    </Stack>
  );
}

interface Listed {
  outcome: string;
  reason?: string;
  day?: string;
}

interface EntriesProps {
  code: string;
  id: number;
  listed: Listed | undefined;
  days: readonly string[];
  change(listed: Listed | undefined): void;
}

/** The rows behind a count: what would have happened to whom, and when. */
function Entries({ code, id, listed, days, change }: EntriesProps) {
  const words = useWords(campaignTrial);
  const { common } = useText();
  const codeName = useCode();
  const { brand } = useEditing();
  return (
    <SidePanel
      close={() => change(undefined)}
      title={
        listed &&
        words.whoFor(
          [words.counts[listed.outcome] ?? listed.outcome, listed.reason && codeName(listed.reason)]
            .filter(Boolean)
            .join(', '),
        )
      }
    >
      {listed !== undefined && (
        <Stack>
          <Select
            label={words.byDay}
            clearable
            data={[...days]}
            value={listed.day ?? null}
            onChange={(day) => {
              const { day: _, ...rest } = listed;
              change({ ...rest, ...(day !== null && { day }) });
            }}
          />
          <List
            name={[brand, 'campaign', code, 'backtests', id, 'players', listed]}
            read={(cursor) =>
              bodyOf(
                api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/backtests/{backtest_id}/players', {
                  params: { path: { brand, code, backtest_id: id }, query: { ...listed, ...(cursor && { cursor }) } },
                }),
              )
            }
            keyOf={(one) => JSON.stringify(one)}
            empty={words.noRows}
            columns={[
              { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
              { title: common.when, show: ({ at }) => <Moment at={at} /> },
              { title: words.step, show: ({ step }) => step ?? common.none },
              {
                title: words.reason,
                show: ({ reason, variant }) => (reason === null ? (variant ?? common.none) : codeName(reason)),
              },
              {
                title: words.says,
                show: ({ channel, bonus_code, amount, currency }) =>
                  [channel, bonus_code, amount && `${amount} ${currency}`].filter(Boolean).join(' ') || common.none,
              },
            ]}
          />
        </Stack>
      )}
    </SidePanel>
  );
}
