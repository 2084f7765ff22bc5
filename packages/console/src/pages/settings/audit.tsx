import { Tabs } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { places } from '../../text/places.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Moment, Named } from '../../ui/values.tsx';

const refreshMs = 5_000;

/** What staff changed. */
export function Audit() {
  const brand = useBrand();
  const { audit: words } = useWords(settings);
  const title = useWords(places).pages.audit;
  const { filters, change } = useFilters();
  const may = useMay();
  return (
    <Page title={title} about={words.about}>
      <Tabs value={filters.of ?? 'brand'} onChange={(of) => change('of', of)} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="brand">{words.brand}</Tabs.Tab>
          {may('account.manage') && <Tabs.Tab value="accounts">{words.accounts}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="brand" pt="md">
          <Entries
            name={[brand, 'audit']}
            read={(query) =>
              bodyOf(api.GET('/api/console/v1/brands/{brand}/audit', { params: { path: { brand }, query } }))
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="accounts" pt="md">
          <Entries name={['audit']} read={(query) => bodyOf(api.GET('/api/console/v1/audit', { params: { query } }))} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

interface Entry {
  at: string;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

interface EntriesProps {
  name: readonly unknown[];
  read(query: { cursor?: string }): Promise<{ items: Entry[]; next: string | null }>;
}

function Entries({ name, read }: EntriesProps) {
  const { audit: words } = useWords(settings);
  const { common } = useText();
  return (
    <List
      name={name}
      refreshMs={refreshMs}
      read={(cursor) => read(cursor ? { cursor } : {})}
      keyOf={(entry) => JSON.stringify(entry)}
      empty={words.none}
      columns={[
        { title: common.when, show: ({ at }) => <Moment at={at} /> },
        { title: words.who, show: ({ actor }) => actor },
        { title: common.what, show: ({ action }) => <Named of={action} /> },
        { title: words.subject, show: ({ subject }) => subject },
        {
          title: words.details,
          show: ({ details }) =>
            Object.keys(details).length === 0 ? (
              common.none
            ) : (
              <code className="timeline-line">{JSON.stringify(details)}</code>
            ),
        },
      ]}
    />
  );
}
