import { Alert, Card, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { operatorHealthQuery } from '../../api/queries.ts';
import { integration } from '../../text/integration.ts';
import { operatorSettings } from '../../text/operator-settings.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Fields } from '../../ui/fields.tsx';
import { List, Rows } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { EndpointTest } from './endpoint-test/endpoint-test.tsx';
import { OperatorSettings } from './operator-settings.tsx';

const refreshMs = 2_000;

/** The calls that the platform makes to the operator, with a test of each. */
export function Operator() {
  const brand = useBrand();
  const { operator: words } = useWords(integration);
  const { values: valueWords } = useWords(operatorSettings);
  const nameOf = useCode();
  const title = useWords(places).pages.operator;
  const { common } = useText();
  const number = useNumber();
  const path = { brand };
  const shown = useQuery({
    queryKey: [brand, 'brand'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}', { params: { path } })),
  });
  const health = useQuery(operatorHealthQuery(brand));
  if (shown.isPending || health.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  if (health.isLoadingError) return <FailedPage error={health.error} onRetry={() => health.refetch()} />;
  const { operator, test_user_id: testUser } = shown.data;
  return (
    <Page title={title} about={words.about} actions={<OperatorSettings settings={shown.data} />}>
      {operator === null ? (
        <Alert color="yellow">{words.notSetUp}</Alert>
      ) : (
        <Fields
          of={[
            [words.address, operator.base_url],
            [words.auth, valueWords[operator.auth] ?? operator.auth],
            [words.idempotent, operator.idempotent_bonus ? words.yes : words.no],
            [words.on500, nameOf(operator.bonus_500)],
            [words.testUser, testUser ?? common.none],
          ]}
        />
      )}
      {health.data.alarms.map(({ code, severity, message }) => (
        <Alert key={code} color={severity === 'critical' ? 'red' : 'yellow'} title={nameOf(code)}>
          {message}
        </Alert>
      ))}
      <Rows
        items={health.data.endpoints}
        keyOf={({ endpoint }) => endpoint}
        columns={[
          {
            title: words.endpoint,
            show: ({ endpoint, state }) => (
              <>
                <Text size="sm">{nameOf(endpoint)}</Text>
                <State of={state} />
              </>
            ),
          },
          { title: words.circuit, show: ({ circuit }) => <State of={circuit.state} place="circuit" /> },
          {
            title: words.rate,
            align: 'right',
            show: ({ recent }) =>
              recent.success_rate === null ? common.none : `${number(recent.success_rate * 100)} %`,
          },
          {
            title: words.took,
            align: 'right',
            show: ({ recent }) =>
              recent.p50_ms === null ? common.none : `${number(recent.p50_ms)} / ${number(recent.p99_ms ?? 0)} ms`,
          },
          { title: words.waiting, align: 'right', show: ({ waiting }) => number(waiting.due + waiting.retrying) },
          { title: words.lastSuccess, show: ({ last_success }) => <Moment at={last_success} /> },
          {
            title: words.lastError,
            show: ({ last_error }) =>
              last_error === null ? (
                common.none
              ) : (
                <>
                  <Moment at={last_error.at} />
                  <Text size="xs" className="timeline-line">
                    {nameOf(last_error.reason)}: {last_error.detail}
                  </Text>
                </>
              ),
          },
          {
            title: words.test,
            show: ({ endpoint }) => <EndpointTest brand={brand} endpoint={endpoint} settings={shown.data} />,
          },
        ]}
      />
      <Card withBorder>
        <Group mb="sm">
          <Title order={3} size="h4">
            {words.problems}
          </Title>
        </Group>
        <List
          name={[brand, 'sync-problems']}
          refreshMs={refreshMs}
          read={(cursor) =>
            bodyOf(
              api.GET('/api/console/v1/brands/{brand}/sync-problems', {
                params: { path, query: cursor ? { cursor } : {} },
              }),
            )
          }
          keyOf={({ player_id, look_up, path: field, reason }) => `${player_id} ${look_up} ${field} ${reason}`}
          empty={words.noProblems}
          columns={[
            { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
            { title: words.lookUp, show: ({ look_up }) => <Named of={look_up} /> },
            { title: common.reason, show: ({ message }) => message },
            { title: words.since, show: ({ since }) => <Moment at={since} /> },
          ]}
        />
      </Card>
    </Page>
  );
}
