import { Alert, Button, Card, Group, Loader, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useFieldName } from '../../text/use-field-names.ts';
import { Rows } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { type Difference, differencesOf, type LookedUp } from './differences.ts';

interface Answer {
  as_of: string | null;
  last_error: { at: string; reason: string; detail: string } | null;
}

interface Asked extends LookedUp {
  user_id: string;
  sync: { look_ups: Record<'details' | 'consents' | 'blocks', Answer> };
}

/** The state of a look-up at the operator. */
export type Refreshing =
  | { state: 'idle' }
  | { state: 'asking' }
  | { state: 'answered'; differences: readonly Difference[]; failures: readonly { reason: string; detail: string }[] };

/** Milliseconds between two reads of the player while a look-up is open. */
const pollMs = 1_000;

/** Looks up a player at the operator. When all three look-ups have ended, it shows what changed. */
export function useRefresh(brand: string, player: Asked | undefined): { refreshing: Refreshing; ask(): void } {
  const queries = useQueryClient();
  const [before, setBefore] = useState<{ player: Asked; requested_at: string }>();
  const userId = player?.user_id ?? '';
  const ask = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/players/{user_id}/refresh', {
          params: { path: { brand, user_id: userId } },
        }),
      ),
    onMutate: () => setBefore(undefined),
    onSuccess: ({ requested_at }) => player !== undefined && setBefore({ player, requested_at }),
  });
  const answers = Object.values(player?.sync.look_ups ?? {});
  const isLater = (at: string | undefined | null) =>
    before !== undefined && at != null && Date.parse(at) >= Date.parse(before.requested_at);
  const isOver =
    before !== undefined && answers.every(({ as_of, last_error }) => isLater(as_of) || isLater(last_error?.at));
  const isAsking = ask.isPending || (before !== undefined && !isOver);
  useEffect(() => {
    if (!isAsking) return;
    // A read that takes longer than the interval is not cancelled. Otherwise it would never be answered.
    const readAgain = () =>
      void queries.invalidateQueries({ queryKey: [brand, 'player', userId] }, { cancelRefetch: false });
    const timer = setInterval(readAgain, pollMs);
    return () => clearInterval(timer);
  }, [isAsking, queries, brand, userId]);
  // The result stays the same until the next look-up. Otherwise it would change, because events continue to change the
  // player's page.
  const [found, setFound] = useState<{ of: string; refreshing: Refreshing }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: decided once per look-up
  useEffect(() => {
    if (!isOver || player === undefined) return;
    setFound({
      of: before.requested_at,
      refreshing: {
        state: 'answered',
        differences: differencesOf(before.player, player),
        failures: answers.flatMap(({ last_error }) => (isLater(last_error?.at) && last_error ? last_error : [])),
      },
    });
  }, [isOver, before?.requested_at]);
  const refreshing: Refreshing = isAsking
    ? { state: 'asking' }
    : found !== undefined && found.of === before?.requested_at
      ? found.refreshing
      : { state: 'idle' };
  return { refreshing, ask: ask.mutate };
}

export function RefreshButton({ refreshing, onAsk }: { refreshing: Refreshing; onAsk(): void }) {
  const { refresh: words } = useWords(playerPage);
  const may = useMay();
  if (!may('player.refresh')) return null;
  return (
    <Button
      variant="light"
      leftSection={<IconRefresh size={16} />}
      loading={refreshing.state === 'asking'}
      onClick={onAsk}
    >
      {words.button}
    </Button>
  );
}

export function RefreshResult({ refreshing }: { refreshing: Refreshing }) {
  const { refresh: words } = useWords(playerPage);
  const nameOf = useCode();
  const fieldName = useFieldName();
  if (refreshing.state === 'idle') return null;
  if (refreshing.state === 'asking') {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text size="sm">{words.asking}</Text>
      </Group>
    );
  }
  const { differences, failures } = refreshing;
  return (
    <Card withBorder padding="sm" role="status">
      <Title order={3} size="h5" mb="xs">
        {words.title}
      </Title>
      {failures.map(({ reason, detail }) => (
        <Alert key={`${reason} ${detail}`} color="red" mb="xs">
          {words.failed} {nameOf(reason)}. {detail}
        </Alert>
      ))}
      {differences.length === 0 ? (
        <Text size="sm">{words.same}</Text>
      ) : (
        <Rows
          items={differences}
          keyOf={({ part, field }) => `${part} ${field}`}
          columns={[
            { title: words.field, show: ({ part, field }) => (part === 'details' ? fieldName(field) : nameOf(field)) },
            { title: words.before, show: ({ before }) => before },
            { title: words.after, show: ({ after }) => <b>{after}</b> },
          ]}
        />
      )}
    </Card>
  );
}
