import { Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { List } from '../../ui/list.tsx';
import { Moment } from '../../ui/values.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { RunLink } from '../run-link.tsx';
import { RunState } from '../run-state.tsx';

const refreshMs = 2_000;

/** The campaigns that a player has entered, with the outcome of each step. */
export function Runs({ brand, userId }: { brand: string; userId: string }) {
  const { player, common, campaigns } = useText();
  const nameOf = useCode();
  return (
    <List
      name={[brand, 'player', userId, 'runs']}
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/players/{user_id}/runs', {
            params: { path: { brand, user_id: userId }, query: cursor ? { cursor } : {} },
          }),
        )
      }
      keyOf={({ run_id }) => run_id}
      empty={player.noRuns}
      columns={[
        {
          title: common.name,
          show: ({ campaign, version }) => (
            <>
              <CampaignLink code={campaign} /> ({common.version} {version})
            </>
          ),
        },
        { title: common.run, isEvident: true, show: ({ run_id }) => <RunLink id={run_id} /> },
        { title: common.state, show: (run) => <RunState run={run} /> },
        { title: common.when, show: ({ entered_at }) => <Moment at={entered_at} /> },
        {
          title: campaigns.steps,
          show: ({ steps }) =>
            steps.map(({ id, state, reason }) => (
              <Text key={`${id} ${state}`} size="sm">
                {id}: {nameOf(state)} {reason && `(${nameOf(reason)})`}
              </Text>
            )),
        },
      ]}
    />
  );
}
