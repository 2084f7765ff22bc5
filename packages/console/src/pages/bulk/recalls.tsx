import { api, bodyOf } from '../../api/client.ts';
import { bulk } from '../../text/bulk.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { IfMay } from '../../ui/may.tsx';
import { NamedFilter } from '../../ui/named/named-filter.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { CreatedBy } from '../rewards/created-by.tsx';
import { RecallMessages } from './recall-messages.tsx';

const refreshMs = 2_000;

/** Recalls of the messages of campaigns, newest first, with their progress. */
export function Recalls() {
  const brand = useBrand();
  const { recall: words } = useWords(bulk);
  const title = useWords(places).pages.recalls;
  const { common } = useText();
  const number = useNumber();
  const { filters } = useFilters();
  return (
    <Page
      title={title}
      about={words.about}
      actions={
        <IfMay permission="message.recall">
          <RecallMessages />
        </IfMay>
      }
    >
      <FilterBar>
        <NamedFilter list="campaigns" name="campaign_id" label={words.campaign} />
      </FilterBar>
      <List
        name={[brand, 'recalls', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/message-recalls', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ recall_id }) => recall_id}
        empty={Object.keys(filters).length === 0 ? words.none : common.noMatch}
        columns={[
          { title: words.requested, show: ({ requested_at }) => <Moment at={requested_at} /> },
          { title: words.campaign, isMain: true, show: ({ campaign_id }) => <CampaignLink code={campaign_id} /> },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          { title: words.withdrawn, align: 'right', show: ({ withdrawn }) => number(withdrawn) },
          { title: words.dropped, align: 'right', show: ({ dropped }) => number(dropped) },
          { title: words.finished, show: ({ finished_at }) => <Moment at={finished_at} /> },
          { title: words.by, show: ({ requested_by }) => <CreatedBy of={requested_by} /> },
        ]}
      />
    </Page>
  );
}
