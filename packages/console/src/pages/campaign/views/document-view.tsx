import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEditing } from '../draft/editing.ts';
import { type Draft, isObject } from '../draft/edits.ts';

const place = ['document'];
const written = (draft: Draft) => JSON.stringify(draft, null, 2);

/**
 * The document as JSON, in the same form as in the API and in files. While the user types, valid JSON takes effect. Other text is
 * kept as an unsaved change.
 */
export function DocumentView() {
  const words = useWords(campaignEditor);
  const { draft, invalidText, mayEdit, change, keepInvalidText } = useEditing();
  // A valid text as the user typed it. If the draft was changed elsewhere, for example by Undo, the text is outdated.
  const [typed, setTyped] = useState({ text: written(draft), of: draft });
  const text = invalidText ?? (typed.of === draft ? typed.text : written(draft));
  const write = (to: string) => {
    const read = readObject(to);
    if (read === undefined) return keepInvalidText(to, place);
    setTyped({ text: to, of: read });
    change(read, place);
  };
  return (
    <Textarea
      label={words.view.document}
      description={words.documentHint}
      value={text}
      rows={30}
      readOnly={!mayEdit}
      error={invalidText === undefined ? undefined : words.notJson}
      onChange={({ currentTarget }) => write(currentTarget.value)}
      classNames={{ input: 'code' }}
      spellCheck={false}
    />
  );
}

function readObject(text: string): Draft | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
