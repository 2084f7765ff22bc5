import { Alert, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { Fields } from '../../ui/fields.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';

const refreshMs = 1_000;

/**
 * One recomputation: its progress, and the players who differ. The recomputation continues when the user leaves the
 * page.
 */
export function Rebuild() {
  const brand = useBrand();
  const rebuild_id = Number(useAddressPart('id'));
  const { rebuilds: words } = useWords(integration);
  const list = useWords(places).pages.rebuilds;
  const { common } = useText();
  const number = useNumber();
  const may = useMay()('state.rebuild');
  const params = { path: { brand, rebuild_id } };
  const touches = [brand, 'rebuild', rebuild_id];
  const shown = useQuery({
    queryKey: touches,
    refetchInterval: every(refreshMs),
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/rebuilds/{rebuild_id}', { params })),
  });
  const cancel = useAct(
    () => api.POST('/api/console/v1/brands/{brand}/rebuilds/{rebuild_id}/cancel', { params, body: {} }),
    { touches },
  );
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const rebuild = shown.data;
  const isOver = rebuild.phase === 'over';
  return (
    <Page
      title={`${list}: ${rebuild.user_id ?? words.wholeBrand}`}
      actions={
        <>
          <To to="integration/rebuilds">{words.all}</To>
          {may && !isOver && (
            <Sure
              label={words.cancel}
              text={words.cancelSure}
              color="red"
              disabled={rebuild.cancel_requested}
              onSure={() => cancel.mutate()}
            />
          )}
        </>
      }
    >
      {!isOver && (
        <Progress
          value={(rebuild.buckets.done / Math.max(1, rebuild.buckets.of)) * 100}
          animated
          aria-label={words.buckets}
        />
      )}
      <Fields
        of={[
          [common.state, <State key="state" of={rebuild.outcome ?? rebuild.phase} />],
          [words.buckets, words.parts(number(rebuild.buckets.done), number(rebuild.buckets.of))],
          [words.events, number(rebuild.events)],
          [words.players, number(rebuild.players)],
          [words.differences, number(rebuild.differences)],
          [words.swapped, number(rebuild.swapped)],
          [words.pause, `${number(rebuild.longest_pause_ms)} ms`],
          [words.requested, <Moment key="requested" at={rebuild.requested_at} />],
          [words.finished, <Moment key="finished" at={rebuild.finished_at} />],
        ]}
      />
      {rebuild.failures.length > 0 && (
        <Alert color="red" title={words.failures}>
          {rebuild.failures.map(({ user_id, reason }) => (
            <Text key={user_id} size="sm">
              {user_id}: {reason}
            </Text>
          ))}
        </Alert>
      )}
      <List
        name={[...touches, 'differences']}
        refreshMs={refreshMs * 2}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/rebuilds/{rebuild_id}/differences', {
              params: { ...params, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ player_id }) => player_id}
        empty={words.noDifferences}
        columns={[
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          { title: words.tables, show: ({ tables }) => tables.join(', ') },
          { title: words.swapped, show: ({ swapped }) => (swapped ? '✓' : common.none) },
        ]}
      />
    </Page>
  );
}
