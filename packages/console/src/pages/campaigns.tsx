import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { campaignsQuery } from '../api/queries.ts';
import { campaignEditor } from '../text/campaign-editor.ts';
import { useText, useWords } from '../text/text.tsx';
import { Rows } from '../ui/list.tsx';
import { useMay } from '../ui/may.tsx';
import { NameAndState, useMatching } from '../ui/name-and-state.tsx';
import { Empty } from '../ui/states.tsx';
import { FailedPage, LoadingPage } from '../ui/unready-page.tsx';
import { State, useNumber } from '../ui/values.tsx';
import { read } from './campaign/draft/edits.ts';
import { entrySummary, useSaying } from './campaign/steps/use-summary.ts';

export function Campaigns() {
  const { brand } = useParams({ from: '/$brand' });
  const { campaigns: words, common } = useText();
  const { make, parts } = useWords(campaignEditor);
  const may = useMay()('campaign.manage');
  const number = useNumber();
  const saying = useSaying();
  const campaigns = useQuery(campaignsQuery(brand));
  const shown = useMatching(campaigns.data?.items ?? []);
  if (campaigns.isPending) return <LoadingPage />;
  if (campaigns.isError) return <FailedPage error={campaigns.error} onRetry={() => campaigns.refetch()} />;
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
      {campaigns.data.items.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <>
          <NameAndState items={campaigns.data.items} />
          {shown.length === 0 && <Empty>{common.noMatch}</Empty>}
          {shown.length > 0 && (
            <Rows
              scope="campaigns"
              items={shown}
              keyOf={({ code }) => code}
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
          )}
        </>
      )}
    </Stack>
  );
}
