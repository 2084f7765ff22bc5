import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Sure, useAct } from '../../ui/act.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Choice, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';

const refreshMs = 2_000;
const ways = ['tightened', 'look_up', 'reported', 'newer', 'created'] as const;

/** One comparison: its progress, the players who differed, and the decision about a held list. */
export function Reconciliation() {
  const brand = useBrand();
  const reconciliation_id = Number(useAddressPart('id'));
  const { reconciliations: words } = useWords(integration);
  const list = useWords(places).pages.reconciliations;
  const nameOf = useCode();
  const { common } = useText();
  const number = useNumber();
  const may = useMay()('player.reconcile');
  const { filters } = useFilters();
  const params = { path: { brand, reconciliation_id } };
  const touches = [brand, 'reconciliation', reconciliation_id];
  const run = useQuery({
    queryKey: touches,
    refetchInterval: every(refreshMs),
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/reconciliations/{reconciliation_id}', { params })),
  });
  const act = useAct(
    (what: 'approve' | 'reject' | 'cancel') =>
      api.POST(`/api/console/v1/brands/{brand}/reconciliations/{reconciliation_id}/${what}`, { params, body: {} }),
    { touches },
  );
  if (run.isPending) return <LoadingPage />;
  if (run.isLoadingError) return <FailedPage error={run.error} onRetry={() => run.refetch()} />;
  const { field, state, reason, detail, progress, requested_at, finished_at, cancel_requested } = run.data;
  const said = (value: boolean | null) => (value === null ? words.unknown : words[value ? 'yes' : 'no']);
  return (
    <Page
      title={`${list}: ${nameOf(field)}`}
      actions={
        <>
          <To to="integration/reconciliations">{words.all}</To>
          {may && state === 'held' && (
            <>
              <Sure label={words.approve} text={words.approveSure} color="red" onSure={() => act.mutate('approve')} />
              <Sure label={words.reject} text={words.rejectSure} onSure={() => act.mutate('reject')} />
            </>
          )}
          {may && finished_at === null && state !== 'held' && (
            <Sure
              label={words.cancel}
              text={words.cancelSure}
              color="red"
              disabled={cancel_requested}
              onSure={() => act.mutate('cancel')}
            />
          )}
        </>
      }
    >
      {state === 'held' && (
        <Alert color="yellow" title={reason === null ? undefined : (words.heldFor[reason] ?? nameOf(reason))}>
          {words.held}
        </Alert>
      )}
      <Fields
        of={[
          [common.state, <State key="state" of={state} />],
          [common.reason, [reason && nameOf(reason), detail].filter(Boolean).join(': ') || common.none],
          [words.ids, progress.ids === null ? common.none : number(progress.ids)],
          [words.idsBefore, progress.ids_before === null ? common.none : number(progress.ids_before)],
          [words.progress, number(progress.compared)],
          [words.requested, <Moment key="requested" at={requested_at} />],
          [words.finished, <Moment key="finished" at={finished_at} />],
        ]}
      />
      <Group>
        <Choice name="done" label={words.done} of={ways} />
      </Group>
      <List
        name={[...touches, 'drift', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/reconciliations/{reconciliation_id}/drift', {
              params: { ...params, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ player_id }) => player_id}
        empty={filters.done !== undefined ? words.noneWith : state === 'done' ? words.noDrift : words.notCompared}
        columns={[
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          { title: words.weSay, show: ({ we_say }) => said(we_say) },
          { title: words.theySay, show: ({ they_say }) => said(they_say) },
          { title: words.since, show: ({ since }) => <Moment at={since} /> },
          { title: words.done, show: ({ done }) => <Named of={done} /> },
        ]}
      />
    </Page>
  );
}
