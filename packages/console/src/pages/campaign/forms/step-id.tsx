import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { errorAt, useEditing } from '../draft/editing.ts';
import { idsIn, type Place, readText, write } from '../draft/edits.ts';

const form = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * The field for the id of a step. The id takes effect when the field loses the focus, because a half-typed id may
 * belong to another step.
 */
export function StepId({ place }: { place: Place }) {
  const { draft } = useEditing();
  const id = readText(draft, [...place, 'id']);
  return <IdInput key={id} place={place} id={id} />;
}

function IdInput({ place, id }: { place: Place; id: string }) {
  const words = useWords(campaignEditor);
  const { draft, checked, mayEdit, change, select } = useEditing();
  const [text, setText] = useState(id);
  const isTaken = text !== id && idsIn(draft).has(text);
  const wrong = isTaken ? words.idTaken : form.test(text) ? undefined : words.idForm;
  const leave = () => {
    if (text === id || wrong !== undefined) return;
    change(write(draft, [...place, 'id'], text));
    select({ step: text });
  };
  return (
    <TextInput
      label={words.id}
      description={words.idHint}
      value={text}
      error={wrong ?? errorAt(checked, [...place, 'id'])}
      disabled={!mayEdit}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={leave}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
    />
  );
}
