import { api, bodyOf } from '../../api/client.ts';
import { campaignPage } from '../../text/campaign-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { List } from '../../ui/list.tsx';
import { Moment } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { RunLink } from '../run-link.tsx';
import { RunState } from '../run-state.tsx';

const refreshMs = 2_000;

/** The runs of a campaign, newest first. */
export function CampaignRuns({ brand, code }: { brand: string; code: string }) {
  const words = useWords(campaignPage);
  const { common } = useText();
  const codeName = useCode();
  return (
    <List
      name={[brand, 'campaign', code, 'runs']}
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/runs', {
            params: { path: { brand, code }, query: cursor ? { cursor } : {} },
          }),
        )
      }
      keyOf={({ run_id }) => run_id}
      empty={words.noRuns}
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
  );
}
