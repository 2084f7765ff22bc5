import { Input, Select } from '@mantine/core';
import { useState } from 'react';
import { CodeEditor, type InsertText, type KnownWords } from '../../../code-editor/index.tsx';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { isSameJson } from '../../../ui/same-json.ts';
import type { Channel } from '../starters.ts';

interface FieldInputProps {
  name: string;
  kind: 'html' | 'mjml' | 'plain' | 'link' | 'choice' | 'data' | 'block';
  values: readonly string[];
  channel: Channel;
  value: unknown;
  known: KnownWords;
  readOnly: boolean;
  problems: readonly { message: string; words?: string }[];
  onChange(value: unknown): void;
  onUndo(): void;
  onRedo(): void;
  onFocus(insert: InsertText): void;
  onReady?(insert: InsertText): void;
}

/** Returns whether a field is a plain text that has several lines. */
const isLong = (name: string) => name === 'text' || name === 'note';

/** One field of a template, with the editor for its kind. */
export function FieldInput({
  name,
  kind,
  values,
  channel,
  value,
  known,
  problems,
  onChange,
  ...rest
}: FieldInputProps) {
  const words = useWords(messages);
  const label =
    channel === 'email' && name === 'text'
      ? words.plainPart
      : ((channel === 'push' ? words.pushFields[name] : undefined) ?? words.fields[name] ?? name);
  if (kind === 'choice')
    return (
      <Select
        label={label}
        allowDeselect={false}
        readOnly={rest.readOnly}
        data={values.map((one) => ({ value: one, label: words.choices[one] ?? one }))}
        value={typeof value === 'string' ? value : (values[0] ?? null)}
        onChange={onChange}
      />
    );
  const editor = { ...rest, label, problems, words: known };
  const isMarkup = kind === 'html' || kind === 'mjml' || kind === 'block';
  return (
    <Input.Wrapper label={label} labelElement="div" error={problems[0]?.message}>
      {kind === 'data' ? (
        <DataEditor {...editor} value={value} onChange={onChange} />
      ) : (
        <CodeEditor
          {...editor}
          value={typeof value === 'string' ? value : ''}
          language={isMarkup ? 'markup' : 'liquid'}
          isLine={!isMarkup && !isLong(name)}
          onChange={onChange}
        />
      )}
    </Input.Wrapper>
  );
}

type DataEditorProps = Omit<Parameters<typeof CodeEditor>[0], 'value' | 'onChange' | 'language'> & {
  value: unknown;
  onChange(value: unknown): void;
};

/** Edits an object as JSON. Invalid JSON stays in the editor, and is not part of the template until it is corrected. */
function DataEditor({ value, onChange, problems = [], ...editor }: DataEditorProps) {
  const { noJson } = useWords(messages).editor;
  const [text, setText] = useState(() => write(value));
  const read = readObject(text);
  const isSame = read !== null && isSameJson(read, value ?? {});
  // After Undo, or after the user has chosen an older version, the text follows the value. It does not while the user
  // is typing.
  const shown = isSame || read === null ? text : write(value);
  return (
    <CodeEditor
      {...editor}
      language="json"
      problems={read === null ? [...problems, { message: noJson }] : problems}
      value={shown}
      onChange={(written) => {
        setText(written);
        const object = readObject(written);
        if (object !== null) onChange(Object.keys(object).length === 0 ? undefined : object);
      }}
    />
  );
}

const write = (value: unknown) => JSON.stringify(value ?? {}, null, 2);

function readObject(text: string): object | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}
