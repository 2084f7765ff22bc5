import { Stack } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { campaignPage } from '../../text/campaign-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Moment } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { RunLink } from '../run-link.tsx';
import { RunState } from '../run-state.tsx';

const refreshMs = 2_000;
/** `running` means every run that has not ended, as the list of campaigns counts them. */
const states = ['running', 'waiting', 'held', 'done', 'goal_reached', 'exited', 'failed'] as const;

/** The runs of a campaign, newest first. */
export function CampaignRuns({ brand, code }: { brand: string; code: string }) {
  const words = useWords(campaignPage);
  const { common } = useText();
  const codeName = useCode();
  const { filters } = useFilters();
  const state = states.find((one) => one === filters.state);
  return (
    <Stack gap="sm">
      <FilterBar keeps={['tab']}>
        <Choice name="state" label={common.state} of={states} />
      </FilterBar>
      <List
        name={[brand, 'campaign', code, 'runs', state]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/runs', {
              params: { path: { brand, code }, query: { ...(state && { state }), ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ run_id }) => run_id}
        empty={state === undefined ? words.noRuns : common.noMatch}
        columns={[
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          { title: common.run, isEvident: true, show: ({ run_id }) => <RunLink id={run_id} /> },
          { title: common.state, show: (run) => <RunState run={run} /> },
          { title: words.step, show: ({ step }) => step ?? common.none },
          { title: common.reason, show: ({ reason }) => (reason === null ? common.none : codeName(reason)) },
          { title: common.version, align: 'right', show: ({ version }) => version },
          { title: common.when, show: ({ entered_at }) => <Moment at={entered_at} /> },
        ]}
      />
    </Stack>
  );
}
