import { Stack, Title } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { campaignPage } from '../../text/campaign-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { List } from '../../ui/list.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';

const refreshMs = 2_000;

/** The starts of a scheduled campaign whose time has come, with their progress. The latest start comes first. */
export function CampaignStarts({ brand, code }: { brand: string; code: string }) {
  const words = useWords(campaignPage);
  const { common } = useText();
  const number = useNumber();
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {words.starts}
      </Title>
      <List
        name={[brand, 'campaign', code, 'starts']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/starts', {
              params: { path: { brand, code }, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ at, local }) => `${at} ${local}`}
        empty={words.noStarts}
        columns={[
          { title: common.when, show: ({ at }) => <Moment at={at} /> },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
          {
            title: words.looked,
            align: 'right',
            show: ({ looked, total }) => (total === null ? common.none : `${number(looked)} / ${number(total)}`),
          },
          { title: words.enteredPlayers, align: 'right', show: ({ entered }) => number(entered) },
        ]}
      />
    </Stack>
  );
}
