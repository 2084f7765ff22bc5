import { Alert, Button, Group, NumberInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../../api/client.ts';
import { campaignTrial } from '../../../text/campaign-trial.ts';
import { useWords } from '../../../text/text.tsx';
import { Money } from '../../../ui/money.tsx';
import { lazyPart } from '../../../ui/parts/lazy-part.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { useEditing } from '../draft/editing.ts';

const RangeChart = lazyPart(() => import('../charts/range-chart.tsx'));
const counts = ['entered', 'sent', 'credited'] as const;

interface ForecastProps {
  code: string;
  /** Revision of the stored draft. A forecast of an earlier draft is not shown. */
  revision: string;
  isChanged: boolean;
  /** Opens the backtest, which the forecast needs. */
  toBacktests(): void;
}

/** A forecast for the next days. */
export function Forecast({ code, revision, isChanged, toBacktests }: ForecastProps) {
  const words = useWords(campaignTrial);
  const number = useNumber();
  const { brand } = useEditing();
  const [days, setDays] = useState<number | string>(7);
  const forecast = useQuery({
    queryKey: [brand, 'campaign-forecast', code, revision, days],
    queryFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/forecast', {
          params: { path: { brand, code } },
          body: { days: Number(days) },
        }),
      ),
    enabled: Number(days) >= 1 && Number(days) <= 31,
  });
  const { error } = forecast;
  const isMissing = error instanceof ApiProblem && error.status === 409;
  // The schedule of the campaign does not fit the past days. The message says why.
  const ofSchedule = isMissing && error.errors.some(({ path }) => path === '/entry/schedule') ? error.message : null;
  return (
    <Stack>
      {isChanged && <Alert color="yellow">{words.takesSaved}</Alert>}
      <Group align="flex-end">
        <NumberInput label={words.nextDays} min={1} max={31} value={days} onChange={setDays} allowDecimal={false} />
      </Group>
      {forecast.isPending && <Loading />}
      {ofSchedule !== null && (
        <Alert color="blue">
          <Text size="sm">{ofSchedule}</Text>
        </Alert>
      )}
      {isMissing && ofSchedule === null && (
        <Alert color="blue">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{words.needsBacktest}</Text>
            <Button size="compact-sm" variant="default" onClick={toBacktests}>
              {words.toBacktest}
            </Button>
          </Stack>
        </Alert>
      )}
      {forecast.isError && !isMissing && <Failed error={forecast.error} onRetry={() => forecast.refetch()} />}
      {forecast.data !== undefined && (
        <>
          <Text size="sm" c="dimmed">
            {forecast.data.method} {words.rests(forecast.data.from, forecast.data.until)}
          </Text>
          <Text size="sm" className="figure">
            {words.cost}: <Money of={forecast.data.total.cost.expected} /> (<Money of={forecast.data.total.cost.low} />{' '}
            – <Money of={forecast.data.total.cost.high} />)
            {forecast.data.unknown_cost > 0 && `. ${words.unknownCost(number(forecast.data.unknown_cost))}`}
          </Text>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            {counts.map((name, at) => {
              const { expected, low, high } = forecast.data.total[name];
              const title = words.counts[name] ?? name;
              const total = words.expect(number(expected), number(low), number(high));
              return (
                <section key={name} aria-label={title}>
                  <Title order={3} size="h5">
                    {title}
                  </Title>
                  <Text size="sm" className="figure">
                    {words.inAll}: {total}
                  </Text>
                  <RangeChart
                    label={`${title}: ${total}`}
                    series={at}
                    points={forecast.data.days.map(({ day, [name]: range }) => ({ day, ...range }))}
                  />
                </section>
              );
            })}
            <section aria-label={words.cost}>
              <Title order={3} size="h5">
                {words.cost}
              </Title>
              <RangeChart
                label={words.cost}
                series={counts.length}
                points={forecast.data.days.map(({ day, cost: { expected, low, high } }) => ({
                  day,
                  expected: Number(expected),
                  low: Number(low),
                  high: Number(high),
                }))}
              />
            </section>
          </SimpleGrid>
        </>
      )}
    </Stack>
  );
}
