import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client.ts';
import { campaignEditor } from '../text/campaign-editor.ts';
import { useText, useWords } from '../text/text.tsx';
import { useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { useMay } from '../ui/may.tsx';
import { NameAndState } from '../ui/name-and-state.tsx';
import { State, useNumber } from '../ui/values.tsx';
import { read } from './campaign/draft/edits.ts';
import { entrySummary, useSaying } from './campaign/steps/use-summary.ts';

const refreshMs = 2_000;
const states = ['draft', 'live', 'paused', 'stopped', 'failed'];

/** The campaigns of the brand, by name. The platform reads one page at a time and applies the filters. */
export function Campaigns() {
  const { brand } = useParams({ from: '/$brand' });
  const { campaigns: words, common } = useText();
  const { make, parts } = useWords(campaignEditor);
  const may = useMay()('campaign.manage');
  const number = useNumber();
  const saying = useSaying();
  const { filters } = useFilters();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{words.title}</Title>
        {may && (
          <Button component={Link} to={`/${brand}/new-campaign`}>
            {make}
          </Button>
        )}
      </Group>
      <NameAndState states={states} />
      <List
        scope="campaigns"
        name={[brand, 'campaigns', 'list', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/campaigns', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ code }) => code}
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
                  {parts.entry}: {entrySummary(read(document, ['entry']), saying)}
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
            show: ({ entered }) => number(entered),
          },
          {
            title: words.running,
            align: 'right',
            sort: { name: 'running', of: ({ running }) => running },
            show: ({ running }) => number(running),
          },
        ]}
      />
    </Stack>
  );
}
