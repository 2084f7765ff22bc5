import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { every } from '../../../api/live.ts';
import { contactLists } from '../../../text/contact-lists.ts';
import { places } from '../../../text/places.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { type Column, Rows } from '../../../ui/list.tsx';
import { NumberLink } from '../../../ui/number-link.tsx';
import { Page, useBrand } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import { To } from '../../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../../ui/unready-page.tsx';
import { Named } from '../../../ui/values.tsx';

const refreshMs = 4_000;

/** The lists of players whom staff call or write to. */
export function ContactLists() {
  const brand = useBrand();
  const words = useWords(contactLists);
  const title = useWords(places).pages['contact-lists'];
  const { nav } = useText();
  const lists = useQuery({
    queryKey: [brand, 'contact-lists'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/lists', { params: { path: { brand } } })),
    refetchInterval: every(refreshMs),
  });
  if (lists.isPending) return <LoadingPage />;
  if (lists.isError) return <FailedPage error={lists.error} onRetry={() => lists.refetch()} />;
  const { items } = lists.data;
  return (
    <Page title={title} about={words.about}>
      {items.length === 0 ? (
        <Empty next={<To to="campaigns">{nav.campaigns}</To>}>{words.none}</Empty>
      ) : (
        <Rows
          items={items}
          keyOf={({ channel, list }) => `${channel} ${list}`}
          columns={[
            {
              title: words.list,
              show: ({ channel, list }) => <To to={`messages/contact-lists/${channel}/${list}`}>{list}</To>,
            },
            { title: words.channel, show: ({ channel }) => <Named of={channel} /> },
            countOf('waiting', words.open, ({ waiting = 0 }) => waiting),
            countOf('exported', words.exported, ({ exported = 0 }) => exported),
            countOf('ended', words.ended, ({ waiting: _, exported: __, ...ended }) =>
              Object.values(ended).reduce((sum, one) => sum + one, 0),
            ),
          ]}
        />
      )}
    </Page>
  );
}

interface ContactListCounts {
  channel: string;
  list: string;
  /** Number of entries by state. */
  entries: Record<string, number>;
}

/** A column of numbers that link to the entries in one state. `ended` means all states of entries that are done. */
const countOf = (
  state: string,
  title: string,
  count: (entries: ContactListCounts['entries']) => number,
): Column<ContactListCounts> => ({
  title,
  align: 'right',
  show: ({ channel, list, entries }) => (
    <NumberLink of={count(entries)} to={`messages/contact-lists/${channel}/${list}`} search={{ state }} />
  ),
});
