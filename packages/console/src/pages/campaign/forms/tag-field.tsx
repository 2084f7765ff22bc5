import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchPauseMs } from '../../../api/named.ts';
import { tagsQuery } from '../../../api/tags.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEditing } from '../draft/editing.ts';
import { type Place, read } from '../draft/edits.ts';
import { OfferedField } from './fields.tsx';

/** A tag. The field suggests the existing tags that contain the typed text. The platform searches them. */
export function TagField({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { brand, draft } = useEditing();
  const [isOpened, setOpened] = useState(false);
  const [typed] = useDebouncedValue(String(read(draft, place) ?? '').trim(), searchPauseMs);
  const tags = useQuery({ ...tagsQuery(brand, typed), enabled: isOpened });
  return (
    <OfferedField
      place={place}
      label={words.tag}
      description={words.tagHint}
      data={tags.data ?? []}
      onOpen={() => setOpened(true)}
      isRequired
    />
  );
}
