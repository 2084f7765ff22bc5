import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEditing } from '../draft/editing.ts';
import { type Draft, isObject } from '../draft/edits.ts';

const written = (draft: Draft) => JSON.stringify(draft, null, 2);

/** The document as JSON, in the same form as in the API and in files. While the user types, valid JSON takes effect. */
export function DocumentView() {
  const words = useWords(campaignEditor);
  const { draft, mayEdit, change } = useEditing();
  const [text, setText] = useState({ text: written(draft), of: draft });
  // The draft was changed elsewhere, for example by Undo, so the typed text is outdated.
  if (text.of !== draft) setText({ text: written(draft), of: draft });
  const read = readObject(text.text);
  const write = (typed: string) => {
    const read = readObject(typed);
    setText({ text: typed, of: read ?? draft });
    if (read !== undefined) change(read, ['document']);
  };
  return (
    <Textarea
      label={words.view.document}
      description={words.documentHint}
      value={text.text}
      rows={30}
      readOnly={!mayEdit}
      error={read === undefined ? words.notJson : undefined}
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
