import { Stack } from '@mantine/core';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { List } from '../../../ui/list.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Moment } from '../../../ui/values.tsx';
import { PlayerLink } from '../../player-link.tsx';
import { RunLink } from '../../run-link.tsx';
import { ExportButtons } from './export-buttons.tsx';

/** The outcomes that results count, in the order of a funnel. */
export const outcomeNames = [
  ...([
    'entered',
    'waiting',
    'held',
    'control',
    'withheld',
    'sent',
    'delivered',
    'shown',
    'opened',
    'clicked',
  ] as const),
  ...(['replied', 'bounced', 'complained', 'unsubscribed', 'credited', 'goal_reached', 'done', 'exited'] as const),
  'failed',
  'unknown',
] as const;

/** A count for each outcome. */
export type OutcomeCounts = Readonly<Record<(typeof outcomeNames)[number], number>>;

/** Identifies a count. It counts only what matches all of these fields. A field that is omitted matches everything. */
export interface OutcomeQuery {
  outcome: (typeof outcomeNames)[number];
  version?: number;
  step?: string;
  reason?: string;
  split?: string;
  variant?: string;
}

interface OutcomePlayersProps {
  brand: string;
  code: string;
  /** The count whose players are listed. Undefined if the list is closed. */
  of: OutcomeQuery | undefined;
  close(): void;
}

/** The players behind a number in the results. The whole list can be downloaded as a file. */
export function OutcomePlayers({ brand, code, of, close }: OutcomePlayersProps) {
  const words = useWords(campaignPage);
  const { common } = useText();
  const codeName = useCode();
  const title =
    of &&
    [words.outcomes[of.outcome] ?? of.outcome, of.step, of.reason && codeName(of.reason), of.variant]
      .filter(Boolean)
      .join(' · ');
  return (
    <SidePanel title={title} close={close}>
      {of !== undefined && (
        <Stack align="stretch">
          <ExportButtons brand={brand} code={code} list="players" query={of} />
          <List
            name={[brand, 'campaign', code, 'results', 'players', of]}
            read={(cursor) =>
              bodyOf(
                api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/results/players', {
                  params: { path: { brand, code }, query: { ...of, ...(cursor && { cursor }) } },
                }),
              )
            }
            keyOf={(one) => `${one.run_id} ${one.step}`}
            empty={words.nobody}
            columns={[
              { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
              { title: common.run, isEvident: true, show: ({ run_id }) => <RunLink id={run_id} /> },
              { title: common.when, show: ({ at }) => <Moment at={at} /> },
              { title: words.step, show: ({ step }) => step ?? common.none },
              { title: common.reason, show: ({ reason }) => (reason === null ? common.none : codeName(reason)) },
            ]}
          />
        </Stack>
      )}
    </SidePanel>
  );
}
