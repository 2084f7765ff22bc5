import { Badge, Card, Group, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/values.tsx';
import { Cause, Line } from '../player/timeline-line.tsx';
import { type Effect, effectsSince } from './effects-since.ts';

const refreshMs = 2_000;

interface EffectsProps {
  brand: string;
  userId: string;
  /** Position of the event in the ledger. */
  position: string;
  /** When the event was received. */
  since: string;
}

/** What the platform did about a player since an event, in chronological order. */
export function Effects({ brand, userId: user_id, position, since }: EffectsProps) {
  const { inspector: words } = useWords(integration);
  const [isOnlyCaused, setOnlyCaused] = useState(false);
  const read = useQuery({
    queryKey: [brand, 'effects', user_id, position],
    refetchInterval: every(refreshMs),
    queryFn: async () => {
      const params = { path: { brand, user_id } };
      const [timeline, runs] = await Promise.all([
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/players/{user_id}/timeline', {
            params: { ...params, query: { from: since, kind: 'effect', bodies: false } },
          }),
        ),
        bodyOf(api.GET('/api/console/v1/brands/{brand}/players/{user_id}/runs', { params })),
      ]);
      return effectsSince({ timeline: timeline.items, runs: runs.items }, { position, since });
    },
  });
  const shown = read.data?.filter(({ isCausedByIt }) => isCausedByIt || !isOnlyCaused);
  return (
    <Card withBorder>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={3} size="h4">
            {words.effects}
          </Title>
          <Text size="sm" c="dimmed">
            {words.effectsAbout}
          </Text>
        </div>
        <Switch
          label={words.onlyCaused}
          checked={isOnlyCaused}
          onChange={({ currentTarget }) => setOnlyCaused(currentTarget.checked)}
        />
      </Group>
      {read.isPending && <Loading />}
      {read.isLoadingError && <Failed error={read.error} onRetry={() => read.refetch()} />}
      {shown !== undefined && <EffectRows effects={shown} userId={user_id} />}
    </Card>
  );
}

function EffectRows({ effects, userId }: { effects: readonly Effect[]; userId: string }) {
  const { inspector: words } = useWords(integration);
  const { timeline } = useWords(playerPage);
  const { common } = useText();
  if (effects.length === 0) return <Empty>{words.noEffects}</Empty>;
  return (
    <Rows
      items={effects}
      keyOf={({ key }) => key}
      columns={[
        { title: common.when, show: ({ entry }) => <Moment at={entry.at} /> },
        { title: common.what, show: ({ entry }) => <Line entry={entry} userId={userId} /> },
        { title: timeline.causedBy, show: ({ entry }) => <Cause entry={entry} userId={userId} /> },
        {
          title: words.cause,
          show: ({ isCausedByIt }) =>
            isCausedByIt ? (
              <Badge variant="light" tt="none" miw="max-content">
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
