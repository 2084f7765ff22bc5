import { Select, Stack, Text } from '@mantine/core';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEventFields, useEvents, withOwn } from '../draft/catalogs.ts';
import { errorAt, useEditing } from '../draft/editing.ts';
import { type Place, read, readText, write } from '../draft/edits.ts';
import { RuleField } from './rule-field.tsx';

/** An event, and conditions on its fields. @param place path of the object that names the event */
export function EventFields({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft, checked, mayEdit, change } = useEditing();
  const event = readText(draft, [...place, 'event']);
  const fields = useEventFields(event);
  const events = useEvents();
  const hasConditions = read(draft, [...place, 'where']) !== undefined;
  // The conditions are removed when the event changes, because another event has other fields.
  const choose = (chosen: string | null) =>
    chosen !== null && change(write(write(draft, [...place, 'event'], chosen), [...place, 'where'], undefined));
  return (
    <Stack gap="sm">
      <Select
        label={words.event}
        data={withOwn(events, event)}
        value={event === '' ? null : event}
        error={errorAt(checked, [...place, 'event'])}
        disabled={!mayEdit}
        searchable
        allowDeselect={false}
        onChange={choose}
      />
      {fields.length === 0 && !hasConditions ? (
        <Text size="sm" c="dimmed">
          {words.noConditions}
        </Text>
      ) : (
        <RuleField
          place={[...place, 'where']}
          label={words.where}
          none={words.everyEvent}
          add={words.addConditions}
          fields={fields}
        />
      )}
    </Stack>
  );
}
