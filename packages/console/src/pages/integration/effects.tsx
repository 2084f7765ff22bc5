import { Alert, Card, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment } from '../../ui/values.tsx';
import { Cause, Line } from '../player/timeline-line.tsx';
import { entryKey, type TimelineEntry } from '../player/timeline-words.ts';

const refreshMs = 2_000;

interface EffectsProps {
  brand: string;
  userId: string;
  /** Position of the event in the ledger. */
  position: string;
  /** When the event was received. */
  since: string;
}

/** What an event caused for its player, in chronological order. */
export function Effects({ brand, userId, position, since }: EffectsProps) {
  const { inspector: words } = useWords(integration);
  const read = useQuery({
    queryKey: [brand, 'effects', position],
    refetchInterval: every(refreshMs),
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/feed/{position}/effects', { params: { path: { brand, position } } }),
      ),
  });
  const timeline = { to: `players/${encodeURIComponent(userId)}`, search: { from: since } };
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
          {(read.data?.look_ups.length ?? 0) > 0 && (
            <Text size="sm" c="dimmed">
              {words.foundByTime}
            </Text>
          )}
        </div>
        <To {...timeline}>{words.sinceThen}</To>
      </Group>
      {read.data?.cut && (
        <Alert color="yellow" mb="sm" role="status">
          {words.cut}{' '}
          <To {...timeline} isSentence>
            {words.sinceThen}
          </To>
        </Alert>
      )}
      {read.isPending && <Loading />}
      {read.isLoadingError && <Failed error={read.error} onRetry={() => read.refetch()} />}
      {read.data !== undefined && <EffectRows effects={read.data.items} userId={userId} />}
    </Card>
  );
}

function EffectRows({ effects, userId }: { effects: readonly TimelineEntry[]; userId: string }) {
  const { inspector: words } = useWords(integration);
  const { timeline } = useWords(playerPage);
  const { common } = useText();
  if (effects.length === 0)
    return (
      <Empty>
        {words.noEffects} {words.notFollowed}
      </Empty>
    );
  return (
    <Rows
      items={effects}
      keyOf={entryKey}
      columns={[
        { title: common.when, show: ({ at }) => <Moment at={at} /> },
        { title: common.what, show: (entry) => <Line entry={entry} userId={userId} /> },
        { title: timeline.causedBy, show: (entry) => <Cause entry={entry} userId={userId} /> },
      ]}
    />
  );
}
