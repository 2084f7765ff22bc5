import { Alert, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { overviewQuery } from '../api/queries.ts';
import { useText } from '../text/text.tsx';
import { Rows } from '../ui/list.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Moment, State, useNumber } from '../ui/values.tsx';

/** What a brand's feed does at this moment, and what needs a person. */
export function Now() {
  const { brand } = useParams({ from: '/$brand' });
  const { now, common } = useText();
  const number = useNumber();
  const overview = useQuery(overviewQuery(brand));
  if (overview.isPending) return <Loading />;
  if (overview.isError) return <Failed error={overview.error} onRetry={() => overview.refetch()} />;
  const { events_per_second, lag, alarms, go_live, kinds } = overview.data;
  const heard = kinds.filter(({ events, last_received_at }) => events > 0 || last_received_at !== null);
  return (
    <Stack gap="lg">
      <Title order={2}>{now.title}</Title>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Figure title={now.rate} value={number(events_per_second)} />
        <Figure title={now.lag} value={`${number(lag.seconds)} s`} />
        <Figure title={now.alarms} value={number(alarms.length)} />
        <Figure
          title={now.goLive}
          value={
            go_live.ready
              ? now.ready
              : `${go_live.steps.filter(({ state }) => state === 'done').length} / ${go_live.steps.length}`
          }
        />
      </SimpleGrid>
      {alarms.length === 0 && (
        <Alert color="green" icon={<IconCircleCheck />}>
          {now.calm}
        </Alert>
      )}
      {alarms.map(({ code, severity, message, since }) => (
        <Alert
          key={`${code} ${message}`}
          color={severity === 'critical' ? 'red' : 'yellow'}
          icon={<IconAlertTriangle />}
          title={code.replaceAll('_', ' ')}
        >
          <Text size="sm">{message}</Text>
          {since !== null && (
            <Text size="xs" c="dimmed">
              <Moment at={since} />
            </Text>
          )}
        </Alert>
      ))}
      <Card withBorder>
        <Title order={3} size="h4" mb="sm">
          {now.goLive}
        </Title>
        <Rows
          items={go_live.steps}
          keyOf={({ step }) => step}
          columns={[
            { title: common.name, show: ({ step, item }) => `${step}. ${item}` },
            { title: common.state, show: ({ state }) => <State of={state} /> },
            { title: now.last, show: ({ last_success }) => <Moment at={last_success} /> },
            { title: common.reason, show: ({ last_error }) => last_error?.message ?? common.none },
          ]}
        />
      </Card>
      <Card withBorder>
        <Title order={3} size="h4" mb="sm">
          {now.kinds}
        </Title>
        <Rows
          items={heard}
          keyOf={({ kind }) => kind}
          columns={[
            { title: now.kind, show: ({ kind }) => kind },
            { title: now.perSecond, align: 'right', show: ({ per_second }) => number(per_second) },
            { title: now.lastDay, align: 'right', show: ({ events }) => number(events) },
            {
              title: now.delay,
              align: 'right',
              show: ({ publish_delay: delay }) =>
                delay === null ? common.none : `${number(delay.p50_ms)} / ${number(delay.p99_ms)} ms`,
            },
            { title: now.quarantined, align: 'right', show: ({ quarantined }) => number(quarantined) },
            { title: now.last, show: ({ last_received_at }) => <Moment at={last_received_at} /> },
          ]}
        />
      </Card>
    </Stack>
  );
}

function Figure({ title, value }: { title: string; value: string }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Group>
        <Text className="figure" size="xl" fw={600}>
          {value}
        </Text>
      </Group>
    </Card>
  );
}
