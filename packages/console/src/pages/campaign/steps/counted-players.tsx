import { api, bodyOf } from '../../../api/client.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { List } from '../../../ui/list.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Moment } from '../../../ui/values.tsx';
import { PlayerLink } from '../../player-link.tsx';
import { RunLink } from '../../run-link.tsx';
import type { CountedPlayers as Counted } from '../draft/editing.ts';

interface CountedPlayersProps {
  brand: string;
  code: string;
  /** The count whose players are listed. Undefined if the list is closed. */
  of: Counted | undefined;
  close(): void;
}

/** The players behind a count of a step. */
export function CountedPlayers({ brand, code, of, close }: CountedPlayersProps) {
  const words = useWords(campaignEditor);
  const { common } = useText();
  const codeName = useCode();
  return (
    <SidePanel
      close={close}
      title={
        of &&
        words.countTitle(
          [words.counted[of.state], of.reason && codeName(of.reason), of.variant].filter(Boolean).join(', '),
          of.step,
        )
      }
    >
      {of !== undefined && (
        <List
          name={[brand, 'campaign', code, 'steps', 'players', of]}
          read={(cursor) =>
            bodyOf(
              api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/steps/players', {
                params: { path: { brand, code }, query: { ...of, ...(cursor && { cursor }) } },
              }),
            )
          }
          keyOf={({ run_id }) => run_id}
          empty={words.nobody}
          columns={[
            { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
            { title: common.run, isEvident: true, show: ({ run_id }) => <RunLink id={run_id} /> },
            { title: common.when, show: ({ at }) => <Moment at={at} /> },
            { title: common.reason, show: ({ reason }) => (reason === null ? common.none : codeName(reason)) },
            { title: common.version, align: 'right', show: ({ version }) => version },
          ]}
        />
      )}
    </SidePanel>
  );
}
