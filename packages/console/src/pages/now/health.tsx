import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { channelsQuery, operatorHealthQuery } from '../../api/queries.ts';
import { now } from '../../text/now.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { State, useNumber } from '../../ui/values.tsx';

/** Shows for each endpoint whether the operator answers. */
export function OperatorHealth({ brand }: { brand: string }) {
  const words = useWords(now);
  const nameOf = useCode();
  const number = useNumber();
  const health = useQuery(operatorHealthQuery(brand));
  const used = health.data?.endpoints.filter(({ state, circuit }) => state !== 'unused' || circuit.state !== 'closed');
  return (
    <HealthCard title={<To to="integration/operator">{words.operator}</To>}>
      {health.isPending && <Loading />}
      {health.isLoadingError && <Failed error={health.error} onRetry={() => health.refetch()} />}
      {used?.length === 0 && <Text size="sm">{words.noCalls}</Text>}
      {used?.map(({ endpoint, state, circuit, recent }) => (
        <Line
          key={endpoint}
          name={nameOf(endpoint)}
          note={
            recent.success_rate === null
              ? words.noCalls
              : `${words.calls(`${number(recent.success_rate * 100)} %`)}${recent.p99_ms === null ? '' : `, ${words.took(number(recent.p99_ms))}`}`
          }
        >
          {circuit.state === 'closed' ? <State of={state} /> : <State of={circuit.state} place="circuit" />}
        </Line>
      ))}
    </HealthCard>
  );
}

/** Shows whether the message providers answer. */
export function ChannelHealth({ brand }: { brand: string }) {
  const words = useWords(now);
  const nameOf = useCode();
  const channels = useQuery(channelsQuery(brand));
  return (
    <HealthCard title={<To to="settings/channels">{words.channels}</To>}>
      {channels.isPending && <Loading />}
      {channels.isLoadingError && <Failed error={channels.error} onRetry={() => channels.refetch()} />}
      {channels.data?.items.map(({ channel, state, providers }) => {
        const failing = providers.find(({ circuit }) => circuit !== 'closed');
        return (
          <Line key={channel} name={nameOf(channel)} note={failing?.last_error ?? ''}>
            {failing === undefined ? <State of={state} /> : <State of={failing.circuit} place="circuit" />}
          </Line>
        );
      })}
    </HealthCard>
  );
}

function HealthCard({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Card withBorder padding="sm">
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      <Stack gap={6}>{children}</Stack>
    </Card>
  );
}

function Line({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <Text size="sm" className="nowrap">
        {name}
      </Text>
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Text size="xs" c="dimmed" truncate title={note}>
          {note}
        </Text>
        {children}
      </Group>
    </Group>
  );
}
