import {
  Alert,
  Badge,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { every } from '../../../api/live.ts';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { useFilters } from '../../../ui/filters.tsx';
import { type Column, Rows } from '../../../ui/list.tsx';
import { Money } from '../../../ui/money.tsx';
import { lazyPart } from '../../../ui/parts/lazy-part.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { AmountPlayers, type AmountQuery } from './amount-players.tsx';
import { OutcomePlayers, type OutcomeQuery, outcomeNames } from './outcome-players.tsx';

const DaysChart = lazyPart(() => import('../charts/days-chart.tsx'));
const IntervalChart = lazyPart(() => import('../charts/interval-chart.tsx'));

/**
 * Time between two reads, in milliseconds. Results are sums over all runs, so they are read less often than the counts
 * on the canvas.
 */
const refreshMs = 10_000;

const resultsOf = (brand: string, code: string, window_days: number) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/results', {
      params: { path: { brand, code }, query: { window_days } },
    }),
  );
type Shown = Awaited<ReturnType<typeof resultsOf>>;
type Split = Shown['splits'][number];
type Counts = Readonly<Record<(typeof outcomeNames)[number], number>>;

interface ResultsProps {
  brand: string;
  code: string;
}

/** Results of a campaign: counts with their lists, days, costs, and a comparison of its arms. */
export default function Results({ brand, code }: ResultsProps) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const { filters, change } = useFilters();
  const window = Math.min(90, Math.max(1, Number(filters.window ?? 7) || 7));
  const [listed, setListed] = useState<OutcomeQuery>();
  const [listedAmount, setListedAmount] = useState<AmountQuery>();
  const results = useQuery({
    queryKey: [brand, 'campaign', code, 'results', window],
    queryFn: () => resultsOf(brand, code, window),
    refetchInterval: every(refreshMs),
    placeholderData: keepPreviousData,
  });
  if (results.isPending) return <Loading />;
  if (results.isLoadingError) return <Failed error={results.error} onRetry={() => results.refetch()} />;
  const { data } = results;
  if (data.entered === 0) return <Empty>{words.noResults}</Empty>;
  return (
    <Stack gap="xl">
      <section aria-label={words.funnel}>
        <Group justify="space-between" align="flex-end" mb="xs">
          <div>
            <Title order={3} size="h4">
              {words.funnel}
            </Title>
            <Text size="sm" c="dimmed">
              {words.funnelHint}
            </Text>
          </div>
        </Group>
        <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }} spacing="xs">
          {outcomeNames
            .filter((name) => data[name] > 0 || name === 'entered')
            .map((outcome) => (
              <UnstyledButton key={outcome} className="tile" onClick={() => setListed({ outcome })}>
                <Text size="xl" fw={600} className="figure">
                  {number(data[outcome])}
                </Text>
                <Text size="sm" c="dimmed">
                  {words.outcomes[outcome] ?? outcome}
                </Text>
              </UnstyledButton>
            ))}
        </SimpleGrid>
      </section>
      <Days brand={brand} code={code} />
      {(['withheld', 'failed', 'unknown'] as const).map((outcome) => (
        <ReasonBars
          key={outcome}
          title={words.effectsBy[outcome]}
          reasons={data[`${outcome}_by`]}
          show={(reason) => setListed({ outcome, reason })}
        />
      ))}
      {data.splits.length > 0 && (
        <section aria-label={words.compared}>
          <Group justify="space-between" align="flex-end" mb="xs">
            <Title order={3} size="h4">
              {words.compared}
            </Title>
            <NumberInput
              label={words.window}
              min={1}
              max={90}
              value={window}
              allowDecimal={false}
              onChange={(days) => change('window', Number(days) === 7 ? null : String(days))}
            />
          </Group>
          <Stack>
            {data.splits.map((split) => (
              <SplitResults
                key={`${split.version} ${split.step}`}
                split={split}
                show={setListed}
                showAmount={(query) => setListedAmount({ ...query, window_days: window })}
              />
            ))}
          </Stack>
        </section>
      )}
      <CountsTable
        title={words.byStep}
        rows={data.effects}
        keyOf={({ version, step }) => `${version} ${step}`}
        first={[
          { title: words.step, show: ({ step }) => step },
          { title: words.tabs.versions, align: 'right', show: ({ version }) => version },
        ]}
        queryOf={({ version, step }) => ({ version, step })}
        show={setListed}
      />
      {data.versions.length > 1 && (
        <CountsTable
          title={words.byVersion}
          rows={data.versions}
          keyOf={({ version }) => String(version)}
          first={[{ title: words.tabs.versions, align: 'right', show: ({ version }) => version }]}
          queryOf={({ version }) => ({ version })}
          show={setListed}
        />
      )}
      {data.costs.length > 0 && (
        <section aria-label={words.costs}>
          <Title order={3} size="h4" mb="xs">
            {words.costs}
          </Title>
          <Rows
            items={data.costs}
            keyOf={({ version, step }) => `${version} ${step}`}
            columns={[
              { title: words.step, show: ({ step }) => step },
              { title: words.tabs.versions, align: 'right', show: ({ version }) => version },
              ...(['granted', 'turned_real', 'funds'] as const).map(
                (of): Column<Shown['costs'][number]> => ({
                  title: words.amounts[of],
                  align: 'right',
                  show: ({ version, step, [of]: amount }) => (
                    <UnstyledButton className="linked figure" onClick={() => setListedAmount({ of, version, step })}>
                      <Money of={amount} />
                    </UnstyledButton>
                  ),
                }),
              ),
            ]}
          />
        </section>
      )}
      <OutcomePlayers brand={brand} code={code} of={listed} close={() => setListed(undefined)} />
      <AmountPlayers brand={brand} code={code} of={listedAmount} close={() => setListedAmount(undefined)} />
    </Stack>
  );
}

interface ReasonBarsProps {
  title: string;
  reasons: Shown['withheld_by'];
  show(reason: string): void;
}

/** Shows the effects by reason. A click on a bar opens its list. */
function ReasonBars({ title, reasons, show }: ReasonBarsProps) {
  const number = useNumber();
  const codeName = useCode();
  if (reasons.length === 0) return null;
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-label={title}>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      <Stack gap={6} maw={640}>
        {reasons.map(({ reason, count }) => (
          <UnstyledButton key={reason} className="bar" onClick={() => show(reason)}>
            <span className="bar-fill" style={{ width: `${(count / all) * 100}%` }} />
            <Text span size="sm">
              {codeName(reason)}
            </Text>
            <Text span size="sm" className="figure">
              {number(count)}
            </Text>
          </UnstyledButton>
        ))}
      </Stack>
    </section>
  );
}

function Days({ brand, code }: ResultsProps) {
  const words = useWords(campaignPage);
  const days = useQuery({
    queryKey: [brand, 'campaign', code, 'results', 'days'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/results/days', { params: { path: { brand, code } } }),
      ),
    refetchInterval: every(refreshMs),
  });
  if (days.isLoadingError) return <Failed error={days.error} onRetry={() => days.refetch()} />;
  if (days.data === undefined) return <Loading />;
  const { from, to } = days.data;
  const counts = new Map(days.data.days.map((one) => [one.day, one]));
  const shown = daysBetween(from, to).map((day) => {
    const { day: _, ...of } = counts.get(day) ?? { day };
    return { day, counts: of as Readonly<Record<string, number>> };
  });
  return (
    <section aria-label={words.byDay}>
      <Title order={3} size="h4" mb="xs">
        {words.byDay}
      </Title>
      <DaysChart
        label={`${words.byDay}: ${words.lastDays}`}
        days={shown}
        series={outcomeNames
          .filter((name) => shown.some((one) => (one.counts[name] ?? 0) > 0))
          .map((name) => ({ name, label: words.outcomes[name] ?? name }))}
        first={['entered', 'sent', 'clicked', 'goal_reached']}
      />
    </section>
  );
}

/** Returns all days from one day to another, both included. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

interface SplitProps {
  split: Split;
  show(query: OutcomeQuery): void;
  showAmount(query: AmountQuery): void;
}

/** The arms of one split: their counts, and their difference from the control arm per player. */
function SplitResults({ split, show, showAmount }: SplitProps) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const [measure, setMeasure] = useState<'deposits' | 'ggr' | 'ngr'>('ngr');
  const { step, version, arms } = split;
  const title = step === null ? words.holdout : words.splitOf(step, version);
  const intervals = arms.flatMap(({ name, measured }) => {
    const against = measured.sums[measure].against_control;
    return against === null ? [] : [{ name, ...against }];
  });
  const ofArm: Column<Split['arms'][number]> = {
    title: words.arm,
    show: ({ name, control, share }) => (
      <Group gap={6} wrap="nowrap">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {share !== null && (
          <Text size="sm" c="dimmed" className="nowrap">
            {words.shareOf(number(share))}
          </Text>
        )}
        {control && (
          <Badge size="sm" variant="default" tt="none" style={{ minWidth: 'max-content' }}>
            {words.control}
          </Badge>
        )}
      </Group>
    ),
  };
  // Outcomes are not counted for the arms of the brand's control group, which have no step.
  const counted: readonly OutcomeQuery['outcome'][] =
    step === null ? [] : ['sent', 'clicked', 'goal_reached', 'credited'];
  const hasControl = arms.some(({ control }) => control);
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
      <Rows
        items={arms}
        keyOf={({ name }) => name}
        columns={[
          ofArm,
          {
            title: words.players,
            align: 'right',
            show: ({ name, players }) => (
              <Figure
                count={players}
                onClick={() =>
                  step === null
                    ? showAmount({ of: 'measured', version, variant: name })
                    : show({ outcome: 'entered', version, split: step, variant: name })
                }
              />
            ),
          },
          ...counted.map(
            (outcome): Column<Split['arms'][number]> => ({
              title: words.outcomes[outcome] ?? outcome,
              align: 'right',
              show: ({ name, counts }) => (
                <Figure
                  count={counts[outcome]}
                  onClick={() => step !== null && show({ outcome, version, split: step, variant: name })}
                />
              ),
            }),
          ),
        ]}
      />
      <Rows
        items={arms}
        keyOf={({ name }) => name}
        columns={[
          ofArm,
          ...(
            [
              ['measured', 'players'],
              ['depositors', 'depositors'],
            ] as const
          ).map(
            ([of, counted]): Column<Split['arms'][number]> => ({
              title: words.amounts[of],
              align: 'right',
              show: ({ name, measured }) => (
                <Figure
                  count={measured[counted]}
                  onClick={() => showAmount({ of, version, variant: name, ...(step !== null && { split: step }) })}
                />
              ),
            }),
          ),
          ...Object.entries(words.measures).map(
            ([name, label]): Column<Split['arms'][number]> => ({
              title: `${label}, ${words.perPlayer}`,
              align: 'right',
              show: ({ measured }) => {
                const { mean } = measured.sums[name as typeof measure];
                return <Money of={mean?.toFixed(2)} />;
              },
            }),
          ),
        ]}
      />
      {hasControl &&
        (intervals.length === 0 ? (
          <Text size="sm" c="dimmed">
            {words.tooFew}
          </Text>
        ) : (
          <Stack gap="xs">
            <Select
              label={words.measure}
              w={220}
              allowDeselect={false}
              data={Object.entries(words.measures).map(([value, label]) => ({ value, label }))}
              value={measure}
              onChange={(chosen) => chosen !== null && setMeasure(chosen as typeof measure)}
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
        ))}
    </Stack>
  );
}

/** A number that opens its list. */
function Figure({ count, onClick }: { count: number; onClick(): void }) {
  const number = useNumber();
  if (count === 0) return <>{number(0)}</>;
  return (
    <UnstyledButton className="linked figure" onClick={onClick}>
      {number(count)}
    </UnstyledButton>
  );
}

interface CountsTableProps<Row extends Counts> {
  title: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  first: readonly Column<Row>[];
  queryOf(row: Row): Omit<OutcomeQuery, 'outcome'>;
  show(query: OutcomeQuery): void;
}

/** A table of counts of one kind. It has a column for each outcome that occurs. */
function CountsTable<Row extends Counts>({ title, rows, keyOf, first, queryOf, show }: CountsTableProps<Row>) {
  const words = useWords(campaignPage);
  const used = outcomeNames.filter((outcome) => rows.some((row) => row[outcome] > 0));
  if (used.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      <Rows
        items={rows}
        keyOf={keyOf}
        columns={[
          ...first,
          ...used.map(
            (outcome): Column<Row> => ({
              title: words.outcomes[outcome] ?? outcome,
              align: 'right',
              show: (row) => <Figure count={row[outcome]} onClick={() => show({ outcome, ...queryOf(row) })} />,
            }),
          ),
        ]}
      />
    </section>
  );
}
