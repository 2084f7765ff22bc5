import { Select, Stack } from '@mantine/core';
import { api, bodyOf } from '../../../../api/client.ts';
import { campaignTrial } from '../../../../text/campaign-trial.ts';
import { useText, useWords } from '../../../../text/text.tsx';
import { useCode } from '../../../../text/use-code.ts';
import { List } from '../../../../ui/list.tsx';
import { SidePanel } from '../../../../ui/side-panel.tsx';
import { Moment } from '../../../../ui/values.tsx';
import { PlayerLink } from '../../../player-link.tsx';
import { useEditing } from '../../draft/editing.ts';
import { backtestsKey } from './queries.ts';

/** Identifies a count of a backtest. A field that is omitted matches everything. */
export interface PlayersQuery {
  outcome: string;
  reason?: string;
  day?: string;
}

interface BacktestPlayersProps {
  code: string;
  id: number;
  /** The count whose players are listed. Undefined if the list is closed. */
  of: PlayersQuery | undefined;
  days: readonly string[];
  change(query: PlayersQuery | undefined): void;
}

/** The rows behind a count: what would have happened to whom, and when. */
export function BacktestPlayers({ code, id, of, days, change }: BacktestPlayersProps) {
  const words = useWords(campaignTrial);
  const { common } = useText();
  const codeName = useCode();
  const { brand } = useEditing();
  return (
    <SidePanel
      close={() => change(undefined)}
      title={
        of &&
        words.whoFor(
          [words.counts[of.outcome] ?? of.outcome, of.reason && codeName(of.reason)].filter(Boolean).join(', '),
        )
      }
    >
      {of !== undefined && (
        <Stack>
          <Select
            label={words.byDay}
            clearable
            data={[...days]}
            value={of.day ?? null}
            onChange={(day) => {
              const { day: _, ...rest } = of;
              change({ ...rest, ...(day !== null && { day }) });
            }}
          />
          <List
            name={[...backtestsKey(brand, code), id, 'players', of]}
            read={(cursor) =>
              bodyOf(
                api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/backtests/{backtest_id}/players', {
                  params: { path: { brand, code, backtest_id: id }, query: { ...of, ...(cursor && { cursor }) } },
                }),
              )
            }
            keyOf={(one) => JSON.stringify(one)}
            empty={words.noRows}
            columns={[
              { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
              { title: common.when, show: ({ at }) => <Moment at={at} /> },
              { title: words.step, show: ({ step }) => step ?? common.none },
              {
                title: words.reason,
                show: ({ reason, variant }) => (reason === null ? (variant ?? common.none) : codeName(reason)),
              },
              {
                title: words.says,
                show: ({ channel, bonus_code, amount, currency }) =>
                  [channel, bonus_code, amount && `${amount} ${currency}`].filter(Boolean).join(' ') || common.none,
              },
            ]}
          />
        </Stack>
      )}
    </SidePanel>
  );
}
