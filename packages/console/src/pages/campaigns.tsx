import { Anchor, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client.ts';
import { campaignEditor } from '../text/campaign-editor.ts';
import { useText, useWords } from '../text/text.tsx';
import { useFilters } from '../ui/filters.tsx';
import { NameAndState } from '../ui/name-and-state.tsx';
import { NamedList } from '../ui/named-list.tsx';
import { NumberLink } from '../ui/number-link.tsx';
import { State } from '../ui/values.tsx';
import { read } from './campaign/draft/edits.ts';
import { entrySummary, useSaying } from './campaign/steps/use-summary.ts';

const refreshMs = 2_000;
const states = ['draft', 'live', 'paused', 'stopped', 'failed'];

/** The campaigns of the brand, by name. */
export function Campaigns() {
  const { brand } = useParams({ from: '/$brand' });
  const { campaigns: words, common } = useText();
  const { make } = useWords(campaignEditor);
  const { filters } = useFilters();
  return (
    <NamedList
      title={words.title}
      make={{ permission: 'campaign.manage', to: 'new-campaign', label: make }}
      filterBar={<NameAndState states={states} />}
      kind="campaigns"
      filters={filters}
      scope="campaigns"
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/campaigns', {
            params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
          }),
        )
      }
      empty={Object.keys(filters).length === 0 ? words.none : common.noMatch}
      columns={[
        {
          title: common.name,
          sort: { name: 'name', of: ({ name }) => name },
          show: ({ code, name, document }) => (
            <>
              <Anchor component={Link} to={`/${brand}/campaigns/${code}`}>
                {name}
              </Anchor>
              <Text size="sm" c="dimmed">
                <EntryOf document={document} />
              </Text>
            </>
          ),
        },
        { title: common.state, show: ({ state }) => <State of={state} /> },
        { title: words.share, align: 'right', show: ({ share }) => `${share} %` },
        {
          title: words.entered,
          align: 'right',
          sort: { name: 'entered', of: ({ entered }) => entered },
          show: ({ code, entered }) => <NumberLink of={entered} to={`campaigns/${code}`} search={{ tab: 'runs' }} />,
        },
        {
          title: words.running,
          align: 'right',
          sort: { name: 'running', of: ({ running }) => running },
          show: ({ code, running }) => (
            <NumberLink of={running} to={`campaigns/${code}`} search={{ tab: 'runs', state: 'running' }} />
          ),
        },
      ]}
    />
  );
}

/** What starts a run of the campaign. */
function EntryOf({ document }: { document: unknown }) {
  const { parts } = useWords(campaignEditor);
  const entry = read(document, ['entry']);
  return (
    <>
      {parts.entry}: {entrySummary(entry, useSaying(entry))}
    </>
  );
}
