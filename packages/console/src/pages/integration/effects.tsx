import { Badge, Card, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Rows } from '../../ui/list.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { type Effect, effectsSince } from './effects-since.ts';

const refreshMs = 2_000;

interface EffectsProps {
  brand: string;
  userId: string;
  /** Of the event. */
  position: string;
  /** When the event was received. */
  since: string;
}

/** What the platform did about a player since an event, in one line of time. */
export function Effects({ brand, userId: user_id, position, since }: EffectsProps) {
  const { inspector: words } = useWords(integration);
  const read = useQuery({
    queryKey: [brand, 'effects', user_id, position],
    refetchInterval: every(refreshMs),
    queryFn: async () => {
      const params = { path: { brand, user_id } };
      const [timeline, runs, decisions] = await Promise.all([
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/players/{user_id}/timeline', {
            params: { ...params, query: { from: since, limit: 100, bodies: false } },
          }),
        ),
        bodyOf(api.GET('/api/console/v1/brands/{brand}/players/{user_id}/runs', { params })),
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/decisions', {
            params: { path: { brand }, query: { user_id, from: since, limit: 50 } },
          }),
        ),
      ]);
      return { timeline: timeline.items, runs: runs.items, decisions: decisions.items };
    },
  });
  return (
    <Card withBorder>
      <Title order={3} size="h4">
        {words.effects}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.effectsAbout}
      </Text>
      {read.isPending && <Loading />}
      {read.isError && <Failed error={read.error} onRetry={() => read.refetch()} />}
      {read.isSuccess && <EffectRows effects={effectsSince(read.data, { position, since })} />}
    </Card>
  );
}

function EffectRows({ effects }: { effects: readonly Effect[] }) {
  const { inspector: words } = useWords(integration);
  const nameOf = useCode();
  const { common } = useText();
  if (effects.length === 0) return <Empty>{words.noEffects}</Empty>;
  return (
    <Rows
      items={effects}
      keyOf={({ key }) => key}
      columns={[
        { title: common.when, show: ({ at }) => <Moment at={at} /> },
        {
          title: common.what,
          show: ({ kind, what, link }) => (
            <Group gap="xs">
              <Text size="sm" c="dimmed">
                {nameOf(kind)}
              </Text>
              {link === undefined ? <Text size="sm">{what}</Text> : <To to={link}>{what}</To>}
            </Group>
          ),
        },
        { title: common.state, show: ({ state }) => (state === undefined ? common.none : <State of={state} />) },
        { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
        {
          title: words.cause,
          show: ({ isCausedByIt }) =>
            isCausedByIt ? (
              <Badge variant="light" tt="none">
                {words.causedBy}
              </Badge>
            ) : (
              common.none
            ),
        },
      ]}
    />
  );
}
