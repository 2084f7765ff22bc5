import { Text } from '@mantine/core';
import { contactLists } from '../../../text/contact-lists.ts';
import { useText, useWords } from '../../../text/text.tsx';
import type { Column } from '../../../ui/list.tsx';
import { To } from '../../../ui/to.tsx';
import { Moment, Named, State } from '../../../ui/values.tsx';
import { CampaignLink } from '../../campaign-link.tsx';
import { OutcomeButtons } from './outcome-buttons.tsx';
import type { ListEntry } from './queries.ts';

/** The columns of the entries of a list. @param mayReport adds the buttons that report outcomes */
export function useEntryColumns(mayReport: boolean): Column<ListEntry>[] {
  const words = useWords(contactLists);
  const { common } = useText();
  const columns: Column<ListEntry>[] = [
    {
      title: common.player,
      show: ({ user_id, first_name, last_name }) => (
        <>
          {user_id === null ? common.none : <To to={`players/${encodeURIComponent(user_id)}`}>{user_id}</To>}
          <Text size="xs">{[first_name, last_name].filter(Boolean).join(' ')}</Text>
        </>
      ),
    },
    { title: words.note, show: ({ note }) => note || common.none },
    {
      title: words.campaign,
      show: ({ campaign_id }) => (campaign_id === null ? common.none : <CampaignLink code={campaign_id} />),
    },
    {
      title: common.state,
      show: ({ state, reason }) => (
        <>
          <State of={state} />
          {reason !== null && (
            <Text size="xs">
              <Named of={reason} />
            </Text>
          )}
        </>
      ),
    },
    { title: words.exportedAt, show: ({ exported_at }) => <Moment at={exported_at} /> },
  ];
  const outcome: Column<ListEntry> = { title: words.outcome, show: (entry) => <OutcomeButtons entry={entry} /> };
  return mayReport ? [...columns, outcome] : columns;
}
