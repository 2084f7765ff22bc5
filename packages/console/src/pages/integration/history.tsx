import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Rows } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Named, State, useDayText, useNumber } from '../../ui/values.tsx';

const kibibyte = 1024;

/** The days of the ledger: which are kept, in which form, and their size. */
export function History() {
  const brand = useBrand();
  const { history: words } = useWords(integration);
  const title = useWords(places).pages.history;
  const { common } = useText();
  const number = useNumber();
  const dayText = useDayText();
  const shown = useQuery({
    queryKey: [brand, 'history'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/history', { params: { path: { brand } } })),
  });
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const today = new Date().toISOString().slice(0, 10);
  const { history_days, longest_history_days, too_old, days } = shown.data;
  return (
    <Page title={title} about={words.about}>
      <Fields
        of={[
          [words.kept, number(history_days)],
          [words.longest, number(longest_history_days)],
          [
            words.tooOld,
            <To key="too-old" to="integration/parked" search={{ list: 'too-old' }}>
              {number(too_old)}
            </To>,
          ],
        ]}
      />
      {days.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <Rows
          items={days}
          keyOf={({ day }) => day}
          columns={[
            { title: words.day, show: ({ day }) => dayText(day) },
            {
              title: common.state,
              // The tables of the next days are created in advance, so that the schema need not change at midnight.
              show: ({ day, state }) => (day > today ? <State of="ahead" label={words.ahead} /> : <State of={state} />),
            },
            {
              title: words.events,
              align: 'right',
              show: ({ events }) => (events === null ? common.none : number(events)),
            },
            {
              title: words.bytes,
              align: 'right',
              show: ({ bytes }) => (bytes === null ? common.none : `${number(bytes / kibibyte)} KiB`),
            },
            {
              title: words.perEvent,
              align: 'right',
              show: ({ events, bytes }) => (!events || bytes === null ? common.none : number(bytes / events)),
            },
            { title: words.reason, show: ({ reason }) => <Named of={reason} /> },
          ]}
        />
      )}
    </Page>
  );
}
