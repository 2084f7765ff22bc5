import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { brandSettings } from '../../text/brand-settings.ts';
import { places } from '../../text/places.ts';
import { settingLabel } from '../../text/setting-names.ts';
import { settings } from '../../text/settings.ts';
import { useLanguage, useText, useWords } from '../../text/text.tsx';
import { DataList } from '../../ui/data-list/data-list.tsx';
import { Choice, Day, FilterBar, useFilters, Words } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMayEverywhere } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { PlayerFilter } from '../../ui/player-filter.tsx';
import { Empty } from '../../ui/states.tsx';
import { TabRow } from '../../ui/tab-row.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named } from '../../ui/values.tsx';
import { Verification } from '../../ui/verification.tsx';
import { namedLinkOf } from '../player/named-link-of.tsx';
import { CreatedBy } from '../rewards/created-by.tsx';
import { useTitleOfBonus } from '../rewards/use-title-of-bonus.ts';
import { AuditSubject } from './audit-subject.tsx';

const refreshMs = 5_000;

/** The actions of staff. */
export function Audit() {
  const brand = useBrand();
  const { audit: words } = useWords(settings);
  const title = useWords(places).pages.audit;
  const { filters, change } = useFilters();
  const mayAccounts = useMayEverywhere()('audit.read');
  const path = { brand };
  const all = mayAccounts ? (['brand', 'accounts', 'proof'] as const) : (['brand', 'proof'] as const);
  const tabs = all.map((value) => ({ value, label: words[value] }));
  const tab = all.find((one) => one === filters.of) ?? 'brand';
  const choose = (to: string | null) => change('of', to);
  return (
    <Page title={title} about={words.about}>
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <TabRow tabs={tabs} active={tab} onChoose={choose} />
        <Tabs.Panel value="brand" pt="md">
          <Entries
            name={[brand, 'audit']}
            hasPlayers
            values={() => bodyOf(api.GET('/api/console/v1/brands/{brand}/audit/filters', { params: { path } }))}
            read={(query) => bodyOf(api.GET('/api/console/v1/brands/{brand}/audit', { params: { path, query } }))}
          />
        </Tabs.Panel>
        <Tabs.Panel value="accounts" pt="md">
          <Entries
            name={[brand, 'audit', 'accounts']}
            values={() => bodyOf(api.GET('/api/console/v1/audit/filters'))}
            read={(query) => bodyOf(api.GET('/api/console/v1/audit', { params: { query } }))}
          />
        </Tabs.Panel>
        <Tabs.Panel value="proof" pt="md">
          <Verification
            rows={words.entries}
            verifyPart={async (body) => {
              const { entries, ...part } = await bodyOf(
                api.POST('/api/console/v1/brands/{brand}/audit/verification', { params: { path }, body }),
              );
              return { ...part, rows: entries };
            }}
          />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

interface Entry {
  audit_id: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
  user_id: string | null;
  message: { channel: string; user_id: string | null } | null;
  details: Record<string, unknown>;
  seal_no: number | null;
}

interface EntriesProps {
  /** Whether entries are about players, so that they can be filtered by one. */
  hasPlayers?: true;
  name: readonly unknown[];
  /** The accounts and the actions of the entries. */
  values(): Promise<{ accounts: { account_id: number; actor: string }[]; actions: string[] }>;
  read(query: Record<string, string>): Promise<{ items: Entry[]; next: string | null }>;
}

/** Shows details with the labels of settings, and with the names of campaigns, segments, templates and offered bonuses. */
function Details({ of }: { of: Record<string, unknown> }) {
  const titleOf = useTitleOfBonus('bonus_code' in of || 'bonus_values' in of);
  const { fields } = useWords(brandSettings);
  const { language } = useLanguage();
  // The path is, for example, `before`, `quiet_hours`, `from`.
  const labelOf = ([kind, ...path]: readonly string[]) =>
    kind === 'bonus_values' ? titleOf(path.at(-1) ?? '') : settingLabel(path, fields, language);
  return (
    <DataList
      of={of}
      linkOf={(field, value) => (field === 'bonus_code' ? titleOf(value) : namedLinkOf(field, value))}
      labelOf={labelOf}
    />
  );
}

function Entries({ hasPlayers, name, values, read }: EntriesProps) {
  const { audit: words } = useWords(settings);
  const { common } = useText();
  const { filters } = useFilters();
  const { of: _, user_id, ...others } = filters;
  const narrowed = { ...others, ...(hasPlayers && user_id !== undefined && { user_id }) };
  const known = useQuery({ queryKey: [...name, 'filters'], queryFn: values }).data;
  const accounts = new Map(known?.accounts.map(({ account_id, actor }) => [String(account_id), actor]));
  return (
    <Stack>
      <FilterBar keeps={['of']} isNarrow>
        {/* The address contains the number of the account, because it must not contain an e-mail. */}
        <Choice name="account_id" label={words.who} of={[...accounts.keys()]} says={(id) => accounts.get(id) ?? id} />
        <Choice name="action" label={common.what} of={known?.actions ?? []} />
        {hasPlayers && <PlayerFilter />}
        <Words name="subject" label={words.subject} placeholder={words.subjectSample} />
        <Day name="from" label={words.from} edge="start" />
        <Day name="to" label={words.to} edge="end" />
      </FilterBar>
      <List
        name={[...name, narrowed]}
        refreshMs={refreshMs}
        read={(cursor) => read({ ...narrowed, ...(cursor && { cursor }) })}
        keyOf={({ audit_id }) => audit_id}
        empty={
          Object.keys(narrowed).length === 0 ? (
            <Empty next={<To to="settings/brand">{words.toBrand}</To>}>{words.empty}</Empty>
          ) : (
            words.none
          )
        }
        columns={[
          { title: common.when, show: ({ at }) => <Moment at={at} /> },
          { title: words.who, show: ({ actor }) => <CreatedBy of={actor} /> },
          { title: common.what, isMain: true, show: ({ action }) => <Named of={action} /> },
          {
            title: words.subject,
            show: ({ subject, user_id, message }) => (
              <AuditSubject subject={subject} userId={user_id} message={message} />
            ),
          },
          {
            title: words.details,
            show: ({ details }) => (Object.keys(details).length === 0 ? common.none : <Details of={details} />),
          },
          { title: words.seal, align: 'right', show: ({ seal_no }) => seal_no ?? words.unsealed },
        ]}
      />
    </Stack>
  );
}
