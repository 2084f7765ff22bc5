import { Stack } from '@mantine/core';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { List } from '../../../ui/list.tsx';
import { Money } from '../../../ui/money.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Moment } from '../../../ui/values.tsx';
import { PlayerLink } from '../../player-link.tsx';
import { RunLink } from '../../run-link.tsx';
import { ExportButtons } from './export-buttons.tsx';

/** Identifies an amount of the results. */
export interface AmountQuery {
  of: 'measured' | 'depositors' | 'granted' | 'turned_real' | 'funds';
  version: number;
  step?: string;
  split?: string;
  variant?: string;
  window_days?: number;
}

interface AmountPlayersProps {
  brand: string;
  code: string;
  /** The amount whose players are listed. Undefined if the list is closed. */
  of: AmountQuery | undefined;
  close(): void;
}

/** The players behind an amount in the results. The whole list can be downloaded. */
export function AmountPlayers({ brand, code, of, close }: AmountPlayersProps) {
  const words = useWords(campaignPage);
  const { common } = useText();
  const title = of && [words.amounts[of.of], of.step, of.variant].filter(Boolean).join(' · ');
  return (
    <SidePanel title={title} close={close}>
      {of !== undefined && (
        <Stack align="stretch">
          <ExportButtons brand={brand} code={code} list="amounts" query={of} />
          <List
            name={[brand, 'campaign', code, 'results', 'amounts', of]}
            read={(cursor) =>
              bodyOf(
                api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/results/amounts', {
                  params: { path: { brand, code }, query: { ...of, ...(cursor && { cursor }) } },
                }),
              )
            }
            keyOf={({ run_id, step, reference }) => `${run_id} ${step} ${reference}`}
            empty={words.nobody}
            columns={[
              { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
              { title: common.run, isEvident: true, show: ({ run_id }) => <RunLink id={run_id} /> },
              { title: common.when, show: ({ at }) => <Moment at={at} /> },
              { title: words.amount, align: 'right', show: ({ amount }) => <Money of={amount} /> },
            ]}
          />
        </Stack>
      )}
    </SidePanel>
  );
}
