import { Button, Group } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useAct } from '../../ui/act.tsx';
import { Choice, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';

const refreshMs = 2_000;
const runStates = [
  'waiting',
  'reading',
  'comparing',
  'asking',
  'held',
  'done',
  'failed',
  'not_offered',
  'cancelled',
  'rejected',
  'superseded',
] as const;

/** Comparisons of complete lists of players with the operator. */
export function Reconciliations() {
  const brand = useBrand();
  const { reconciliations: words } = useWords(integration);
  const nameOf = useCode();
  const title = useWords(places).pages.reconciliations;
  const { common } = useText();
  const number = useNumber();
  const may = useMay();
  const { filters } = useFilters();
  const path = { brand };
  const touches = [brand, 'reconciliations'];
  const start = useAct(
    () => api.POST('/api/console/v1/brands/{brand}/reconciliations', { params: { path }, body: {} }),
    { touches, done: words.started },
  );
  return (
    <Page
      title={title}
      about={words.about}
      actions={
        may('player.reconcile') && (
          <Button loading={start.isPending} onClick={() => start.mutate()}>
            {words.start}
          </Button>
        )
      }
    >
      <Group>
        <Choice name="state" label={common.state} of={runStates} />
      </Group>
      <List
        name={[...touches, filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/reconciliations', {
              params: { path, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ reconciliation_id }) => reconciliation_id}
        empty={words.none}
        columns={[
          {
            title: words.field,
            show: ({ reconciliation_id, field }) => (
              <To to={`integration/reconciliations/${reconciliation_id}`}>{nameOf(field)}</To>
            ),
          },
          { title: common.state, show: ({ state }) => <State of={state} place="start" /> },
          { title: words.progress, align: 'right', show: ({ progress }) => number(progress.compared) },
          {
            title: words.drift,
            align: 'right',
            show: ({ drift }) => number(drift.tightened + drift.to_look_up + drift.reported + drift.created),
          },
          { title: words.requested, show: ({ requested_at }) => <Moment at={requested_at} /> },
          { title: words.finished, show: ({ finished_at }) => <Moment at={finished_at} /> },
          { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
        ]}
      />
    </Page>
  );
}
