import { Text } from '@mantine/core';
import { contactLists } from '../../../text/contact-lists.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Choice, FilterBar, useFilters } from '../../../ui/filters.tsx';
import { List } from '../../../ui/list.tsx';
import { useMay } from '../../../ui/may.tsx';
import { Page, useAddressPart, useBrand } from '../../../ui/page.tsx';
import { To } from '../../../ui/to.tsx';
import { Moment } from '../../../ui/values.tsx';
import { useEntryColumns } from './entry-columns.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { entryStates, listsKey, readEntries } from './queries.ts';
import { UploadOutcomes } from './upload-outcomes.tsx';

const refreshMs = 4_000;
/** `ended` selects every state except the first two. */
const stateFilters = [...entryStates, 'ended'] as const;

/** One list: its entries, exports, and the outcomes of its calls or letters. */
export function ContactList() {
  const brand = useBrand();
  const channel = useAddressPart('channel') as 'telephone' | 'post_mail';
  const list = useAddressPart('list');
  const words = useWords(contactLists);
  const nameOf = useCode();
  const { common } = useText();
  const may = useMay();
  const { filters } = useFilters();
  const mayExport = may('personal.read');
  const mayReport = may('player.protect');
  const columns = useEntryColumns(mayReport);
  const touches = listsKey(brand);
  return (
    <Page
      title={`${list} (${nameOf(channel)})`}
      about={words.aboutList}
      actions={
        <>
          {mayReport && <UploadOutcomes touches={touches} />}
          {mayExport && <ExportButtons channel={channel} list={list} />}
        </>
      }
    >
      <div>
        <To to="messages/contact-lists">{words.all}</To>
      </div>
      {!mayExport && (
        <Text size="sm" c="dimmed">
          {words.exportNeeds}
        </Text>
      )}
      <FilterBar>
        <Choice name="state" label={common.state} of={stateFilters} />
      </FilterBar>
      <List
        name={[...touches, channel, list, filters]}
        refreshMs={refreshMs}
        read={(cursor) => readEntries(brand, { channel, list }, filters, cursor)}
        keyOf={({ message_id }) => message_id}
        empty={Object.keys(filters).length === 0 ? words.noEntries : words.noMatch}
        detail={({ created_at, expires_at }) => (
          <Text size="sm">
            {words.created} <Moment at={created_at} /> · {words.expires} <Moment at={expires_at} />
          </Text>
        )}
        columns={columns}
      />
    </Page>
  );
}
