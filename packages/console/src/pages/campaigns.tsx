import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { campaignsQuery } from '../api/queries.ts';
import { campaignEditor } from '../text/campaign-editor.ts';
import { useText, useWords } from '../text/text.tsx';
import { Choice, Search, useFilters } from '../ui/filters.tsx';
import { isFound } from '../ui/is-found.ts';
import { Rows } from '../ui/list.tsx';
import { useMay } from '../ui/may.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { State, useNumber } from '../ui/values.tsx';
import { read } from './campaign/draft/edits.ts';
import { entrySummary, useSaying } from './campaign/steps/use-summary.ts';

export function Campaigns() {
  const { brand } = useParams({ from: '/$brand' });
  const { campaigns: words, common } = useText();
  const { make } = useWords(campaignEditor);
  const may = useMay()('campaign.manage');
  const number = useNumber();
  const { filters } = useFilters();
  const saying = useSaying();
  const campaigns = useQuery(campaignsQuery(brand));
  if (campaigns.isPending) return <Loading />;
  if (campaigns.isError) return <Failed error={campaigns.error} onRetry={() => campaigns.refetch()} />;
  const all = campaigns.data.items;
  const items = all.filter(
    (one) =>
      (filters.state === undefined || filters.state === one.state) && isFound(filters.search, one.name, one.code),
  );
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
      {all.length > 0 && (
        <Group align="flex-end">
          <Search label={common.search} />
          <Choice name="state" label={common.state} of={[...new Set(all.map(({ state }) => state))]} />
        </Group>
      )}
      {items.length === 0 ? (
        <Empty>{all.length === 0 ? words.none : common.noneFound}</Empty>
      ) : (
        <Rows
          items={items}
          keyOf={({ code }) => code}
          columns={[
            {
              title: common.name,
              show: ({ code, name, document }) => (
                <>
                  <Anchor component={Link} to={`/${brand}/campaigns/${code}`}>
                    {name}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {entrySummary(read(document, ['entry']), saying)}
                  </Text>
                </>
              ),
            },
            { title: common.state, show: ({ state }) => <State of={state} /> },
            { title: words.share, align: 'right', show: ({ share }) => `${share} %` },
            { title: words.entered, align: 'right', show: ({ entered }) => number(entered) },
            { title: words.running, align: 'right', show: ({ running }) => number(running) },
          ]}
        />
      )}
    </Stack>
  );
}
